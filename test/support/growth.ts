// How the time of a function grows with its text. Processor time is measured, so that a busy machine changes nothing, and only what takes
// milliseconds is compared at all.

import { expect } from 'bun:test'
import process from 'node:process'
import fc from 'fast-check'

const DOUBLINGS = 3
const SMALL = 8000
const LARGE = SMALL * 2 ** DOUBLINGS
const ROUNDS = 30
/** Below this a time says nothing, and nobody waits for it. */
const NOTHING_MS = 5

const PARTS = 2 ** DOUBLINGS
const LIMIT = 2.5 ** DOUBLINGS / PARTS

type Scan = (text: string) => unknown

async function cpuTime(work: () => unknown, times: number): Promise<number> {
  const before = process.cpuUsage()
  for (let time = 0; time < times; time += 1) await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** How much longer the large text takes than the same amount of small ones: 1 is linear, PARTS quadratic. 0 if it is within the limit. */
async function growth(scan: Scan, smallText: string, largeText: string): Promise<number> {
  let [small, large] = [Infinity, Infinity]
  // The best of many rounds: a collection or a compilation in one of them says nothing. Only what seems to grow too fast takes them all, and
  // from the second round both take about as long: a busy machine disturbs a short time less often than a long one.
  for (let round = 0; round < ROUNDS; round += 1) {
    large = Math.min(large, await cpuTime(() => scan(largeText), 1))
    if (large < NOTHING_MS) return 0
    if (round === 0 && large <= LIMIT * PARTS * (await cpuTime(() => scan(smallText), 1))) return 0
    small = Math.min(small, await cpuTime(() => scan(smallText), PARTS))
    if (large <= LIMIT * small) return 0
  }
  return large / small
}

/** Twice the text takes at most 2.5 times the time, for texts of these pieces, at a size where a quadratic function takes seconds. */
export async function expectLinear(scan: Scan, pieces: readonly string[], numRuns = 100): Promise<void> {
  const piece = fc.constantFrom(...pieces)
  const few = fc.array(piece, { maxLength: 2 }).map((parts) => parts.join(''))
  const unit = fc.array(piece, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''))
  await fc.assert(
    fc.asyncProperty(few, unit, few, async (start, repeated, end) => {
      const textOf = (size: number) => start + repeated.repeat(size / repeated.length) + end
      expect(await growth(scan, textOf(SMALL), textOf(LARGE))).toBe(0)
    }),
    { numRuns },
  )
}
