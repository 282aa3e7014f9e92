// Finds the elements that changed their order: the minimum set, those outside a longest increasing subsequence.

import type { SnapshotLine } from '../snapshot-lines.ts'

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
export function describePosition(line: SnapshotLine, lines: readonly SnapshotLine[]): string {
  const sibling = lines.slice(0, lines.indexOf(line)).findLast(({ depth }) => depth <= line.depth)
  if (!sibling || sibling.depth < line.depth) return 'to the front'
  return `after ${sibling.ref === undefined ? sibling.text.slice(0, 40) : `[${sibling.ref}]`}`
}

// --- internal ---

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
