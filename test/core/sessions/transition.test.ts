import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  checkAdmission,
  createSessionsState,
  findSession,
  nextWakeTimeOf,
  type SessionDraft,
  sessionsOf,
  type SessionsState,
} from '../../../src/core/sessions/store/session.ts'
import {
  type SessionEffect,
  type SessionEvent,
  transition,
} from '../../../src/core/sessions/store/transition.ts'

const draft = (id: string, more: Partial<SessionDraft> = {}): SessionDraft => ({
  id,
  owner: 'me',
  browser: 'chromium',
  timeout: 1000,
  lifetime: 5000,
  ...more,
})

function play(
  events: readonly SessionEvent[],
  start = createSessionsState(3, 0),
): { state: SessionsState; effects: SessionEffect[] } {
  const effects: SessionEffect[] = []
  let state = start
  for (const event of events) {
    const [next, more] = transition(state, event)
    state = next
    effects.push(...more)
  }
  return { state, effects }
}

const opened = (id: string, at = 0, more: Partial<SessionDraft> = {}): SessionEvent[] => [
  { type: 'open', at, draft: draft(id, more) },
  { type: 'opened', at, id },
]
const tick = (at: number): SessionEvent => ({ type: 'ticked', at })

test('an idle session is released at its time and remembered as expired', () => {
  const { state, effects } = play([...opened('a'), tick(900), tick(1000)])
  expect(effects).toEqual([
    {
      type: 'release',
      id: 'a',
      cause: { code: 'SESSION_EXPIRED', sessionId: 'a', name: 's1', reason: 'idle', after: 1000 },
    },
  ])
  for (const key of ['a', 's1']) {
    const found = findSession(state, 'me', key)
    expect(found.ok || found.error.code).toBe('SESSION_EXPIRED')
  }
})

test('a call moves expiry, but never past the longest life', () => {
  const calls = [900, 1800, 2700, 3600, 4500].flatMap((at): SessionEvent[] => [
    { type: 'called', at, id: 'a' },
    { type: 'answered', at, id: 'a' },
    tick(at),
  ])
  const { state } = play([...opened('a'), ...calls])
  expect(state.byId.get('a')?.expiresAt).toBe(5000)
  const [, effects] = transition(state, tick(5000))
  expect(effects).toMatchObject([{ id: 'a', cause: { reason: 'lifetime', after: 5000 } }])
})

test('a call under way holds expiry back until it ends; the longest life cuts it off', () => {
  const { state, effects } = play([...opened('a'), { type: 'called', at: 500, id: 'a' }, tick(3000)])
  expect(effects).toEqual([])
  expect(play([{ type: 'answered', at: 3000, id: 'a' }, tick(3900)], state).effects).toEqual([])
  expect(play([{ type: 'answered', at: 3000, id: 'a' }, tick(4000)], state).effects).toHaveLength(1)
  expect(play([tick(5000)], state).effects).toMatchObject([{ cause: { reason: 'lifetime' } }])
})

test('a browser that is slow to start does not eat the time of its session', () => {
  const { state, effects } = play([
    { type: 'open', at: 0, draft: draft('a') },
    tick(3000),
    { type: 'opened', at: 3000, id: 'a' },
  ])
  expect(effects).toEqual([])
  expect(state.byId.get('a')).toMatchObject({ createdAt: 3000, expiresAt: 4000, endsAt: 8000 })
})

test('the expiry of a session with a dev server says that this ended too', () => {
  const begin: SessionEvent[] = [
    { type: 'open', at: 0, draft: draft('a') },
    { type: 'opened', at: 0, id: 'a', server: true },
  ]
  const { effects } = play([...begin, tick(1000)])
  expect(effects).toMatchObject([{ cause: { code: 'SESSION_EXPIRED', server: true } }])
  const without = play([...opened('a'), tick(1000)]).effects[0]?.cause
  expect(without).not.toHaveProperty('server')
})

test('equal longest life and idle time give a fixed expiry', () => {
  const { state } = play([
    ...opened('a', 0, { lifetime: 1000 }),
    { type: 'called', at: 900, id: 'a' },
    { type: 'answered', at: 900, id: 'a' },
  ])
  expect(state.byId.get('a')?.expiresAt).toBe(1000)
  expect(play([tick(1000)], state).effects).toMatchObject([{ cause: { reason: 'lifetime', after: 1000 } }])
})

