// Where a text was edited, by the hashes of its lines before.

import { diffArrays } from 'diff'
import { splitLines } from '../ledger/entry.ts'
import { LINE_HASH_CHARS } from '../ledger/flow-entry.ts'
import { hashText } from '../ledger/text-hash.ts'

/** Lines from 1; the ends are not part of it. */
export interface LineChange {
  readonly oldStart: number
  readonly oldEnd: number
  readonly newStart: number
  readonly newEnd: number
}

export const hashLines = (content: string): readonly string[] =>
  splitLines(content).map((line) => hashText(line).slice(-LINE_HASH_CHARS).padStart(LINE_HASH_CHARS, '0'))

/** Of texts that differ more, all lines are said to be others: to find the least difference takes the square of it. */
const EDIT_LIMIT = 500

export function findLineChanges(before: readonly string[], now: readonly string[]): readonly LineChange[] {
  const changes: LineChange[] = []
  let [oldLine, newLine] = [1, 1]
  let open: LineChange | undefined
  const parts = diffArrays([...before], [...now], { maxEditLength: EDIT_LIMIT })
  if (!parts) return [{ oldStart: 1, oldEnd: before.length + 1, newStart: 1, newEnd: now.length + 1 }]
  for (const { added, removed, count } of parts) {
    const [oldCount, newCount] = [added ? 0 : count, removed ? 0 : count]
    if (added || removed) {
      const { oldStart, newStart } = open ?? { oldStart: oldLine, newStart: newLine }
      open = { oldStart, oldEnd: oldLine + oldCount, newStart, newEnd: newLine + newCount }
    } else {
      if (open) changes.push(open)
      open = undefined
    }
    oldLine += oldCount
    newLine += newCount
  }
  return open ? [...changes, open] : changes
}

/** The line of the new text that an old one is, if no change has touched it. */
export function moveLine(line: number, changes: readonly LineChange[]): number | undefined {
  const before = changes.findLast(({ oldStart }) => oldStart <= line)
  if (!before) return line
  return line < before.oldEnd ? undefined : line + before.newEnd - before.oldEnd
}

/** Whether what ran before can meet a change: a line of it ran, or one beside what was only added. */
export function meets(ran: ReadonlySet<number>, { oldStart, oldEnd }: LineChange): boolean {
  if (oldStart === oldEnd) return ran.has(oldStart - 1) || ran.has(oldStart)
  for (let line = oldStart; line < oldEnd; line++) if (ran.has(line)) return true
  return false
}
