// What changed between two looks at a page, by its elements' keys. Where they are not the same elements any more, it is a new page.

import { shownLines, turnsOf } from './modal-layers.ts'
import { movedLines, placeOf } from './moved-lines.ts'
import { alone, outline } from './outline.ts'
import type { Line } from './snapshot-lines.ts'

/** `+` new, `~` changed, `↕` moved, `-` gone, one line each; empty when nothing changed. At most `maxChars`. */
export function changes(before: readonly Line[], after: readonly Line[], maxChars: number): string {
  const old = new Map(before.map((line) => [line.key, line]))
  const now = new Set(after.map(({ key }) => key))
  const gone = before.filter(({ key }) => !now.has(key))
  const fresh = after.filter(({ key }) => !old.has(key))
  const other = after.filter((line) => isOther(line, old.get(line.key)))
  const total = gone.length + fresh.length + other.length
  if (total > 12 && gone.length + other.length > before.length * 0.6)
    return `a new page:\n${outline(shownLines(after), maxChars - 12)}`
  const told = [
    ...foldCells(fresh.filter(isToldOf)).map((text) => `+ ${text}`),
    ...turnsOf(before, after).map((text) => `~ ${text}`),
    ...other.map((line) => `~ ${alone(line)}`),
    ...moves(before, after),
    ...foldGone(before, now).map((text) => `- ${text}`),
  ]
  return fit(told, maxChars)
}

// --- internal ---

const MOVES_MAX = 8
const CELLS_MAX = 4
const GONE_LINES_MAX = 3

function moves(before: readonly Line[], after: readonly Line[]): string[] {
  const moved = movedLines(before, after)
  const told = moved.slice(0, MOVES_MAX).map((line) => `↕ ${line.text} moved ${placeOf(line, after)}`)
  return moved.length > MOVES_MAX ? [...told, `↕ ${moved.length - MOVES_MAX} more moved`] : told
}

// A ref that came or went on what nobody uses is no news.
function isOther(now: Line, before: Line | undefined): boolean {
  if (!before || now.text === before.text) return false
  return now.useful || before.useful || withoutRef(now) !== withoutRef(before)
}

const withoutRef = ({ text, ref }: Line): string => (ref === undefined ? text : text.replace(` [${ref}]`, ''))

// A list or table without a name says nothing that its parts do not.
const isToldOf = ({ role, name, depth }: Line, index: number, lines: readonly Line[]): boolean =>
  !(/^(list|table)$/.test(role) && name === '' && (lines[index + 1]?.depth ?? 0) > depth)

const cell = /^(cell|gridcell|row|rowgroup|columnheader)$/

// The days of a calendar are many and alike: the first and the last stand for all, and for their rows.
function foldCells(lines: readonly Line[]): string[] {
  const sorts = new Map<string, Line[]>()
  for (const line of lines) {
    if (!cell.test(line.role)) continue
    const alike = sorts.get(line.role)
    if (alike) alike.push(line)
    else sorts.set(line.role, [line])
  }
  const many = (role: string) => (sorts.get(role)?.length ?? 0) > CELLS_MAX
  return lines.flatMap((line) => {
    if (line.role === 'rowgroup' || (line.role === 'row' && (many('cell') || many('gridcell')))) return []
    const alike = sorts.get(line.role) ?? []
    if (!many(line.role)) return [alone(line)]
    if (line !== alike[0]) return []
    const last = alike.at(-1) ?? line
    const end = last.text.slice(last.role.length + 1, 60)
    return [`${alike.length} × ${line.text.slice(0, 60)} … ${end}`]
  })
}

// What went with an element is counted.
function foldGone(before: readonly Line[], now: ReadonlySet<string>): string[] {
  const told: string[] = []
  for (let index = 0; index < before.length; index += 1) {
    const line = before[index]
    if (!line || now.has(line.key)) continue
    const count = insideOf(before, index, now)
    if (count <= GONE_LINES_MAX) {
      told.push(alone(line))
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
function insideOf(before: readonly Line[], index: number, now: ReadonlySet<string>): number {
  const depth = before[index]?.depth ?? 0
  let end = index + 1
  for (let line = before[end]; line && line.depth > depth && !now.has(line.key); line = before[end]) end += 1
  return end - index - 1
}

function fit(lines: readonly string[], maxChars: number): string {
  let size = 0
  const end = lines.findIndex((line) => (size += line.length + 1) > maxChars - 60)
  if (end < 0) return lines.join('\n')
  return [...lines.slice(0, end), `… ${lines.length - end} more changes; take a snapshot`].join('\n')
}
