// Lines out of their places: the useful ones of a long page, and those that match.

import type { Line } from './tree.ts'

/** A line as it stands among others that are not beside it on the page. */
export const alone = ({ text, useful, row }: Line): string =>
  useful && row !== undefined && !text.includes(row)
    ? `${text} in row ${JSON.stringify(row.slice(0, 40))}`
    : text

/** What an agent needs first of a page that is too long to tell: what can be used and the headings, then as much text as fits, in the
 * order of the page. */
export function outline(lines: readonly Line[], maxChars: number): string {
  const chosen = new Set<Line>()
  let room = maxChars - 120
  const take = (line: Line) => {
    const { length } = alone(line)
    if (length + 1 > room) return false
    room -= length + 1
    chosen.add(line)
    return true
  }
  const useful = lines.filter((line) => line.useful)
  const all = useful.every(take)
  if (all) lines.filter((line) => !line.useful).every(take)
  const told = lines.filter((line) => chosen.has(line)).map(alone)
  if (chosen.size === lines.length) return told.join('\n')
  const left = useful.filter((line) => !chosen.has(line)).length
  const rest = left > 0 ? `${left} more to use, and all text` : 'more text'
  return [...told, `… ${rest}: snapshot reads on with cursor or searches with pattern`].join('\n')
}

/** The lines that match, each below the nearest heading before it. */
export function search(lines: readonly Line[], pattern: Pick<RegExp, 'test'>): readonly Line[] {
  const found: Line[] = []
  let heading: Line | undefined
  for (const line of lines) {
    if (line.role === 'heading') heading = line
    if (!pattern.test(line.text)) continue
    const told = { ...line, text: alone(line) }
    if (heading && heading !== line) found.push({ ...heading, depth: 0 })
    if (heading !== line) found.push({ ...told, depth: heading ? 1 : 0 })
    else found.push({ ...told, depth: 0 })
    heading = undefined
  }
  return found
}
