import { formatEntry, type LedgerEntry } from './entry.ts'

/** The newest entries, oldest first, without those that say nothing that a newer one does not say too, in at most `limitChars`. */
export function keepNewest(entries: readonly LedgerEntry[], limitChars: number): readonly LedgerEntry[] {
  const known = new Set<string>()
  const newest: LedgerEntry[] = []
  let size = 0
  for (const entry of entries.toReversed()) {
    const facts = factsOf(entry).filter((fact) => !known.has(fact))
    if (facts.length === 0) continue
    size += formatEntry(entry).length + 1
    if (size > limitChars) break
    for (const fact of facts) known.add(fact)
    newest.push(entry)
  }
  return newest.reverse()
}

// --- internal ---

function factsOf(entry: LedgerEntry): readonly string[] {
  const version = `${entry.file}\0${entry.content}`
  if (entry.kind === 'error') return [`${version}\0error ${entry.line}`]
  if (entry.kind === 'flow') return [`${entry.file}\0flow ${entry.test}`]
  if (entry.kind === 'seen') return [`${version}\0seen`]
  if (entry.kind === 'text') return [`${version}\0text`]
  const isLoaded = `${version}\0${entry.part ?? ''} loaded`
  const facts = entry.functions.flatMap(({ firstLine, lastLine, copy = 0, ran, partly }) => {
    const own = `${version}\0${entry.part ?? ''} ${firstLine}-${lastLine} ${copy}`
    return [own, ...ran.map((line) => `${own} ran ${line}`), ...partly.map((line) => `${own} partly ${line}`)]
  })
  return [isLoaded, ...facts]
}
