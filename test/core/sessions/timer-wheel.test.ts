import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  advance,
  cancel,
  createWheel,
  nextTickOf,
  schedule,
  type TimerWheel,
} from '../../../src/core/sessions/store/timer-wheel.ts'

type Step =
  | { do: 'schedule'; key: number; after: number }
  | { do: 'cancel'; key: number }
  | { do: 'advance'; by: number }

const key = fc.integer({ min: 0, max: 12 })
const distance = fc.oneof(fc.integer({ min: -5, max: 70 }), fc.integer({ min: 0, max: 300_000 }))
const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('schedule' as const), key, after: distance }),
    fc.record({ do: fc.constant('cancel' as const), key }),
    fc.record({ do: fc.constant('advance' as const), by: fc.integer({ min: 0, max: 20_000 }) }),
  ),
  { maxLength: 80 },
)

// The model: a plain list of deadlines.
function play(start: number, list: readonly Step[]): void {
  let wheel: TimerWheel<number> = createWheel(start)
  let model = new Map<number, number>()
  let now = start
  for (const step of list) {
    if (step.do === 'schedule') {
      wheel = schedule(wheel, step.key, now + step.after)
      model.set(step.key, Math.max(now + step.after, now + 1))
    }
    if (step.do === 'cancel') {
      wheel = cancel(wheel, step.key)
      model.delete(step.key)
    }
    if (step.do === 'advance') {
      now += step.by
      const [next, due] = advance(wheel, now)
      wheel = next
      const expected = [...model].filter(([, deadline]) => deadline <= now)
      model = new Map([...model].filter(([, deadline]) => deadline > now))
      expect([...due].sort()).toEqual(expected.map(([k]) => k).sort())
      const times = due.map((k) => expected.find(([other]) => other === k)?.[1] ?? 0)
      expect(times).toEqual([...times].sort((a, b) => a - b))
    }
    const first = Math.min(...model.values())
    expect(new Map(wheel.deadlines)).toEqual(model)
    expect(nextTickOf(wheel) === undefined).toBe(model.size === 0)
    if (model.size > 0) expect(nextTickOf(wheel)).toBeLessThanOrEqual(first)
    if (model.size > 0) expect(nextTickOf(wheel)).toBeGreaterThan(now)
  }
}

test('a wheel and a sorted list agree after any steps, from any start', () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 2e10 }), steps, play), { numRuns: 300 })
})

test('a key far away is opened a few times, not at every tick', () => {
  let wheel = schedule(createWheel<string>(0), 'far', 1_000_000)
  let opened = 0
  for (let tick = nextTickOf(wheel); tick !== undefined; tick = nextTickOf(wheel)) {
    ;[wheel] = advance(wheel, tick)
    opened += 1
  }
  expect(opened).toBeLessThanOrEqual(4)
})

test('far deadlines share coarse slots: a thousand keys lie in few', () => {
  const wheel = Array.from({ length: 1000 }, (_, key) => key).reduce(
    (held, key) => schedule(held, key, 1 + key * 262),
    createWheel<number>(0),
  )
  expect(wheel.slots.size).toBeLessThan(3 * 64)
})

test('scheduling a key again replaces its deadline', () => {
  const wheel = schedule(schedule(createWheel<string>(0), 'a', 5), 'a', 50)
  expect(advance(wheel, 10)[1]).toEqual([])
  expect(advance(wheel, 50)[1]).toEqual(['a'])
})
