import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { settleWithin } from '../../../../src/core/base/system/settle-within.ts'
import { startTimer } from '../../../../src/core/base/system/timer.ts'

/** Nothing of this process runs meanwhile, as on a machine that stands still. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

test('what is answered after a standstill is not too late', async () => {
  const answer = new Promise<string>((resolve) => {
    setTimeout(() => {
      standStill(1500)
      // The answer comes a moment later, as that of a process which stood still too.
      setTimeout(() => resolve('answered'), 50)
    })
  })
  expect(await settleWithin(1000, answer)).toBe('answered')
})

test('a timer ends once, never early, and not once it is stopped', async () => {
  const durations = fc.integer({ min: 0, max: 300 })
  const runs = fc.sample(fc.record({ ms: durations, isStopped: fc.boolean() }), 100)
  await Promise.all(
    runs.map(async ({ ms, isStopped }) => {
      const start = performance.now()
      const ends: number[] = []
      const timer = startTimer(ms, () => ends.push(performance.now() - start))
      if (isStopped) timer.stop()
      await Bun.sleep(ms + 200)
      while (!isStopped && ends.length === 0) await Bun.sleep(10)
      expect(ends).toHaveLength(isStopped ? 0 : 1)
      // A timer of the runtime may end a part of a millisecond early, and there are four at most.
      for (const end of ends) expect(end).toBeGreaterThan(ms - 5)
    }),
  )
})
