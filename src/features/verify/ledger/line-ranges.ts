/** `41-58,60`: lines in ascending order as a text, with an origin that they count from. */
export function formatLines(lines: readonly number[], origin = 0): string {
  const parts: string[] = []
  for (let index = 0; index < lines.length; index++) {
    const start = index
    while (lines[index + 1] === (lines[index] ?? 0) + 1) index++
    const [first, last] = [(lines[start] ?? 0) - origin, (lines[index] ?? 0) - origin]
    parts.push(first === last ? String(first) : `${first}-${last}`)
  }
  return parts.join(',')
}

/** The lines of such a text; undefined if it is none. */
export function parseLines(text: string, origin = 0): readonly number[] | undefined {
  if (text === '') return []
  const lines: number[] = []
  for (const part of text.split(',')) {
    const [, start, end = start] = /^(\d{1,7})(?:-(\d{1,7}))?$/.exec(part) ?? []
    const [first, last] = [Number(start), Number(end)]
    if (!(last >= first) || last - first > LINE_LIMIT) return undefined
    for (let line = first; line <= last; line++) lines.push(line + origin)
  }
  return lines
}

/** How many lines the ranges of a text unfold to, whatever else it has. */
export function countNamedLines(text: string): number {
  let count = 0
  for (const [, first, last] of text.matchAll(/(?<!\d)(\d{1,7})-(\d{1,7})(?!\d)/g))
    count += Math.max(0, Number(last) - Number(first))
  return count
}

const LINE_LIMIT = 100_000
