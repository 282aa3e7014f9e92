// The names of sessions and what is known of an owner whose sessions have ended.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { formatSessionName } from '../../../src/core/sessions/store/session-name.ts'
import {
  checkAdmission,
  createSessionsState,
  findOnlySession,
  findSession,
  sessionsOf,
  type SessionsState,
} from '../../../src/core/sessions/store/session.ts'
import { type SessionEvent, transition } from '../../../src/core/sessions/store/transition.ts'

const LIFE_MS = 1000

const open = (id: string, owner: string, name?: string): SessionEvent[] => [
  {
    type: 'open',
    at: 0,
    draft: {
      id,
      owner,
      browser: 'chromium',
      timeout: LIFE_MS,
      lifetime: LIFE_MS,
      ...(name !== undefined && { name }),
    },
  },
  { type: 'opened', at: 0, id },
]
const close = (id: string): SessionEvent[] => [
  { type: 'close', at: 0, id },
  { type: 'released', at: 0, id },
]
const play = (events: readonly SessionEvent[], state = createSessionsState(1000, 0)): SessionsState =>
  events.reduce((current, event) => transition(current, event)[0], state)
const namesOf = (state: SessionsState, owner: string) => sessionsOf(state, owner).map(({ name }) => name)
const choose = (state: SessionsState, owner = 'me') => findOnlySession(state, owner, new Map())

test('each owner has names of its own, and none is used again', () => {
  const first = play([...open('a', 'me'), ...open('b', 'me'), ...open('c', 'you'), ...close('b')])
  expect([namesOf(first, 'me'), namesOf(first, 'you')]).toEqual([['s1'], ['s1']])
  const second = play([...open('d', 'me'), ...close('a'), ...close('d'), ...open('e', 'me')], first)
  expect(namesOf(second, 'me')).toEqual(['s4'])
  expect(findSession(second, 'me', 's4')).toMatchObject({ value: { id: 'e' } })
  expect(findSession(second, 'you', 's4').ok).toBe(false)
})

test('an automatic name is none that the owner requested, open or closed', () => {
  const state = play([
    ...open('a', 'me', 's2'),
    ...open('b', 'me', 's3'),
    ...close('b'),
    ...open('c', 'me'),
    ...open('d', 'me'),
  ])
  expect(namesOf(state, 'me')).toEqual(['s2', 's1', 's4'])
  const taken = { owner: 'me', name: 's4' }
  expect(checkAdmission(state, taken)).toMatchObject({ code: 'INVALID_PARAMETERS', field: 'name' })
})

test('a session that was not admitted has used no name', () => {
  const full = play([...open('a', 'me'), ...open('b', 'me'), ...close('a')], createSessionsState(1, 0))
  expect(namesOf(play(open('c', 'me'), full), 'me')).toEqual(['s2'])
})

test('without a key: the only session, also while it opens; several are listed; of none the last end is known', () => {
  const [opening = { type: 'ticked', at: 0 }, opened = opening] = open('a', 'me')
  expect(choose(play([opening]))).toMatchObject({ value: { name: 's1', status: 'opening' } })
  const one = play([opening, opened, ...open('b', 'you')])
  expect(choose(one)).toMatchObject({ value: { id: 'a' } })
  const several = findOnlySession(play(open('c', 'me', 'shop'), one), 'me', new Map([['a', 'http://a/']]))
  expect(several).toMatchObject({
    error: {
      code: 'INVALID_PARAMETERS',
      field: 'sessionId',
      sessions: [
        { name: 's1', status: 'open', url: 'http://a/' },
        { name: 'shop', status: 'open' },
      ],
      openCount: 2,
    },
  })
  const expired = play([{ type: 'ticked', at: LIFE_MS }], one)
  expect(choose(expired)).toMatchObject({ error: { code: 'SESSION_EXPIRED', sessionId: 'a', name: 's1' } })
  const closed = play([...open('d', 'me'), ...close('d')], expired)
  expect(choose(closed)).toEqual({ ok: false, error: { code: 'SESSION_NOT_FOUND' } })
  expect(choose(expired, 'stranger')).toEqual({ ok: false, error: { code: 'SESSION_NOT_FOUND' } })
})

test('twelve sessions: ten are listed, all are counted', () => {
  const many = play(Array.from({ length: 12 }, (_, index) => open(`id${index}`, 'me')).flat())
  const result = choose(many)
  const failure = result.ok || !('sessions' in result.error) ? undefined : result.error
  expect([failure?.sessions.length, failure?.openCount]).toEqual([10, 12])
})

test('the records of 10,000 owners are kept, and those of owners with a session', () => {
  const owners = Array.from({ length: 10_002 }, (_, index) => `owner${index}`)
  const state = owners.reduce(
    (current, owner, index) => play([...open(owner, owner), ...(index === 0 ? [] : close(owner))], current),
    createSessionsState(10, 0),
  )
  expect(state.owners.size).toBe(10_000)
  expect([...state.owners.keys()].slice(0, 2)).toEqual(['owner0', 'owner3'])
  expect(namesOf(play(open('x', 'owner0'), state), 'owner0')).toEqual(['s1', 's2'])
}, 300_000)

test('a name in a sentence is quoted if it is more than one word', () => {
  expect(['s1', 'my-shop_2', '買い物', 'my shop', 'a"b'].map(formatSessionName)).toEqual([
    's1',
    'my-shop_2',
    '買い物',
    '"my shop"',
    '"a"b"',
  ])
})

const anyName = fc.option(
  fc.oneof(
    fc.integer({ min: 1, max: 12 }).map((number) => `s${number}`),
    fc.constantFrom('shop', 'S1', 's01', 's0', 's-1', 's99999999999999999999', 's 1'),
  ),
  { nil: undefined },
)
const anyStep = fc.oneof(
  { weight: 3, arbitrary: fc.record({ owner: fc.constantFrom('me', 'you'), name: anyName }) },
  { weight: 1, arbitrary: fc.record({ closed: fc.nat({ max: 30 }) }) },
  { weight: 1, arbitrary: fc.constant('expire' as const) },
)

test('whatever is opened, closed and expires: a requested name is kept, an automatic one is new to its owner, open names differ', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 120 }), (steps) => {
      let state = createSessionsState(6, 0)
      let at = 0
      const used: Record<string, Set<string>> = { me: new Set(), you: new Set() }
      for (const [index, step] of steps.entries()) {
        at += 1
        if (step === 'expire') {
          at += LIFE_MS + 100
          state = play([{ type: 'ticked', at }], state)
          continue
        }
        if ('closed' in step) {
          const { closed } = step
          state = play(close(`id${closed}`), state)
          continue
        }
        const events = open(`id${index}`, step.owner, step.name).map((event) => ({ ...event, at }))
        state = play(events, state)
        const session = state.byId.get(`id${index}`)
        if (!session) continue
        if (step.name !== undefined) expect(session.name).toBe(step.name)
        else {
          expect(session.name).toMatch(/^s[1-9]\d*$/)
          expect(used[step.owner]?.has(session.name)).toBe(false)
        }
        used[step.owner]?.add(session.name)
        const names = namesOf(state, step.owner)
        expect(new Set(names).size).toBe(names.length)
      }
    }),
    { numRuns: 500 },
  )
})
