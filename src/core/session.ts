// The life of all sessions as one immutable value. `transition` is pure: an event goes in with its time, the next state and the
// effects that follow from it come out, as records that a test compares and a log prints. Pages and browsers are not in here;
// runtime/desk.ts holds them and performs the effects.
//
// Times are Unix milliseconds from a clock that never jumps (runtime/clock.ts). One tick of the wheel is 100 ms.

import { advance, cancel, emptyWheel, nextTick, schedule, type Wheel } from './wheel.ts'
import { err, ok } from './result.ts'
import type { Failure, Outcome } from './failure.ts'

export interface Session {
  readonly id: string
  readonly name?: string
  readonly owner: string
  /** What the session runs in, for people and lists. */
  readonly browser: string
  /** Default deadline of its actions in milliseconds, where the caller set one. */
  readonly actionTimeout?: number
  readonly status: 'opening' | 'open' | 'closing'
  readonly createdAt: number
  readonly lastActivityAt: number
  readonly expiresAt: number
  /** Idle time allowed, in milliseconds. */
  readonly timeout: number
  /** When it ends whatever happens: createdAt + maxLifetime. */
  readonly endsAt: number
  /** Calls under way; they hold expiry back. */
  readonly calls: number
}

/** What is remembered of a session that ended by itself, so that its id gets a better answer than "not found". */
export interface Tombstone {
  readonly owner: string
  readonly failure: Failure
}

export interface Sessions {
  readonly limit: number
  readonly byId: ReadonlyMap<string, Session>
  readonly tombstones: ReadonlyMap<string, Tombstone>
  readonly wheel: Wheel<string>
}

export interface Draft {
  readonly id: string
  readonly name?: string
  readonly owner: string
  readonly browser: string
  readonly actionTimeout?: number
  readonly timeout: number
  readonly lifetime: number
}

export type Event =
  | { type: 'open'; at: number; draft: Draft }
  | { type: 'opened' | 'failed' | 'called' | 'answered' | 'close' | 'released'; at: number; id: string }
  | { type: 'lost'; at: number; id: string; failure: Failure }
  | { type: 'ticked'; at: number }

export type Effect = { type: 'release'; id: string; cause: Failure | 'closed' | 'failed' }

const TICK = 100
const REMEMBERED = 1000
const tickOf = (at: number): number => Math.ceil(at / TICK)

export const emptySessions = (limit: number, at: number): Sessions => ({
  limit,
  byId: new Map(),
  tombstones: new Map(),
  wheel: emptyWheel(Math.floor(at / TICK)),
})

/** Why a draft may not open now, or undefined. Opening sessions count, closing ones do not. */
export function refusal(state: Sessions, draft: Pick<Draft, 'owner' | 'name'>): Failure | undefined {
  const active = [...state.byId.values()].filter(({ status }) => status !== 'closing')
  if (draft.name !== undefined && active.some((s) => s.owner === draft.owner && s.name === draft.name)) {
    const expected = 'a name that none of your open sessions has'
    return { code: 'INVALID_PARAMETERS', field: 'name', expected, received: JSON.stringify(draft.name) }
  }
  if (active.length < state.limit) return undefined
  return { code: 'MAX_SESSIONS_REACHED', limit: state.limit, active: active.length }
}

/** The owner's session with this id or name. An ended one says how it ended; another owner's is not there. */
export function findSession(state: Sessions, owner: string, key: string): Outcome<Session> {
  const live = sessionsOf(state, owner).find(({ id, name }) => id === key || name === key)
  if (live) return ok(live)
  const tombstone = state.tombstones.get(key)
  return err(tombstone?.owner === owner ? tombstone.failure : { code: 'SESSION_NOT_FOUND', sessionId: key })
}

/** The sessions that this owner can use: opening and open ones, oldest first. */
export const sessionsOf = (state: Sessions, owner: string): readonly Session[] =>
  [...state.byId.values()].filter((session) => session.owner === owner && session.status !== 'closing')

/** When the state next wants a `ticked` event, or undefined while nothing can expire. */
export function wakeAt(state: Sessions): number | undefined {
  const tick = nextTick(state.wheel)
  return tick === undefined ? undefined : tick * TICK
}

