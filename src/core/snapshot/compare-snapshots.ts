// What changed between two snapshots of a page, by the keys of its elements. If most elements differ, it is described as a new page.

import { normalizeSpace } from '../base/text/clip.ts'
import type { SnapshotLine } from '../sessions/types/snapshot.ts'
import { compactLines } from './compact-lines.ts'
import { describeLayerChanges, visibleLines } from './modal-layers.ts'
import { createOutline, standaloneTextOf } from './outline.ts'

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
  // Nothing is left of another document, or of one that was built anew.
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

/** The texts of the lines in `added`, which are some of `after`, in the same order. */
const describeAdded = (added: readonly SnapshotLine[], after: readonly SnapshotLine[]): string[] =>
  foldCells(joinLines(added, after).filter(isReported))

const CELL_LIMIT = 4

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

// New rows are one line each, unless they are so many that only the range of their cells is shown.
function joinLines(added: readonly SnapshotLine[], after: readonly SnapshotLine[]): readonly SnapshotLine[] {
  const keys = new Set(added.map(({ key }) => key))
  const join = (separateRole: RegExp) =>
    compactLines(after, ({ key, role }) => keys.has(key) && !separateRole.test(role)).filter(({ key }) =>
      keys.has(key),
    )
  const joined = join(/^(gridcell|columnheader)$/)
  const rows = joined.filter(({ role, isJoined }) => role === 'row' && isJoined)
  const isTooLong = rows.reduce((total, { text }) => total + text.length, 0) > JOINED_ROWS_LIMIT_CHARS
  return isTooLong ? join(/^row$/) : joined
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

// States that the first and the last line share are named once. A ref is named only if it is useful.
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

/** A line of an element that both snapshots have, with its earlier text. */
interface ChangedLine {
  readonly line: SnapshotLine
  readonly textBefore: string
}

/** The changes without the fields that have exactly one of these texts as their new value, and without the options that they selected.
 * If more fields than texts have a value, all of them are kept, because the page has copied it. */
function omitEnteredValues(
  changes: readonly ChangedLine[],
  enteredTexts: readonly string[],
): readonly ChangedLine[] {
  if (enteredTexts.length === 0) return changes
  const enteredCounts = countByValue(enteredTexts.map(normalizeSpace))
  const values = changes.map((change) => newValueOf(change, [...enteredCounts.keys()]))
  const changeCounts = countByValue(values)
  const isEntered = values.map(
    (value) => value !== undefined && (changeCounts.get(value) ?? 0) <= (enteredCounts.get(value) ?? 0),
  )
  const hasSelected = changes.some(({ line }, index) => isEntered[index] && line.role === 'option')
  return changes.filter((change, index) => !isEntered[index] && !(hasSelected && isDeselected(change)))
}

function countByValue(values: readonly (string | undefined)[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) if (value) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

const newValueOf = (change: ChangedLine, values: readonly string[]): string | undefined =>
  values.find((value) => hasBecome(change, value))

function hasBecome({ line, textBefore }: ChangedLine, value: string): boolean {
  if (line.role === 'option') return line.name === value && line.text === `${textBefore} selected`
  const label = line.text.slice(0, -value.length - 2)
  return (
    line.isControl === true &&
    line.text === `${label}: ${value}` &&
    (textBefore === label || textBefore.startsWith(`${label}: `))
  )
}

const isDeselected = ({ line, textBefore }: ChangedLine): boolean =>
  line.role === 'option' && textBefore === `${line.text} selected`

// Finds the elements that changed their order: the minimum set, those outside a longest increasing subsequence.
/** The lines of `after` whose elements moved relative to the others; descendants of a moved element are left out. */
export function findMovedLines(
  before: readonly SnapshotLine[],
  after: readonly SnapshotLine[],
): readonly SnapshotLine[] {
  const indexesBefore = new Map(before.filter(isElement).map(({ key }, index) => [key, index]))
  const common = after.filter((line) => isElement(line) && indexesBefore.has(line.key))
  const unmovedIndexes = findLongestIncreasingSubsequence(
    common.map(({ key }) => indexesBefore.get(key) ?? 0),
  )
  const moved = new Set(common.filter((_, index) => !unmovedIndexes.has(index)))
  const roots: SnapshotLine[] = []
  let movedDepth: number | undefined
  for (const line of after) {
    if (movedDepth !== undefined && line.depth > movedDepth) continue
    movedDepth = moved.has(line) ? line.depth : undefined
    if (moved.has(line)) roots.push(line)
  }
  return roots
}

/** Describes the position of a line among its siblings. */
function describePosition(line: SnapshotLine, lines: readonly SnapshotLine[]): string {
  const sibling = lines.slice(0, lines.indexOf(line)).findLast(({ depth }) => depth <= line.depth)
  if (!sibling || sibling.depth < line.depth) return 'to the front'
  return `after ${sibling.ref === undefined ? sibling.text.slice(0, 40) : `[${sibling.ref}]`}`
}

const isElement = ({ role }: SnapshotLine): boolean => role !== 'text'

// The indexes of one longest increasing subsequence.
function findLongestIncreasingSubsequence(values: readonly number[]): ReadonlySet<number> {
  const ends: number[] = []
  const previous: (number | undefined)[] = []
  values.forEach((value, index) => {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((values[ends[middle] ?? 0] ?? 0) < value) low = middle + 1
      else high = middle
    }
    previous[index] = low > 0 ? ends[low - 1] : undefined
    ends[low] = index
  })
  const indexes = new Set<number>()
  for (let index = ends.at(-1); index !== undefined; index = previous[index]) indexes.add(index)
  return indexes
}

/** The texts of the lines without a key in `keysAfter`. Elements of the same role that followed each other are counted, and so are the
 * descendants of one, but an item is known by its first text. */
function describeRemoved(before: readonly SnapshotLine[], keysAfter: ReadonlySet<string>): string[] {
  const runs: [RemovedElement, ...RemovedElement[]][] = []
  for (const element of findRemovedElements(before, keysAfter)) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    const isNext =
      last?.line.role === element.line.role &&
      last.line.depth === element.line.depth &&
      last.index + last.descendants.length + 1 === element.index
    if (run && isNext) run.push(element)
    else runs.push([element])
  }
  return runs.flatMap((run) => {
    const [first] = run
    const last = run.at(-1) ?? first
    if (run.length < REMOVED_RUN_MINIMUM) return run.map(describeElement)
    return [`${run.length} × ${first.line.role} ${labelOf(first)} … ${labelOf(last)}`]
  })
}

