// The lifecycle of sessions as a pure function: an event with its time goes in, the next state and the effects come out as records.
// Pages and browsers are not in here; the session manager owns them and performs the effects.

import type { Failure } from '../../base/failure.ts'
import { assignName, putLastFailure } from './owner-record.ts'
import {
  checkAdmission,
  type Session,
  type SessionDraft,
  type SessionsState,
  tickAfter,
  tickBefore,
} from './session.ts'
import { advance, cancel, schedule, type TimerWheel } from './timer-wheel.ts'

export type SessionEvent =
  | { type: 'open'; at: number; draft: SessionDraft }
  | { type: 'opened'; at: number; id: string; server?: true }
  | { type: 'failed' | 'called' | 'answered' | 'close' | 'released'; at: number; id: string }
  | { type: 'lost'; at: number; id: string; failure: Failure }
  | { type: 'ticked'; at: number }

/** An event before it is known when it happened. */
export type WithoutTime<E> = E extends { at: number } ? Omit<E, 'at'> : never

export type SessionEffect = { type: 'release'; id: string; cause: Failure | 'closed' | 'failed' }

const TOMBSTONE_LIMIT = 1000

export function transition(
  state: SessionsState,
  event: SessionEvent,
): readonly [SessionsState, readonly SessionEffect[]] {
  if (event.type === 'open') return openSession(state, event.draft, event.at)
  if (event.type === 'ticked') return expireSessions(state, event.at)
  const session = state.byId.get(event.id)
  if (!session) return [state, []]
  switch (event.type) {
    case 'opened':
      return session.status === 'opening' ? [putSession(state, markOpen(session, event)), []] : [state, []]
    case 'called':
      return [putSession(state, { ...extendExpiry(session, event.at), calls: session.calls + 1 }), []]
    case 'answered':
      return [
        putSession(state, { ...extendExpiry(session, event.at), calls: Math.max(0, session.calls - 1) }),
        [],
      ]
    case 'close':
      return endSession(state, session, 'closed')
    case 'failed':
      return endSession(state, session, 'failed')
    case 'lost':
      return endSession(state, session, event.failure)
    case 'released':
      return session.status === 'closing' ? [removeSession(state, session.id), []] : [state, []]
  }
}

/** Why a session is released, as one word for logs. */
export const reasonOf = (cause: SessionEffect['cause']): string =>
  typeof cause === 'string' ? cause : ('reason' in cause && cause.reason) || cause.code

// --- internal ---

type Transition = readonly [SessionsState, readonly SessionEffect[]]

function openSession(state: SessionsState, draft: SessionDraft, at: number): Transition {
  if (state.byId.has(draft.id) || checkAdmission(state, draft)) return [state, []]
  const { lifetime, name: requestedName, ...fields } = draft
  const activeOwners = new Set([...state.byId.values()].map(({ owner }) => owner))
  const { name, owners } = assignName(state.owners, draft.owner, requestedName, activeOwners)
  const endsAt = at + Math.max(fields.timeout, lifetime)
  const times = { createdAt: at, lastActivityAt: at, expiresAt: at + fields.timeout, endsAt }
  return [putSession({ ...state, owners }, { ...fields, ...times, name, status: 'opening', calls: 0 }), []]
}

// The start of a slow browser does not count: the times of a session start when it is open.
function markOpen(session: Session, { at, server }: Extract<SessionEvent, { type: 'opened' }>): Session {
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

function extendExpiry(session: Session, at: number): Session {
  if (session.status === 'closing') return session
  return { ...session, lastActivityAt: at, expiresAt: Math.min(at + session.timeout, session.endsAt) }
}

function expireSessions(state: SessionsState, at: number): Transition {
  const [wheel, due] = advance(state.wheel, tickBefore(at))
  return due.reduce<Transition>(
    ([current, effects], id) => {
      const session = current.byId.get(id)
      if (!session) return [current, effects]
      const failure = expiryFailureOf(session)
      const [next, nextEffects] = endSession(current, session, failure)
      return [next, [...effects, ...nextEffects]]
    },
    [{ ...state, wheel }, []],
  )
}

function expiryFailureOf(session: Session): Failure {
  const { id, name, calls, endsAt, expiresAt, createdAt, lastActivityAt, timeout, server, creation } = session
  const lifetime = endsAt - createdAt
  const wasUsed = lifetime > timeout || lastActivityAt > createdAt
  const isLifetimeOver = wasUsed && (calls > 0 || expiresAt >= endsAt)
  const [reason, after] = isLifetimeOver ? (['lifetime', lifetime] as const) : (['idle', timeout] as const)
  const facts = { sessionId: id, name, reason, after, ...(server && { server }), creation }
  return { code: 'SESSION_EXPIRED', ...facts }
}

function endSession(
  state: SessionsState,
  session: Session,
  cause: Failure | 'closed' | 'failed',
): Transition {
  if (session.status === 'closing') return [state, []]
  const closing = putSession(state, { ...session, status: 'closing' })
  const tombstones =
    typeof cause === 'string' ? state.tombstones : addTombstone(state.tombstones, session, cause)
  const owners = cause === 'failed' ? state.owners : putLastFailure(state.owners, session.owner, cause)
  return [{ ...closing, tombstones, owners }, [{ type: 'release', id: session.id, cause }]]
}

function addTombstone(
  tombstones: SessionsState['tombstones'],
  { id, owner, name }: Session,
  failure: Failure,
): SessionsState['tombstones'] {
  const newest = [...tombstones].slice(-(TOMBSTONE_LIMIT - 1))
  return new Map(newest).set(id, { owner, failure, name })
}

function putSession(state: SessionsState, session: Session): SessionsState {
  const byId = new Map(state.byId).set(session.id, session)
  return { ...state, byId, wheel: scheduleExpiry(state.wheel, session) }
}

// A session expires only when it is open, and while calls are running only at the end of its lifetime.
function scheduleExpiry(wheel: TimerWheel<string>, session: Session): TimerWheel<string> {
  if (session.status !== 'open') return cancel(wheel, session.id)
  return schedule(wheel, session.id, tickAfter(session.calls > 0 ? session.endsAt : session.expiresAt))
}

function removeSession(state: SessionsState, id: string): SessionsState {
  const byId = new Map(state.byId)
  byId.delete(id)
  return { ...state, byId, wheel: cancel(state.wheel, id) }
}
