// Selections of snapshot lines: the outline of a long page, and the lines that match a pattern.

import { compactLines } from './compact-lines.ts'
import type { SnapshotLine } from './snapshot-lines.ts'

/** The text of a line outside of its context: a control in a table row also names its row. */
export const standaloneTextOf = ({ text, isUseful, row }: SnapshotLine): string =>
  isUseful && row !== undefined && !text.includes(row)
    ? `${text} in row ${JSON.stringify(row.slice(0, 40))}`
    : text

/** The outline of a page that is too long: interactive elements and headings, then as much text as fits within `maxChars`, in document
 * order. */
export function createOutline(allLines: readonly SnapshotLine[], maxChars: number): string {
  const lines = chooseForm(allLines, maxChars)
  const selection = new Set<SnapshotLine>()
  let remainingChars = maxChars - OMISSION_CHARS
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

/** The lines that match, with the controls after a matching text, each below the nearest heading before it. */
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

const OMISSION_CHARS = 120

// Joined lines have more text beside a control, so a page may have more controls than they leave room for.
function chooseForm(lines: readonly SnapshotLine[], maxChars: number): readonly SnapshotLine[] {
  const compact = compactLines(lines)
  const useful = compact.filter(({ isUseful }) => isUseful)
  const size = useful.reduce((total, line) => total + standaloneTextOf(line).length + 1, 0)
  return size <= maxChars - OMISSION_CHARS ? compact : lines
}

/** The maximum distance between a text and its controls. */
const NEIGHBOR_LIMIT_LINES = 3

// In a list of cards the name is a text, and the button does not repeat it.
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
