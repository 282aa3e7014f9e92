// Which lines of its sources a script ran at least in part: rather a line too many than one too few, because a test that does not run an
// edited line is not run again.

import type { FunctionCoverage } from '../coverage/counts.ts'

/** A place in a script with the line of the source that it came from. */
export interface CodePlace {
  readonly offset: number
  readonly source: string
  readonly line: number
}

type CountedFunction = Pick<FunctionCoverage, 'ranges'>

/** `places` in the order of their offsets. */
export function ranLinesOf(
  places: readonly CodePlace[],
  functions: readonly CountedFunction[],
): ReadonlyMap<string, ReadonlyMap<number, boolean>> {
  const countAt = createCounter(functions)
  const bySource = new Map<string, Map<number, boolean>>()
  for (const { offset, source, line } of places) {
    const lines = bySource.get(source) ?? new Map<number, boolean>()
    bySource.set(source, lines)
    lines.set(line, lines.get(line) === true || countAt(offset) > 0)
  }
  return bySource
}

/** The lines of a text that ran, by what is known of some of them. Of a line without code, such as one that the compiler left out, the
 * statements above and below tell it. */
export function fillLines(known: ReadonlyMap<number, boolean>, lineCount: number): readonly number[] {
  const lines = Array.from({ length: lineCount }, (_, index) => index + 1)
  let above = [...known.values()].includes(true)
  const hasRunAbove = lines.map((line) => (above = known.get(line) ?? above))
  let below = false
  const hasRunBelow = lines.toReversed().map((line) => (below = known.get(line) ?? below))
  return lines.filter((line) => known.get(line) ?? (hasRunAbove[line - 1] || hasRunBelow[lineCount - line]))
}

// --- internal ---

interface OpenRange {
  readonly start: number
  readonly end: number
  readonly count: number
  /** Whether a function begins with it. Its head is evaluated by what is around it. */
  readonly isFunction: boolean
}

/** Counts at offsets in ascending order: that of the innermost range. */
function createCounter(functions: readonly CountedFunction[]): (offset: number) => number {
  const ranges = functions
    .flatMap((counted) =>
      counted.ranges.map(({ startOffset: start, endOffset: end, count }, index) => {
        const isFunction = index === 0 && start > 0
        return { start, end, count, isFunction }
      }),
    )
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
  const open: OpenRange[] = []
  let next = 0
  return (offset) => {
    for (let range = ranges[next]; range && range.start <= offset; range = ranges[next]) {
      while (open.length > 0 && (open.at(-1)?.end ?? 0) <= range.start) open.pop()
      open.push(range)
      next += 1
    }
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= offset) open.pop()
    const last = open.at(-1)
    const isHead = last?.isFunction && last.start === offset
    return (isHead && last.count === 0 ? open.at(-2)?.count : last?.count) ?? 0
  }
}
