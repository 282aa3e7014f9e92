// What changed between two looks at a page, by its elements' keys. Where they are not the same elements any more, it is a new page.

import { visibleLines, describeLayerChanges } from './modal-layers.ts'
import { findMovedLines, describePosition } from './moved-lines.ts'
import { standaloneTextOf, createOutline } from './outline.ts'
import type { SnapshotLine } from './snapshot-lines.ts'

/** `+` new, `~` changed, `↕` moved, `-` gone, one line each; empty when nothing changed. At most `maxChars`. */
export function describeChanges(
  before: readonly SnapshotLine[],
  after: readonly SnapshotLine[],
  maxChars: number,
): string {
  const old = new Map(before.map((line) => [line.key, line]))
  const now = new Set(after.map(({ key }) => key))
  const gone = before.filter(({ key }) => !now.has(key))
  const fresh = after.filter(({ key }) => !old.has(key))
  const other = after.filter((line) => isChanged(line, old.get(line.key)))
  const total = gone.length + fresh.length + other.length
  if (total > 12 && gone.length + other.length > before.length * 0.6)
    return `a new page:\n${createOutline(visibleLines(after), maxChars - 12)}`
  const told = [
    ...foldCells(fresh.filter(isReported)).map((text) => `+ ${text}`),
    ...describeLayerChanges(before, after).map((text) => `~ ${text}`),
    ...other.map((line) => `~ ${standaloneTextOf(line)}`),
    ...describeMoves(before, after),
    ...foldRemoved(before, now).map((text) => `- ${text}`),
  ]
  return joinWithin(told, maxChars)
}

// --- internal ---

const MOVE_LIMIT = 8
const CELL_LIMIT = 4
const REMOVED_LINE_LIMIT = 3

function describeMoves(before: readonly SnapshotLine[], after: readonly SnapshotLine[]): string[] {
  const moved = findMovedLines(before, after)
  const told = moved
    .slice(0, MOVE_LIMIT)
    .map((line) => `↕ ${line.text} moved ${describePosition(line, after)}`)
  return moved.length > MOVE_LIMIT ? [...told, `↕ ${moved.length - MOVE_LIMIT} more moved`] : told
}

// A ref that came or went on what nobody uses is no news.
function isChanged(now: SnapshotLine, before: SnapshotLine | undefined): boolean {
  if (!before || now.text === before.text) return false
  return now.isUseful || before.isUseful || withoutRef(now) !== withoutRef(before)
}

const withoutRef = ({ text, ref }: SnapshotLine): string =>
  ref === undefined ? text : text.replace(` [${ref}]`, '')

// A list or table without a name says nothing that its parts do not.
const isReported = (
  { role, name, depth }: SnapshotLine,
  index: number,
  lines: readonly SnapshotLine[],
): boolean => !(/^(list|table)$/.test(role) && name === '' && (lines[index + 1]?.depth ?? 0) > depth)

const cellRole = /^(cell|gridcell|row|rowgroup|columnheader)$/

// The days of a calendar are many and alike: the first and the last stand for all, and for their rows.
function foldCells(lines: readonly SnapshotLine[]): string[] {
  const sorts = new Map<string, SnapshotLine[]>()
  for (const line of lines) {
    if (!cellRole.test(line.role)) continue
    const alike = sorts.get(line.role)
    if (alike) alike.push(line)
    else sorts.set(line.role, [line])
  }
  const many = (role: string) => (sorts.get(role)?.length ?? 0) > CELL_LIMIT
  return lines.flatMap((line) => {
    if (line.role === 'rowgroup' || (line.role === 'row' && (many('cell') || many('gridcell')))) return []
    const alike = sorts.get(line.role) ?? []
    if (!many(line.role)) return [standaloneTextOf(line)]
    if (line !== alike[0]) return []
    const last = alike.at(-1) ?? line
    const end = last.text.slice(last.role.length + 1, 60)
    return [`${alike.length} × ${line.text.slice(0, 60)} … ${end}`]
  })
}

// What went with an element is counted.
function foldRemoved(before: readonly SnapshotLine[], now: ReadonlySet<string>): string[] {
  const told: string[] = []
  for (let index = 0; index < before.length; index += 1) {
    const line = before[index]
    if (!line || now.has(line.key)) continue
    const count = countRemovedInside(before, index, now)
    if (count <= REMOVED_LINE_LIMIT) {
      told.push(standaloneTextOf(line))
      continue
    }
    const inside = before.slice(index + 1, index + 1 + count)
    const named = line.name === '' ? inside.find(({ name }) => name !== '') : undefined
    told.push(`${line.text} and ${count} lines in it${named ? `: ${named.name.slice(0, 40)} …` : ''}`)
    index += count
  }
  return told
}

// How many gone lines directly after a gone one were in it.
function countRemovedInside(
  before: readonly SnapshotLine[],
  index: number,
  now: ReadonlySet<string>,
): number {
  const depth = before[index]?.depth ?? 0
  let end = index + 1
  for (let line = before[end]; line && line.depth > depth && !now.has(line.key); line = before[end]) end += 1
  return end - index - 1
}

function joinWithin(lines: readonly string[], maxChars: number): string {
  let size = 0
  const end = lines.findIndex((line) => (size += line.length + 1) > maxChars - 60)
  if (end < 0) return lines.join('\n')
  return [...lines.slice(0, end), `… ${lines.length - end} more changes; take a snapshot`].join('\n')
}
