// The lines of new elements, as few as tell them apart.

import { compactLines } from '../compact-lines.ts'
import { standaloneTextOf } from '../outline.ts'
import type { SnapshotLine } from '../snapshot-lines.ts'

/** The texts of the lines in `added`, which are some of `after`, in the same order. */
export const describeAdded = (added: readonly SnapshotLine[], after: readonly SnapshotLine[]): string[] =>
  foldCells(joinLines(added, after).filter(isReported))

// --- internal ---

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
