// The life of sessions as a pure function: an event goes in with its time, the next state and the effects that follow from it come
// out, as records that a test compares and a log prints. Pages and browsers are not in here; runtime/desk.ts holds them and performs
// the effects.

import {
  admissionFailure,
  tickAfter,
  tickBefore,
  type Draft,
  type Session,
  type Sessions,
} from './session.ts'
import { advance, cancel, schedule, type Wheel } from './timer-wheel.ts'
import type { Failure } from '../failure.ts'

export type Event =
  | { type: 'open'; at: number; draft: Draft }
  | { type: 'opened'; at: number; id: string; server?: true }
  | { type: 'failed' | 'called' | 'answered' | 'close' | 'released'; at: number; id: string }
  | { type: 'lost'; at: number; id: string; failure: Failure }
  | { type: 'ticked'; at: number }

export type Effect = { type: 'release'; id: string; cause: Failure | 'closed' | 'failed' }

const REMEMBERED = 1000

export function transition(state: Sessions, event: Event): readonly [Sessions, readonly Effect[]] {
  if (event.type === 'open') return open(state, event.draft, event.at)
  if (event.type === 'ticked') return tick(state, event.at)
  const session = state.byId.get(event.id)
  if (!session) return [state, []]
  switch (event.type) {
    case 'opened':
      return session.status === 'opening' ? [keep(state, born(session, event)), []] : [state, []]
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

/** One word for why a session is released, for logs. */
export const reasonOf = (cause: Effect['cause']): string =>
  typeof cause === 'string' ? cause : 'reason' in cause ? cause.reason : cause.code

// --- internal ---

type Step = readonly [Sessions, readonly Effect[]]

function open(state: Sessions, draft: Draft, at: number): Step {
  if (state.byId.has(draft.id) || admissionFailure(state, draft)) return [state, []]
  const { lifetime, ...kept } = draft
  const endsAt = at + Math.max(kept.timeout, lifetime)
  const times = { createdAt: at, lastActivityAt: at, expiresAt: at + kept.timeout, endsAt }
  return [keep(state, { ...kept, ...times, status: 'opening', calls: 0 }), []]
}

// A browser that is slow to start must not eat the session's time: its clock starts when it can be used.
function born(session: Session, { at, server }: Extract<Event, { type: 'opened' }>): Session {
  const endsAt = at + session.endsAt - session.createdAt
  return {
    ...session,
    status: 'open',
    createdAt: at,
    lastActivityAt: at,
    expiresAt: at + session.timeout,
    endsAt,
    ...(server && { server }),
  }
}

function renew(session: Session, at: number): Session {
  if (session.status === 'closing') return session
  return { ...session, lastActivityAt: at, expiresAt: Math.min(at + session.timeout, session.endsAt) }
}

function tick(state: Sessions, at: number): Step {
  const [wheel, due] = advance(state.wheel, tickBefore(at))
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

function expiry(session: Session): Failure {
  const { id, calls, endsAt, expiresAt, createdAt, lastActivityAt, timeout, server } = session
  const lifetime = endsAt - createdAt
  const used = lifetime > timeout || lastActivityAt > createdAt
  const old = used && (calls > 0 || expiresAt >= endsAt)
  const [reason, after] = old ? (['lifetime', lifetime] as const) : (['idle', timeout] as const)
  return { code: 'SESSION_EXPIRED', sessionId: id, reason, after, ...(server && { server }) }
}

function end(state: Sessions, session: Session, cause: Failure | 'closed' | 'failed'): Step {
  if (session.status === 'closing') return [state, []]
  const closing = keep(state, { ...session, status: 'closing' })
  const tombstones = typeof cause === 'string' ? state.tombstones : bury(state.tombstones, session, cause)
  return [{ ...closing, tombstones }, [{ type: 'release', id: session.id, cause }]]
}

function bury(
  tombstones: Sessions['tombstones'],
  { id, owner, name }: Session,
  failure: Failure,
): Sessions['tombstones'] {
  const kept = [...tombstones].slice(-(REMEMBERED - 1))
  return new Map(kept).set(id, { owner, failure, ...(name !== undefined && { name }) })
}

function keep(state: Sessions, session: Session): Sessions {
  const byId = new Map(state.byId).set(session.id, session)
  return { ...state, byId, wheel: timed(state.wheel, session) }
}

// The one place that decides when a session is due: not before it is open, and while calls are under way only its lifetime can end it.
function timed(wheel: Wheel<string>, session: Session): Wheel<string> {
  if (session.status !== 'open') return cancel(wheel, session.id)
  return schedule(wheel, session.id, tickAfter(session.calls > 0 ? session.endsAt : session.expiresAt))
}

function forget(state: Sessions, id: string): Sessions {
  const byId = new Map(state.byId)
  byId.delete(id)
  return { ...state, byId, wheel: cancel(state.wheel, id) }
}