export function transition(state: Sessions, event: Event): readonly [Sessions, readonly Effect[]] {
  if (event.type === 'open') return open(state, event.draft, event.at)
  if (event.type === 'ticked') return tick(state, event.at)
  const session = state.byId.get(event.id)
  if (!session) return [state, []]
  switch (event.type) {
    case 'opened':
      return session.status === 'opening' ? [keep(state, born(session, event.at)), []] : [state, []]
    case 'called':
      return [keep(state, { ...renew(session, event.at), calls: session.calls + 1 }), []]
    case 'answered':
      return [keep(state, { ...renew(session, event.at), calls: Math.max(0, session.calls - 1) }), []]
    case 'close':
      return end(state, session, 'closed')
    case 'failed':
      return end(state, session, 'failed')
    case 'lost':
      return end(state, session, event.failure)
    case 'released':
      return session.status === 'closing' ? [forget(state, session.id), []] : [state, []]
  }
}

// --- internal ---

type Step = readonly [Sessions, readonly Effect[]]

function open(state: Sessions, draft: Draft, at: number): Step {
  if (state.byId.has(draft.id) || refusal(state, draft)) return [state, []]
  const { lifetime, ...kept } = draft
  const endsAt = at + Math.max(kept.timeout, lifetime)
  const times = { createdAt: at, lastActivityAt: at, expiresAt: at + kept.timeout, endsAt }
  return [keep(state, { ...kept, ...times, status: 'opening', calls: 0 }), []]
}

// A browser that is slow to start must not eat the session's time: its clock starts when it can be used.
function born(session: Session, at: number): Session {
  const endsAt = at + session.endsAt - session.createdAt
  return {
    ...session,
    status: 'open',
    createdAt: at,
    lastActivityAt: at,
    expiresAt: at + session.timeout,
    endsAt,
  }
}

function renew(session: Session, at: number): Session {
  if (session.status === 'closing') return session
  return { ...session, lastActivityAt: at, expiresAt: Math.min(at + session.timeout, session.endsAt) }
}

function tick(state: Sessions, at: number): Step {
  const [wheel, due] = advance(state.wheel, Math.floor(at / TICK))
  return due.reduce<Step>(
    ([current, effects], id) => {
      const session = current.byId.get(id)
      if (!session) return [current, effects]
      const failure = expiry(session)
      const [next, more] = end(current, session, failure)
      return [next, [...effects, ...more]]
    },
    [{ ...state, wheel }, []],
  )
}

function expiry({ id, endsAt, expiresAt, createdAt, timeout }: Session): Failure {
  const lifetime = endsAt - createdAt
  if (expiresAt >= endsAt && lifetime > timeout) {
    return { code: 'SESSION_EXPIRED', sessionId: id, reason: 'lifetime', after: lifetime }
  }
  return { code: 'SESSION_EXPIRED', sessionId: id, reason: 'idle', after: timeout }
}

function end(state: Sessions, session: Session, cause: Failure | 'closed' | 'failed'): Step {
  if (session.status === 'closing') return [state, []]
  const closing = keep(state, { ...session, status: 'closing' })
  const tombstones = typeof cause === 'string' ? state.tombstones : bury(state.tombstones, session, cause)
  return [{ ...closing, tombstones }, [{ type: 'release', id: session.id, cause }]]
}

function bury(
  tombstones: Sessions['tombstones'],
  { id, owner }: Session,
  failure: Failure,
): Sessions['tombstones'] {
  const kept = [...tombstones].slice(-(REMEMBERED - 1))
  return new Map(kept).set(id, { owner, failure })
}

function keep(state: Sessions, session: Session): Sessions {
  const byId = new Map(state.byId).set(session.id, session)
  return { ...state, byId, wheel: timed(state.wheel, session) }
}

// The one place that decides when a session is due: while calls are under way only its lifetime can end it.
function timed(wheel: Wheel<string>, session: Session): Wheel<string> {
  if (session.status === 'closing') return cancel(wheel, session.id)
  const held = session.calls > 0 || session.status === 'opening'
  return schedule(wheel, session.id, tickOf(held ? session.endsAt : session.expiresAt))
}

function forget(state: Sessions, id: string): Sessions {
  const byId = new Map(state.byId)
  byId.delete(id)
  return { ...state, byId, wheel: cancel(state.wheel, id) }
}
