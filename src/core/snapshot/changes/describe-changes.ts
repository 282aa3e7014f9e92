// What changed between two snapshots of a page, by the keys of its elements. If most elements differ, it is described as a new page.

import { describeAdded } from './added-lines.ts'
import { omitEnteredValues } from './entered-values.ts'
import { visibleLines, describeLayerChanges } from '../modal-layers.ts'
import { findMovedLines, describePosition } from './moved-lines.ts'
import { describeRemoved } from './removed-lines.ts'
import { standaloneTextOf, createOutline } from '../outline.ts'
import type { SnapshotLine } from '../snapshot-lines.ts'

/** `+` new, `~` changed, `↕` moved, `-` gone, one line each; empty when nothing changed. At most `maxChars`. The values of fields that
 * became one of `enteredTexts` are left out. */
export function describeChanges(
  before: readonly SnapshotLine[],
  after: readonly SnapshotLine[],
  maxChars: number,
  enteredTexts: readonly string[] = [],
): string {
  const linesBefore = new Map(before.map((line) => [line.key, line]))
  const keysAfter = new Set(after.map(({ key }) => key))
  const removed = before.filter(({ key }) => !keysAfter.has(key))
  const added = after.filter(({ key }) => !linesBefore.has(key))
  const changed = after.filter((line) => isChanged(line, linesBefore.get(line.key)))
  const total = removed.length + added.length + changed.length
  // Of another document, or of one that was built anew, nothing is left.
  const isReplaced =
    removed.length === before.length && before.length >= REPLACED_PAGE_LINES && added.length > 0
  if (isReplaced) return describeNewPage(after, maxChars)
  const changes = changed.map((line) => ({ line, textBefore: linesBefore.get(line.key)?.text ?? '' }))
  const descriptions = [
    ...describeAdded(added, after).map((text) => `+ ${text}`),
    ...describeLayerChanges(before, after).map((text) => `~ ${text}`),
    ...omitEnteredValues(changes, enteredTexts).map(({ line }) => `~ ${standaloneTextOf(line)}`),
    ...describeMoves(before, after),
    ...describeRemoved(before, keysAfter).map((text) => `- ${text}`),
  ]
  const text = joinWithinLimit(descriptions, maxChars)
  const isMostlyNew = total > 12 && removed.length + changed.length > before.length * 0.6
  const newPage = isMostlyNew ? describeNewPage(after, maxChars) : undefined
  return newPage !== undefined && newPage.length < descriptions.join('\n').length ? newPage : text
}

// --- internal ---

const describeNewPage = (after: readonly SnapshotLine[], maxChars: number): string =>
  `a new page:\n${createOutline(visibleLines(after), maxChars - 12)}`

/** From this size on a page without any of its old elements is described as a new one. */
const REPLACED_PAGE_LINES = 3
const MOVE_LIMIT = 8

function describeMoves(before: readonly SnapshotLine[], after: readonly SnapshotLine[]): string[] {
  const movedLines = findMovedLines(before, after)
  const descriptions = movedLines
    .slice(0, MOVE_LIMIT)
    .map((line) => `↕ ${line.text} moved ${describePosition(line, after)}`)
  return movedLines.length > MOVE_LIMIT
    ? [...descriptions, `↕ ${movedLines.length - MOVE_LIMIT} more moved`]
    : descriptions
}

// A ref that appeared or disappeared on an element without interaction is not a change.
function isChanged(line: SnapshotLine, before: SnapshotLine | undefined): boolean {
  if (!before || line.text === before.text) return false
  return line.isUseful || before.isUseful || textWithoutRefOf(line) !== textWithoutRefOf(before)
}

const textWithoutRefOf = ({ text, ref }: SnapshotLine): string =>
  ref === undefined ? text : text.replace(` [${ref}]`, '')

function joinWithinLimit(lines: readonly string[], maxChars: number): string {
  let size = 0
  const end = lines.findIndex((line) => (size += line.length + 1) > maxChars - 60)
  if (end < 0) return lines.join('\n')
  return [...lines.slice(0, end), `… ${lines.length - end} more changes; take a snapshot`].join('\n')
}
