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
  return ({ node, start, end, latestStart }: OwnCode): FunctionCoverage | undefined => {
    const isInitializer = Array.isArray(node)
    for (let at = start; at <= latestStart; at += 1) {
      const match = byStart
        .get(at)
        ?.findLast(({ functionName, ranges }) =>
          isInitializer
            ? INITIALIZER.test(functionName)
            : ranges[0]?.endOffset === end && !INITIALIZER.test(functionName),
        )
      if (match) return match
    }
    return undefined
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

const INITIALIZER = /^<(?:instance_members|static)_initializer>$/
