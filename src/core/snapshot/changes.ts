// What changed between two snapshots of a page, by the keys of its elements. If most elements differ, it is described as a new page.

import { compactLines } from './compact-lines.ts'
import { omitEnteredValues } from './entered-values.ts'
import { visibleLines, describeLayerChanges } from './modal-layers.ts'
import { findMovedLines, describePosition } from './moved-lines.ts'
import { standaloneTextOf, createOutline } from './outline.ts'
import type { SnapshotLine } from './snapshot-lines.ts'

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
  if (isReplaced || (total > 12 && removed.length + changed.length > before.length * 0.6))
    return `a new page:\n${createOutline(visibleLines(after), maxChars - 12)}`
  const changes = changed.map((line) => ({ line, textBefore: linesBefore.get(line.key)?.text ?? '' }))
  const descriptions = [
    ...foldCells(joinRows(added, after).filter(isReported)).map((text) => `+ ${text}`),
    ...describeLayerChanges(before, after).map((text) => `~ ${text}`),
    ...omitEnteredValues(changes, enteredTexts).map(({ line }) => `~ ${standaloneTextOf(line)}`),
    ...describeMoves(before, after),
    ...foldRemoved(before, keysAfter).map((text) => `- ${text}`),
  ]
  return joinWithinLimit(descriptions, maxChars)
}

// --- internal ---

/** From this size on a page without any of its old elements is described as a new one. */
const REPLACED_PAGE_LINES = 3
const MOVE_LIMIT = 8
const CELL_LIMIT = 4
const REMOVED_LINE_LIMIT = 3

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

// Without a name, a list or table adds nothing to its children, and an item of a list nothing to its only child.
function isReported(
  { role, name, depth, isUseful }: SnapshotLine,
  index: number,
  lines: readonly SnapshotLine[],
): boolean {
  if (name !== '' || isUseful || !/^(list|table|listitem)$/.test(role)) return true
  const isInside = (line: SnapshotLine | undefined) => (line?.depth ?? 0) > depth
  return !isInside(lines[index + 1]) || (role === 'listitem' && isInside(lines[index + 2]))
}

const JOINED_ROWS_LIMIT_CHARS = 1000

// New rows are one line each, unless they are so many that only their range is shown.
function joinRows(added: readonly SnapshotLine[], after: readonly SnapshotLine[]): readonly SnapshotLine[] {
  const keys = new Set(added.map(({ key }) => key))
  const canJoin = ({ key, role }: SnapshotLine) => keys.has(key) && !/^(gridcell|columnheader)$/.test(role)
  const joined = compactLines(after, canJoin).filter(({ key }) => keys.has(key))
  const rows = joined.filter(({ isJoined }) => isJoined)
  return rows.reduce((total, { text }) => total + text.length, 0) > JOINED_ROWS_LIMIT_CHARS ? added : joined
}

const cellRole = /^(cell|gridcell|row|rowgroup|columnheader)$/

// Many similar cells, such as the days of a calendar, are shown as the first and the last one, without their rows.
function foldCells(lines: readonly SnapshotLine[]): string[] {
  const cellsByRole = new Map<string, SnapshotLine[]>()
  for (const line of lines) {
    if (!cellRole.test(line.role) || line.isJoined) continue
    const cells = cellsByRole.get(line.role)
    if (cells) cells.push(line)
    else cellsByRole.set(line.role, [line])
  }
  const exceedsLimit = (role: string) => (cellsByRole.get(role)?.length ?? 0) > CELL_LIMIT
  return lines.flatMap((line) => {
    if (line.isJoined) return [standaloneTextOf(line)]
    if (
      line.role === 'rowgroup' ||
      (line.role === 'row' && (exceedsLimit('cell') || exceedsLimit('gridcell')))
    )
      return []
    const cells = cellsByRole.get(line.role) ?? []
    if (!exceedsLimit(line.role)) return [standaloneTextOf(line)]
    if (line !== cells[0]) return []
    return [`${cells.length} × ${describeRange(line, cells.at(-1) ?? line)}`]
  })
}

// States that the first and the last one share are named once; refs are, if they are of use.
function describeRange(first: SnapshotLine, last: SnapshotLine): string {
  const [start, end] = [splitStates(first), splitStates(last)]
  const states = start.states === end.states ? '' : start.states
  const name = end.text.slice(last.role.length + 1)
  return `${start.text.slice(0, 60)}${states} … ${name.slice(0, 60)}${end.states}`
}

function splitStates({ text, ref, isUseful }: SnapshotLine): { text: string; states: string } {
  const refText = ` [${ref}]`
  const refStart = text.indexOf(refText)
  if (ref === undefined || refStart < 0) return { text, states: '' }
  const refEnd = refStart + refText.length
  return { text: text.slice(0, isUseful ? refEnd : refStart), states: text.slice(refEnd, refEnd + 60) }
}

// The descendants of a removed element are counted, not listed; an item is known by its first text.
function foldRemoved(before: readonly SnapshotLine[], keysAfter: ReadonlySet<string>): string[] {
  const descriptions: string[] = []
  for (let index = 0; index < before.length; index += 1) {
    const line = before[index]
    if (!line || keysAfter.has(line.key)) continue
    const count = countRemovedInside(before, index, keysAfter)
    const descendants = before.slice(index + 1, index + 1 + count)
    const firstNamed = line.name === '' ? descendants.find(({ name }) => name !== '') : undefined
    const isItem = firstNamed !== undefined && /^(row|listitem)$/.test(line.role)
    if (count <= REMOVED_LINE_LIMIT && !isItem) {
      descriptions.push(standaloneTextOf(line))
      continue
    }
    const size = isItem ? '' : ` and ${count} lines in it`
    const start = firstNamed ? `: ${firstNamed.name.slice(0, 40)}${count > 1 ? ' …' : ''}` : ''
    descriptions.push(`${line.text}${size}${start}`)
    index += count
  }
  return descriptions
}

// The number of removed lines directly after a removed one that were inside it.
function countRemovedInside(
  before: readonly SnapshotLine[],
  index: number,
  keysAfter: ReadonlySet<string>,
): number {
  const depth = before[index]?.depth ?? 0
  let end = index + 1
  for (let line = before[end]; line && line.depth > depth && !keysAfter.has(line.key); line = before[end])
    end += 1
  return end - index - 1
}

function joinWithinLimit(lines: readonly string[], maxChars: number): string {
  let size = 0
  const end = lines.findIndex((line) => (size += line.length + 1) > maxChars - 60)
  if (end < 0) return lines.join('\n')
  return [...lines.slice(0, end), `… ${lines.length - end} more changes; take a snapshot`].join('\n')
}