const REMOVED_LINE_LIMIT = 3
const REMOVED_RUN_MINIMUM = 3

interface RemovedElement {
  readonly line: SnapshotLine
  readonly index: number
  /** The lines in it, all removed with it. */
  readonly descendants: readonly SnapshotLine[]
}

function findRemovedElements(
  before: readonly SnapshotLine[],
  keysAfter: ReadonlySet<string>,
): readonly RemovedElement[] {
  const elements: RemovedElement[] = []
  for (let index = 0; index < before.length; index += 1) {
    const line = before[index]
    if (!line || keysAfter.has(line.key)) continue
    const count = countRemovedInside(before, index, keysAfter)
    const descendants = before.slice(index + 1, index + 1 + count)
    const isFolded = count > REMOVED_LINE_LIMIT || isItem(line, descendants)
    elements.push({ line, index, descendants: isFolded ? descendants : [] })
    if (isFolded) index += count
  }
  return elements
}

const isItem = ({ role, name }: SnapshotLine, descendants: readonly SnapshotLine[]): boolean =>
  name === '' && /^(row|listitem)$/.test(role) && descendants.some((line) => line.name !== '')

const firstTextOf = ({ line, descendants }: RemovedElement): string =>
  (line.name || (descendants.find(({ name }) => name !== '')?.name ?? '')).slice(0, 40)

const labelOf = (element: RemovedElement): string => JSON.stringify(firstTextOf(element))

function describeElement(element: RemovedElement): string {
  const { line, descendants } = element
  if (descendants.length === 0) return standaloneTextOf(line)
  const size = isItem(line, descendants) ? '' : ` and ${descendants.length} lines in it`
  const start = line.name === '' ? firstTextOf(element) : ''
  return `${line.text}${size}${start && `: ${start}${descendants.length > 1 ? ' …' : ''}`}`
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
