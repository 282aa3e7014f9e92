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
  const selection = new Set<SnapshotLine>()
  let remainingChars = maxChars - 120
  const selectLine = (line: SnapshotLine) => {
    const { length } = standaloneTextOf(line)
    if (length + 1 > remainingChars) return false
    remainingChars -= length + 1
    selection.add(line)
    return true
  }
  const useful = lines.filter((line) => line.isUseful)
  const hasAllUseful = useful.every(selectLine)
  if (hasAllUseful) lines.filter((line) => !line.isUseful).every(selectLine)
  const texts = lines.filter((line) => selection.has(line)).map(standaloneTextOf)
  if (selection.size === lines.length) return texts.join('\n')
  const omittedCount = useful.filter((line) => !selection.has(line)).length
  const omission = omittedCount > 0 ? `${omittedCount} more interactive elements, and all text` : 'more text'
  return [...texts, `… ${omission}: use snapshot with cursor or pattern`].join('\n')
}

/** The lines that match, with what can be used beside a text that does, each below the nearest heading before it. */
export function searchLines(
  lines: readonly SnapshotLine[],
  pattern: Pick<RegExp, 'test'>,
): readonly SnapshotLine[] {
  const matches = new Set<SnapshotLine>()
  const headings = new Map<SnapshotLine, SnapshotLine>()
  let heading: SnapshotLine | undefined
  for (const [index, line] of lines.entries()) {
    if (line.role === 'heading') heading = line
    if (!pattern.test(standaloneTextOf(line))) continue
    if (heading && heading !== line) headings.set(line, heading)
    for (const match of [line, ...findControlsAfter(lines, index)]) matches.add(match)
    heading = undefined
  }
  let isBelowHeading = false
  return lines.flatMap((line) => {
    if (!matches.has(line)) return []
    const headingBefore = headings.get(line)
    if (line.role === 'heading') isBelowHeading = false
    if (headingBefore) isBelowHeading = true
    const matchLine = { ...line, text: standaloneTextOf(line), depth: isBelowHeading ? 1 : 0 }
    return headingBefore ? [{ ...headingBefore, depth: 0 }, matchLine] : [matchLine]
  })
}

// --- internal ---

/** How many lines lie at most between a text and what belongs to it. */
const NEIGHBOR_LIMIT_LINES = 3

// In a list of cards a name is a text, and its button says nothing of it.
function findControlsAfter(lines: readonly SnapshotLine[], index: number): readonly SnapshotLine[] {
  const line = lines[index]
  if (!line || line.isUseful) return []
  const nextLines = lines.slice(index + 1, index + 1 + 2 * NEIGHBOR_LIMIT_LINES)
  const first = nextLines.findIndex((candidate) => candidate.isUseful || candidate.depth < line.depth)
  if (first < 0 || first > NEIGHBOR_LIMIT_LINES) return []
  const controls = nextLines.slice(first)
  const end = controls.findIndex((candidate) => !isControl(candidate))
  return end < 0 ? controls : controls.slice(0, end)
}

const isControl = ({ isUseful, ref, role }: SnapshotLine): boolean =>
  isUseful && ref !== undefined && role !== 'heading'
