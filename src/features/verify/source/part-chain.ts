import type { SourcePart } from './structure.ts'

/** Returns what tells the parts around a line, the innermost first. */
export function chainsOf(parts: readonly SourcePart[]): (line: number) => readonly SourcePart[] {
  const ordered = parts.toSorted((a, b) => a.firstLine - b.firstLine)
  const parents: number[] = []
  const open: number[] = []
  for (const [index, { firstLine }] of ordered.entries()) {
    while (open.length > 0 && (ordered[open.at(-1) ?? 0]?.lastLine ?? 0) < firstLine) open.pop()
    parents.push(open.at(-1) ?? -1)
    open.push(index)
  }
  return (line) => {
    const chain: SourcePart[] = []
    for (let index = lastStartingBy(ordered, line); index >= 0; index = parents[index] ?? -1) {
      const part = ordered[index]
      if (part && part.lastLine >= line) chain.push(part)
    }
    return chain
  }
}

// --- internal ---

/** The index of the last part that begins at or before a line; -1 without one. */
function lastStartingBy(parts: readonly SourcePart[], line: number): number {
  let [low, high] = [-1, parts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((parts[middle]?.firstLine ?? 0) <= line) low = middle
    else high = middle - 1
  }
  return low
}
