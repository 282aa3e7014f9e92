const COMPARED_NAME_LIMIT_CHARS = 64

/** The name closest to `input`, ignoring case and separators, or undefined when none is close. */
export function findClosestName(input: string, names: readonly string[]): string | undefined {
  if (input.length > 2 * COMPARED_NAME_LIMIT_CHARS) return undefined
  const fold = (name: string) =>
    name
      .slice(0, COMPARED_NAME_LIMIT_CHARS)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '')
  const foldedInput = fold(input)
  const scored = names.map((name) => ({ name, score: computeEditDistance(foldedInput, fold(name)) }))
  const best = scored.reduce<(typeof scored)[number] | undefined>(
    (a, b) => (a && a.score <= b.score ? a : b),
    undefined,
  )
  if (best && best.score <= distanceLimitOf(foldedInput.length)) return best.name
  return names.find((name) => isSwapped(foldedInput, fold(name)))
}

/** Whether two neighboring letters stand the other way round. */
function isSwapped(a: string, b: string): boolean {
  const index = [...a].findIndex((letter, at) => letter !== b[at])
  const swapped = `${a.slice(0, index)}${a[index + 1] ?? ''}${a[index] ?? ''}${a.slice(index + 2)}`
  return index >= 0 && a.length === b.length && swapped === b
}

// In a short name, two other letters make another name.
const distanceLimitOf = (length: number): number => (length < 5 ? 1 : Math.max(2, Math.floor(length / 3)))

/** Levenshtein's distance, one row at a time. */
export function computeEditDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      const substitution = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(substitution, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
