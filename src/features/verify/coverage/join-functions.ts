// A line may have code of several functions: it has run when all of them have. They need not run in the same reading, so that what ran before
// is kept here, for each version of a file.

import { createBoundedMap } from '../../../core/base/bounded-collections.ts'
import type { FunctionRuns } from './read-line-runs.ts'

export interface FunctionMemory {
  /** The functions with `partly` for lines of which another function has not run yet. `version`: that of the file. */
  join<T extends FunctionRuns>(version: string, functions: readonly T[]): readonly T[]
}

export function createFunctionMemory(): FunctionMemory {
  const known = createBoundedMap<string, readonly Set<number>[]>(VERSION_LIMIT)
  return {
    join(version, functions) {
      // What is compiled in another way has other functions.
      const key = [version, ...functions.map(({ firstLine, lastLine }) => `${firstLine}-${lastLine}`)].join(
        ' ',
      )
      const ranBefore = known.get(key) ?? functions.map(() => new Set<number>())
      known.set(key, ranBefore)
      const open = new Set<number>()
      functions.forEach(({ ran, partly, notRun }, index) => {
        const own = ranBefore[index]
        for (const line of ran) own?.add(line)
        for (const line of [...partly, ...notRun]) if (!own?.has(line)) open.add(line)
      })
      return functions.map((runs) => ({
        ...runs,
        ran: runs.ran.filter((line) => !open.has(line)),
        partly: [...runs.partly, ...runs.ran.filter((line) => open.has(line))].sort((a, b) => a - b),
      }))
    },
  }
}

// --- internal ---

const VERSION_LIMIT = 1000
