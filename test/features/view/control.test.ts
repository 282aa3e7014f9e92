import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  agentControl,
  changeControl,
  type ControlEvent,
  type ControlState,
  endOf,
  hasSession,
  IDLE_PERSON_LIMIT_MS,
  VIEWER_LIMIT_MS,
} from '../../../src/features/view/control.ts'

const run = (...events: readonly ControlEvent[]): ControlState => events.reduce(changeControl, agentControl)

test('the session goes from the agent to who takes it first, and back when that viewer returns it', () => {
  const asked = run({ type: 'asked', at: 0, reason: 'captcha', timeout: 1000 })
  expect(asked).toEqual({ by: 'nobody', reason: 'captcha', until: 1000 })
  const taken = changeControl(asked, { type: 'taken', at: 10, viewer: 'a' })
  expect(taken).toMatchObject({ by: 'person', viewer: 'a', reason: 'captcha' })
  expect(changeControl(taken, { type: 'taken', at: 20, viewer: 'b' })).toBe(taken)
  expect(changeControl(taken, { type: 'returned', at: 20, viewer: 'b' })).toBe(taken)
  expect(changeControl(taken, { type: 'asked', at: 20, reason: 'again', timeout: 1 })).toBe(taken)
  expect(changeControl(taken, { type: 'withdrawn', at: 20 })).toBe(taken)
  expect(changeControl(taken, { type: 'returned', at: 20, viewer: 'a' })).toEqual(agentControl)
})

test("it is the agent's again when nobody comes, when the viewer is gone, and when it does nothing", () => {
  const asked = run({ type: 'asked', at: 0, reason: 'r', timeout: 1000 })
  expect([
    changeControl(asked, { type: 'ticked', at: 999 }).by,
    changeControl(asked, { type: 'ticked', at: 1000 }).by,
  ]).toEqual(['nobody', 'agent'])
  const taken = run({ type: 'taken', at: 0, viewer: 'a' })
  const seen = changeControl(taken, { type: 'seen', at: VIEWER_LIMIT_MS - 1, viewer: 'a' })
  expect(changeControl(taken, { type: 'ticked', at: VIEWER_LIMIT_MS }).by).toBe('agent')
  expect(changeControl(seen, { type: 'ticked', at: VIEWER_LIMIT_MS }).by).toBe('person')
  const idle: ControlState = { ...seen, ...(seen.by === 'person' && { seenAt: IDLE_PERSON_LIMIT_MS }) }
  expect(changeControl(idle, { type: 'ticked', at: IDLE_PERSON_LIMIT_MS }).by).toBe('agent')
  const acted = changeControl(idle, { type: 'acted', at: IDLE_PERSON_LIMIT_MS - 1, viewer: 'a' })
  expect(endOf(acted)).toBe(IDLE_PERSON_LIMIT_MS - 1 + VIEWER_LIMIT_MS)
})

const viewers = fc.constantFrom('a', 'b', 'c')
const events = fc.array(
  fc.tuple(
    fc.integer({ min: 0, max: 5000 }),
    fc.oneof(
      fc.record({
        type: fc.constant('asked' as const),
        reason: fc.constant('r'),
        timeout: fc.constant(8000),
      }),
      fc.record({ type: fc.constantFrom('withdrawn' as const, 'ticked' as const) }),
      fc.record({
        type: fc.constantFrom('taken' as const, 'seen' as const, 'acted' as const, 'returned' as const),
        viewer: viewers,
      }),
    ),
  ),
  { maxLength: 60 },
)

test('in any order of events one viewer at most has the session, and only one that took it and is seen', () => {
  fc.assert(
    fc.property(events, (steps) => {
      let [state, at]: [ControlState, number] = [agentControl, 0]
      for (const [wait, event] of steps) {
        at += wait
        const before = state
        state = changeControl(before, { ...event, at } as ControlEvent)
        expect(at).toBeLessThan(endOf(state))
        if (state.by !== 'person') continue
        const { viewer } = state
        expect(['a', 'b', 'c'].filter((name) => hasSession(state, name))).toEqual([viewer])
        const isSame = hasSession(before, viewer) && at < endOf(before)
        expect(isSame || (event.type === 'taken' && event.viewer === viewer)).toBe(true)
      }
    }),
    { numRuns: 1000 },
  )
})
