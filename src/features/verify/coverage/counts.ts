// What V8 counted, by the function and by the offset. It is kept in an array of numbers, which goes to another thread in no time.

import type { OwnCode } from './functions-in.ts'

/** Profiler.FunctionCoverage, with `callCount` and `detailed`. */
export interface FunctionCoverage {
  readonly functionName: string
  readonly ranges: readonly CountedRange[]
}

interface CountedRange {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}

/** For each function what it initializes and the number of its ranges, then the start, end and count of each. */
export type PackedCounts = Float64Array<ArrayBuffer>

export interface Counted {
  /** How often it was called. */
  readonly count: number
  /** The count at an offset: that of the innermost range around it. */
  at(offset: number): number
}

export function packCounts(functions: readonly FunctionCoverage[]): PackedCounts {
  const rangeCount = functions.reduce((sum, { ranges }) => sum + ranges.length, 0)
  const packed = new Float64Array(2 * functions.length + 3 * rangeCount)
  let at = 0
  for (const { functionName, ranges } of functions) {
    packed[at++] = kindOf(functionName)
    packed[at++] = ranges.length
    for (const { startOffset, endOffset, count } of ranges) {
      packed[at++] = startOffset
      packed[at++] = endOffset
      packed[at++] = count
    }
  }
  return packed
}

/** Finds the functions of a script in what V8 counted. */
export function indexCounts(packed: PackedCounts): (own: OwnCode) => Counted | undefined {
  const byKey = new Map<string, Counted>()
  const next = { at: 0 }
  while (next.at < packed.length) {
    const [kind = -1, length = 0, start = 0, end = 0] = packed.subarray(next.at, next.at + 4)
    const ranges = packed.subarray(next.at + 2, next.at + 2 + 3 * length)
    next.at += 2 + 3 * length
    // The last one of a place is the newest.
    byKey.set(kind < 0 ? `${start}-${end}` : `${start} ${kind}`, countedOf(ranges))
  }
  return ({ node, start, end, latestStart, classStart = latestStart }) => {
    const kind = initializerOf(node)
    const keyAt = (at: number) => (kind < 0 ? `${at}-${end}` : `${at} ${kind}`)
    for (let at = start; at <= latestStart; at += 1) {
      const counted = byKey.get(keyAt(at))
      if (counted) return counted
    }
    return byKey.get(keyAt(classStart))
  }
}

// --- internal ---

/** The names that V8 gives to the fields and blocks of a class. */
const INITIALIZERS = ['<static_initializer>', '<instance_members_initializer>']

const kindOf = (name: string): number =>
  name.endsWith('_initializer>') && !INITIALIZERS.includes(name)
    ? INITIALIZERS.length
    : INITIALIZERS.indexOf(name)

function initializerOf(node: OwnCode['node']): number {
  const first = 'length' in node ? node[0] : undefined
  return first ? (first.type === 'StaticBlock' || first.static ? 0 : 1) : -1
}

function countedOf(ranges: PackedCounts): Counted {
  let pieces: Pieces | undefined
  return {
    count: ranges[2] ?? 0,
    at: (offset) => pieceAt((pieces ??= piecesOf(ranges)), offset),
  }
}

/** Where the innermost range changes, and its count from there on. */
interface Pieces {
  readonly starts: readonly number[]
  readonly counts: readonly number[]
}

function piecesOf(ranges: PackedCounts): Pieces {
  const [starts, counts]: [number[], number[]] = [[], []]
  const note = (start: number, count: number) => {
    if (starts.at(-1) === start) counts.pop()
    else starts.push(start)
    counts.push(count)
  }
  const open: { end: number; count: number }[] = []
  const closeUntil = (offset: number) => {
    for (let last = open.at(-1); last && last.end <= offset; last = open.at(-1)) {
      open.pop()
      note(last.end, open.at(-1)?.count ?? 0)
    }
  }
  for (const [start, end, count] of sortedRanges(ranges)) {
    closeUntil(start)
    note(start, count)
    open.push({ end, count })
  }
  closeUntil(Infinity)
  return { starts, counts }
}

function sortedRanges(ranges: PackedCounts): readonly (readonly [number, number, number])[] {
  const sorted: [number, number, number][] = []
  for (let at = 0; at < ranges.length; at += 3)
    sorted.push([ranges[at] ?? 0, ranges[at + 1] ?? 0, ranges[at + 2] ?? 0])
  return sorted.sort(([a, aEnd], [b, bEnd]) => a - b || bEnd - aEnd)
}

function pieceAt({ starts, counts }: Pieces, offset: number): number {
  let [low, high] = [-1, starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return counts[low] ?? 0
}
