// Lines that are read together are joined: a table row with its cells, an item of a list with its text, options or buttons that follow each
// other. The refs of cells without interaction are left out; a snapshot of the row or table itself has them.

import type { SnapshotLine } from '../sessions/types/snapshot.ts'
import { clipName } from './snapshot-lines.ts'

/** The roles of controls that may share a line, as a part of a regular expression. */
export const SIBLING_ROLES = 'button|option|menuitem\\w*|tab|radio|checkbox|switch'

/** The lines with joined rows, items and siblings, as far as every line of one passes `canJoin`, and without groups of rows and
 * places of messages that say nothing. */
export function compactLines(
  allLines: readonly SnapshotLine[],
  canJoin: (line: SnapshotLine) => boolean = () => true,
): readonly SnapshotLine[] {
  const lines = omitEmptyLines(allLines)
  const result: SnapshotLine[] = []
  let index = 0
  for (let line = lines[index]; line; line = lines[index]) {
    const inside = line.role === 'row' ? descendantsOf(lines, index) : lines.slice(index + 1, index + 2)
    const joined = [line, ...inside].every(canJoin)
      ? (joinRow(line, inside) ?? joinItem(line, inside))
      : undefined
    result.push(joined ?? line)
    index += joined ? 1 + inside.length : 1
  }
  return joinSiblings(result, canJoin)
}

// --- internal ---

const TEXT_PREFIX = 'text: '
const CELL_LIMIT_CHARS = 300
const cellRole = /^(cell|gridcell|columnheader|rowheader)$/

const isPlainText = ({ role, ref }: SnapshotLine): boolean => role === 'text' && ref === undefined

function omitEmptyLines(lines: readonly SnapshotLine[]): readonly SnapshotLine[] {
  const omittedDepths: number[] = []
  return lines.flatMap((line, index) => {
    if (isEmptyMessage(line) && (lines[index + 1]?.depth ?? 0) <= line.depth) return []
    while ((omittedDepths.at(-1) ?? -1) >= line.depth) omittedDepths.pop()
    const depth = line.depth - omittedDepths.length
    if (line.role !== 'rowgroup' || line.isUseful || line.name !== '') return [{ ...line, depth }]
    omittedDepths.push(line.depth)
    return []
  })
}

// Where a message will be shown.
const isEmptyMessage = ({ role, name, ref }: SnapshotLine): boolean =>
  (role === 'status' || role === 'alert') && name === '' && ref === undefined

function descendantsOf(lines: readonly SnapshotLine[], index: number): readonly SnapshotLine[] {
  const depth = lines[index]?.depth ?? 0
  let end = index + 1
  while ((lines[end]?.depth ?? -1) > depth) end += 1
  return lines.slice(index + 1, end)
}

function joinItem(item: SnapshotLine, [text]: readonly SnapshotLine[]): SnapshotLine | undefined {
  if (item.role !== 'listitem' || item.name !== '' || !text || text.depth <= item.depth) return undefined
  if (!isPlainText(text) || text.isHidden !== item.isHidden) return undefined
  return {
    ...item,
    text: `${item.text}: ${text.text.slice(TEXT_PREFIX.length)}`,
    name: text.name,
    isJoined: true,
  }
}

const SIBLING_LIMIT_CHARS = 600
/** Options are read as a list; a few buttons are found sooner in lines of their own. */
const OPTIONS_MINIMUM = 3
const CONTROLS_MINIMUM = 6
const siblingRole = new RegExp(`^(?:${SIBLING_ROLES})$`)

/** Controls of the same role that follow each other become one line: `option "A", "B" selected, "C"`. */
function joinSiblings(
  lines: readonly SnapshotLine[],
  canJoin: (line: SnapshotLine) => boolean,
): readonly SnapshotLine[] {
  const result: SnapshotLine[] = []
  let run: SnapshotLine[] = []
  const endRun = () => {
    const minimum = run[0]?.role === 'option' ? OPTIONS_MINIMUM : CONTROLS_MINIMUM
    result.push(...(run.length < minimum ? run : [joinRun(run)]))
    run = []
  }
  for (const [index, line] of lines.entries()) {
    const isLeaf = (lines[index + 1]?.depth ?? 0) <= line.depth
    const isMember = isLeaf && isSibling(line) && canJoin(line)
    if (!isMember || !isNext(run, line)) endRun()
    if (isMember) run.push(line)
    else result.push(line)
  }
  endRun()
  return result
}

// The name, the ref and states of one word each.
function isSibling({ role, name, text }: SnapshotLine): boolean {
  const start = `${role} ${JSON.stringify(clipName(name))}`
  return (
    siblingRole.test(role) && text.startsWith(start) && /^(?: [[\]\w=-]+)*$/.test(text.slice(start.length))
  )
}

function isNext(run: readonly SnapshotLine[], line: SnapshotLine): boolean {
  const [first] = run
  if (!first) return true
  const size = run.reduce((total, { text }) => total + text.length, line.text.length)
  const isAlike = first.role === line.role && first.depth === line.depth && first.isHidden === line.isHidden
  return isAlike && first.row === line.row && size <= SIBLING_LIMIT_CHARS
}

function joinRun(run: readonly SnapshotLine[]): SnapshotLine {
  const [first, ...others] = run as [SnapshotLine, ...SnapshotLine[]]
  const texts = [first.text, ...others.map(({ role, text }) => text.slice(role.length + 1))]
  const isUseful = run.some((line) => line.isUseful)
  return { ...first, text: texts.join(', '), isUseful, isJoined: true }
}

/** The row with its cells as one line; undefined for a row that is laid out otherwise, such as one with a table inside. */
function joinRow(row: SnapshotLine, inside: readonly SnapshotLine[]): SnapshotLine | undefined {
  if (row.role !== 'row') return undefined
  const cells = inside.filter(({ depth }) => depth === row.depth + 1)
  const isRow = cells.length > 1 && cells.every(({ role }) => cellRole.test(role))
  if (!isRow || inside.some(({ role, isHidden }) => role === 'row' || isHidden !== row.isHidden))
    return undefined
  const [first] = cells
  const role = cells.every((cell) => cell.role === first?.role) ? (first?.role ?? 'cell') : 'cell'
  const texts = cells.map((cell) => textOfCell(cell, role, descendantsOf(inside, inside.indexOf(cell))))
  if (texts.some((text) => text.length > CELL_LIMIT_CHARS)) return undefined
  const text = row.text.replace(` ${JSON.stringify(clipName(row.name))}`, '')
  const roleText = role === 'cell' ? '' : ` of ${role}s`
  const isUseful = [row, ...inside].some((line) => line.isUseful)
  return { ...row, text: `${text}${roleText}: ${texts.join(' | ')}`, isUseful, isJoined: true }
}

// A cell of another role than the others, and one that reacts, is shown as the element that it is.
function textOfCell(cell: SnapshotLine, role: string, inside: readonly SnapshotLine[]): string {
  const texts = inside.map(contentOf)
  if (cell.isUseful || cell.role !== role) return [cell.text, ...texts].join('; ')
  const isRepeated = inside.some(({ name }) => name !== '' && cell.name.includes(name))
  return (isRepeated ? texts : [quoteIfAmbiguous(cell.name), ...texts]).filter(Boolean).join('; ')
}

// A text must not look like the next cell or like an element with a ref.
const quoteIfAmbiguous = (text: string): string => (/[|;"[\]]/.test(text) ? JSON.stringify(text) : text)

const contentOf = (line: SnapshotLine): string =>
  isPlainText(line) ? quoteIfAmbiguous(line.text.slice(TEXT_PREFIX.length)) : line.text