test('closing releases once, and the id is not found from then on', () => {
  const close: SessionEvent = { type: 'close', at: 10, id: 'a' }
  const { state, effects } = play([...opened('a'), close, close, { type: 'released', at: 20, id: 'a' }])
  expect(effects).toEqual([{ type: 'release', id: 'a', cause: 'closed' }])
  expect(findSession(state, 'me', 'a')).toEqual({
    ok: false,
    error: { code: 'SESSION_NOT_FOUND', sessionId: 'a' },
  })
  expect(nextWakeTimeOf(state)).toBeUndefined()
})

test('a lost browser is reported to those who ask for its sessions', () => {
  const failure = { code: 'BROWSER_CRASHED', browser: 'chromium' } as const
  const { state } = play([
    ...opened('a'),
    { type: 'lost', at: 5, id: 'a', failure },
    { type: 'released', at: 6, id: 'a' },
  ])
  expect(findSession(state, 'me', 'a')).toEqual({ ok: false, error: failure })
})

test("another owner's session is not there, by id, by name, in lists or after its end", () => {
  const { state } = play(opened('a', 0, { name: 'mine' }))
  const ended = play([tick(2000)], state).state
  for (const [now, key] of [
    [state, 'a'],
    [state, 'mine'],
    [ended, 'a'],
  ] as const) {
    const found = findSession(now, 'you', key)
    expect(found).toEqual({ ok: false, error: { code: 'SESSION_NOT_FOUND', sessionId: key } })
  }
  expect(sessionsOf(state, 'you')).toEqual([])
})

test('a name belongs to one open session of an owner; another owner may use it too', () => {
  const { state } = play(opened('a', 0, { name: 'cart' }))
  expect(findSession(state, 'me', 'cart').ok).toBe(true)
  expect(checkAdmission(state, draft('b', { name: 'cart' }))).toMatchObject({
    code: 'INVALID_PARAMETERS',
    field: 'name',
  })
  expect(checkAdmission(state, draft('b', { name: 'cart', owner: 'you' }))).toBeUndefined()
  expect(play([{ type: 'close', at: 1, id: 'a' }], state).state).toSatisfy(
    (next) => checkAdmission(next, draft('b', { name: 'cart' })) === undefined,
  )
})

test('the last 1,000 endings are remembered', () => {
  const all = Array.from({ length: 1005 }, (_, i) => `s${i}`)
  const events = all.flatMap((id, i) => [
    ...opened(id, i * 2000),
    tick(i * 2000 + 1000),
    { type: 'released' as const, at: i * 2000 + 1001, id },
  ])
  const { state } = play(events)
  expect(state.tombstones.size).toBe(1000)
  const first = findSession(state, 'me', 's0')
  const last = findSession(state, 'me', 's1004')
  expect(first.ok || first.error.code).toBe('SESSION_NOT_FOUND')
  expect(last.ok || last.error.code).toBe('SESSION_EXPIRED')
})

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
const anyEvent = fc.oneof(
  fc.record({
    type: fc.constant('open' as const),
    draft: fc.record({
      id,
      owner: fc.constantFrom('me', 'you'),
      name: fc.constantFrom('x', 'y', undefined),
      browser: fc.constant('chromium'),
      timeout: fc.integer({ min: 1, max: 3000 }),
      lifetime: fc.integer({ min: 1, max: 9000 }),
    }),
  }),
  fc.record({ type: fc.constantFrom('opened', 'failed', 'called', 'answered', 'close', 'released'), id }),
  fc.record({ type: fc.constant('ticked' as const) }),
)

test('after any events: never more than the limit, nothing past its life, one release for each end, the wheel in step', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(anyEvent, fc.integer({ min: 0, max: 1500 })), { maxLength: 60 }),
      fc.integer({ min: 1, max: 4 }),
      (list, limit) => {
        let state = createSessionsState(limit, 0)
        let at = 0
        const live = new Set<string>()
        for (const [event, wait] of list) {
          at += wait
          const before = state
          const [next, effects] = transition(state, { ...event, at } as SessionEvent)
          state = next
          for (const session of state.byId.values()) {
            if (!before.byId.has(session.id)) live.add(session.id)
            expect(session.expiresAt).toBeLessThanOrEqual(session.endsAt)
          }
          for (const effect of effects) expect(live.delete(effect.id)).toBe(true)
          const active = [...state.byId.values()].filter((s) => s.status !== 'closing')
          expect(state.byId.size).toBeLessThanOrEqual(limit)
          expect([...state.wheel.deadlines.keys()].sort()).toEqual(
            active
              .filter((s) => s.status === 'open')
              .map((s) => s.id)
              .sort(),
          )
          const names = active.flatMap((s) => (s.name === undefined ? [] : [`${s.owner} ${s.name}`]))
          expect(new Set(names).size).toBe(names.length)
        }
      },
    ),
    { numRuns: 300 },
  )
})
