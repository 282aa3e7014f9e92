// All sessions as one immutable value, and the queries on it. transition.ts changes it.
//
// Times are Unix milliseconds from a clock that never jumps (core/base/system/timer.ts). One tick of the timer wheel is 100 ms.

import type { SessionCreation, SeveralSessions } from '../../base/failure-records.ts'
import { type Failure, invalidParameter, type Outcome } from '../../base/failure.ts'
import { err, ok } from '../../base/result.ts'
import type { OwnerRecords } from './owner-record.ts'
import { createWheel, nextTickOf, type TimerWheel } from './timer-wheel.ts'

/** The timeout of a session that ends with its process. */
export const ENDLESS_MS = 30 * 86_400_000

export interface Session {
  readonly id: string
  readonly creation?: SessionCreation
  /** As requested, or an automatic one. No other open session of the owner has it. */
  readonly name: string
  readonly owner: string
  /** The browser of the session, for messages and lists. */
  readonly browser: string
  /** Whether its tabs are in the user's own browser. */
  readonly isAttached?: true
  /** Default timeout of its actions in milliseconds, if the caller set one. */
  readonly actionTimeout?: number
  readonly status: 'opening' | 'open' | 'closing'
  readonly createdAt: number
  readonly lastActivityAt: number
  readonly expiresAt: number
  /** Idle time allowed, in milliseconds. */
  readonly timeout: number
  /** End of its maximum lifetime: createdAt + maxLifetime. */
  readonly endsAt: number
  /** The number of running calls; they delay the idle expiry. */
  readonly calls: number
  /** Whether a dev server is stopped with it. */
  readonly server?: true
}

/** The record of a session that expired or crashed, so that its id gets a more specific failure than SESSION_NOT_FOUND. */
interface Tombstone {
  readonly owner: string
  readonly name: string
  readonly failure: Failure
}

export interface SessionsState {
  readonly limit: number
  readonly byId: ReadonlyMap<string, Session>
  readonly tombstones: ReadonlyMap<string, Tombstone>
  readonly owners: OwnerRecords
  readonly wheel: TimerWheel<string>
}

export interface SessionDraft extends Pick<
  Session,
  'id' | 'creation' | 'owner' | 'browser' | 'isAttached' | 'actionTimeout' | 'timeout'
> {
  /** Undefined requests an automatic name. */
  readonly name?: string
  readonly lifetime: number
  /** The maximum number of sessions of this owner. */
  readonly ownLimit?: number
}

const TICK_MS = 100

/** The first tick at or after a time, and the last one at or before it. */
export const tickAfter = (at: number): number => Math.ceil(at / TICK_MS)
export const tickBefore = (at: number): number => Math.floor(at / TICK_MS)

export const createSessionsState = (limit: number, at: number): SessionsState => ({
  limit,
  byId: new Map(),
  tombstones: new Map(),
  owners: new Map(),
  wheel: createWheel(tickBefore(at)),
})

/** Why a session cannot be opened now, or undefined. Opening sessions count, and closing ones until their resources are released. */
export function checkAdmission(
  state: SessionsState,
  draft: Pick<SessionDraft, 'owner' | 'name' | 'ownLimit'>,
): Failure | undefined {
  const active = [...state.byId.values()].filter(({ status }) => status !== 'closing')
  if (
    draft.name !== undefined &&
    active.some((session) => session.owner === draft.owner && session.name === draft.name)
  ) {
    const expected = 'a name that no open session of yours has'
    return invalidParameter('name', expected, JSON.stringify(draft.name))
  }
  const ownCount = [...state.byId.values()].filter(({ owner }) => owner === draft.owner).length
  if (draft.ownLimit !== undefined && ownCount >= draft.ownLimit)
    return { code: 'MAX_SESSIONS_REACHED', limit: draft.ownLimit, active: ownCount, own: true }
  if (state.byId.size < state.limit) return undefined
  return { code: 'MAX_SESSIONS_REACHED', limit: state.limit, active: state.byId.size }
}

/** The owner's session with this id or name. For an ended one the failure says how it ended; other owners' are not found. */
export function findSession(state: SessionsState, owner: string, key: string): Outcome<Session> {
  const sessions = sessionsOf(state, owner)
  const session = sessions.find(({ id }) => id === key) ?? sessions.find(({ name }) => name === key)
  if (session) return ok(session)
  const tombstones = [...state.tombstones].filter(([, tombstone]) => tombstone.owner === owner)
  const tombstone = tombstones.findLast(([id, { name }]) => id === key || name === key)
  return err(tombstone?.[1].failure ?? { code: 'SESSION_NOT_FOUND', sessionId: key })
}

/** The failure of a call that was running when its session ended. */
export function endReasonOf(state: SessionsState, owner: string, id: string): Failure {
  const result = findSession(state, owner, id)
  return result.ok || result.error.code === 'SESSION_NOT_FOUND'
    ? { code: 'SESSION_CLOSED', sessionId: id }
    : result.error
}

/** The opening and open sessions of this owner, oldest first. */
export const sessionsOf = (state: SessionsState, owner: string): readonly Session[] =>
  [...state.byId.values()].filter((session) => session.owner === owner && session.status !== 'closing')

/** The time of the next `ticked` event, or undefined while nothing can expire. */
export function nextWakeTimeOf(state: SessionsState): number | undefined {
  const tick = nextTickOf(state.wheel)
  return tick === undefined ? undefined : tick * TICK_MS
}

/** The owner's only session, which may still be opening. With none the failure says how the last one ended, with several it lists them.
 * `urls` are the URLs of their pages by id, as far as they are known. */
export function findOnlySession(
  state: SessionsState,
  owner: string,
  urls: ReadonlyMap<string, string>,
): Outcome<Session> {
  const sessions = sessionsOf(state, owner)
  const [only] = sessions
  if (!only) return err(state.owners.get(owner)?.lastFailure ?? { code: 'SESSION_NOT_FOUND' })
  return sessions.length === 1 ? ok(only) : err(severalSessions(sessions, urls))
}

const LISTED_SESSION_LIMIT = 10

function severalSessions(sessions: readonly Session[], urls: ReadonlyMap<string, string>): SeveralSessions {
  const summaries = sessions.slice(0, LISTED_SESSION_LIMIT).map(({ id, name, status }) => {
    const url = urls.get(id)
    return { name, status, url }
  })
  const expected = `the name of one of your ${sessions.length} open sessions`
  return {
    ...invalidParameter('sessionId', expected, 'nothing'),
    sessions: summaries,
    openCount: sessions.length,
  }
}
