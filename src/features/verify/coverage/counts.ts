// What V8 counted, by the offset and by the function.

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

/** Finds the functions of a script in what V8 counted. */
export function indexCounts(functions: readonly FunctionCoverage[]) {
  const byStart = new Map<number, FunctionCoverage[]>()
  for (const counted of functions) {
    const start = counted.ranges[0]?.startOffset ?? 0
    byStart.set(start, [...(byStart.get(start) ?? []), counted])
  }
  return ({ node, start, end, latestStart, classStart }: OwnCode): FunctionCoverage | undefined => {
    const name = initializerOf(node)
    const starts = Array.from({ length: latestStart - start + 1 }, (_, index) => start + index)
    return [...starts, ...(classStart === undefined ? [] : [classStart])]
      .map((at) =>
        byStart
          .get(at)
          ?.findLast(({ functionName, ranges }) =>
            name
              ? functionName === name
              : ranges[0]?.endOffset === end && !functionName.endsWith('_initializer>'),
          ),
      )
      .find((counted) => counted)
  }
}

/** The count at an offset is that of the innermost range around it. */
export function countAt({ ranges }: FunctionCoverage, offset: number): number {
  const within = ranges.filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset)
  const innermost = within.reduce<CountedRange | undefined>(
    (best, range) =>
      !best || range.endOffset - range.startOffset <= best.endOffset - best.startOffset ? range : best,
    undefined,
  )
  return innermost?.count ?? 0
}

// --- internal ---

/** The name that V8 gives to the fields and blocks of a class. */
function initializerOf(node: OwnCode['node']): string | undefined {
  const first = 'length' in node ? node[0] : undefined
  if (!first) return undefined
  return first.type === 'StaticBlock' || first.static
    ? '<static_initializer>'
    : '<instance_members_initializer>'
}
