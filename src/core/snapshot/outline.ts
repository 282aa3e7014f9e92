// Lines out of their places: the useful ones of a long page, and those that match.

import type { SnapshotLine } from './snapshot-lines.ts'

/** A line as it stands among others that are not beside it on the page. */
export const standaloneTextOf = ({ text, isUseful, row }: SnapshotLine): string =>
  isUseful && row !== undefined && !text.includes(row)
    ? `${text} in row ${JSON.stringify(row.slice(0, 40))}`
    : text

/** What an agent needs first of a page that is too long to tell: what can be used and the headings, then as much text as fits, in the
 * order of the page. */
export function createOutline(lines: readonly SnapshotLine[], maxChars: number): string {
  const chosen = new Set<SnapshotLine>()
  let room = maxChars - 120
  const take = (line: SnapshotLine) => {
    const { length } = standaloneTextOf(line)
    if (length + 1 > room) return false
    room -= length + 1
    chosen.add(line)
    return true
  }
  const useful = lines.filter((line) => line.isUseful)
  const all = useful.every(take)
  if (all) lines.filter((line) => !line.isUseful).every(take)
  const told = lines.filter((line) => chosen.has(line)).map(standaloneTextOf)
  if (chosen.size === lines.length) return told.join('\n')
  const left = useful.filter((line) => !chosen.has(line)).length
  const rest = left > 0 ? `${left} more interactive elements, and all text` : 'more text'
  return [...told, `… ${rest}: use snapshot with cursor or pattern`].join('\n')
}

/** The lines that match, with what can be used beside a text that does, each below the nearest heading before it. */
export function searchLines(
  lines: readonly SnapshotLine[],
  pattern: Pick<RegExp, 'test'>,
): readonly SnapshotLine[] {
  const found = new Set<SnapshotLine>()
  const headings = new Map<SnapshotLine, SnapshotLine>()
  let heading: SnapshotLine | undefined
  for (const [index, line] of lines.entries()) {
    if (line.role === 'heading') heading = line
    if (!pattern.test(standaloneTextOf(line))) continue
    if (heading && heading !== line) headings.set(line, heading)
    for (const one of [line, ...findControlsAfter(lines, index)]) found.add(one)
    heading = undefined
  }
  let isBelow = false
  return lines.flatMap((line) => {
    if (!found.has(line)) return []
    const above = headings.get(line)
    if (line.role === 'heading') isBelow = false
    if (above) isBelow = true
    const told = { ...line, text: standaloneTextOf(line), depth: isBelow ? 1 : 0 }
    return above ? [{ ...above, depth: 0 }, told] : [told]
  })
}

// --- internal ---

/** How many lines lie at most between a text and what belongs to it. */
const NEIGHBOR_LIMIT_LINES = 3

// In a list of cards a name is a text, and its button says nothing of it.
function findControlsAfter(lines: readonly SnapshotLine[], index: number): readonly SnapshotLine[] {
  const line = lines[index]
  if (!line || line.isUseful) return []
  const after = lines.slice(index + 1, index + 1 + 2 * NEIGHBOR_LIMIT_LINES)
  const first = after.findIndex((one) => one.isUseful || one.depth < line.depth)
  if (first < 0 || first > NEIGHBOR_LIMIT_LINES) return []
  const rest = after.slice(first)
  const end = rest.findIndex((one) => !isControl(one))
  return end < 0 ? rest : rest.slice(0, end)
}

const isControl = ({ isUseful, ref, role }: SnapshotLine): boolean =>
  isUseful && ref !== undefined && role !== 'heading'
