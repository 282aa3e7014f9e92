// The sessions from their admission to their release; carries out the effects of the session store.

import { createBoundedMap } from '../base/bounded-collections.ts'
import type { Outcome } from '../base/failure.ts'
import type { Redactor } from '../base/redaction/redactor.ts'
import { ok } from '../base/result.ts'
import { createExpiryTimer } from '../base/system/expiry-timer.ts'
import { createDeferred } from '../base/system/settle-within.ts'
import type { Clock } from '../base/system/timer.ts'
import { createSessionsState, nextWakeTimeOf, sessionsOf, type SessionsState } from './store/session.ts'
import {
  reasonOf,
  type SessionEffect,
  type SessionEvent,
  transition,
  type WithoutTime,
} from './store/transition.ts'
import type { OpeningSession, SessionPorts } from './types/owned-session.ts'
import type { SessionManagerOptions } from './types/session-options.ts'

const CRASHED_SESSION_LIMIT = 5

export interface SessionRegistry {
  readonly store: Store
  readonly watchers: SessionWatchers
  add(id: string, session: OpeningSession): void
  find(id: string): OpeningSession | undefined
  /** An owner's session whose browser crashed recently. */
  findCrashed(owner: string, id: string | undefined): OpeningSession | undefined
  redactorsOf(owner: string): readonly Redactor[]
  /** Resolves when the session's resources are released, to a text about its server; undefined if they are not being released. */
  releaseOf(id: string): Promise<Outcome<string>> | undefined
  /** Resolves when no session is left. No further one may be added. */
  drain(): Promise<void>
  isDraining(): boolean
  /** Closes every session; dev servers get `graceMs` milliseconds to exit. Resolves when all resources are released. */
  end(graceMs: number): Promise<void>
}

export function createSessionRegistry(
  { clock }: Pick<SessionPorts, 'clock'>,
  { maxSessions, onEvent }: SessionManagerOptions,
): SessionRegistry {
  const sessions = new Map<string, OpeningSession>()
  // The last ones, for the evidence of calls that come after the crash.
  const crashedSessions = createBoundedMap<string, OpeningSession>(CRASHED_SESSION_LIMIT)
  const releases = new Map<string, Promise<Outcome<string>>>()
  const store = createStore(createSessionsState(maxSessions, clock()), clock, perform)
  const watchers = createSessionWatchers()
  const drain = createDrain(() => store.get().byId.size)
  let serverGraceMs: number | undefined

  function perform({ id, cause }: SessionEffect): void {
    const session = sessions.get(id)
    if (!session) return store.send({ type: 'released', id })
    if (reasonOf(cause) === 'BROWSER_CRASHED') crashedSessions.set(id, session)
    releases.set(id, release(id, session))
    watchers.notify(session.owner)
    if (cause !== 'failed') onEvent({ event: 'session_ended', sessionId: id, reason: reasonOf(cause) })
  }

  async function release(id: string, session: OpeningSession): Promise<Outcome<string>> {
    const outcome = await session.close(serverGraceMs).catch((): Outcome<string> => ok(''))
    sessions.delete(id)
    releases.delete(id)
    store.send({ type: 'released', id })
    drain.check()
    return outcome
  }

  return {
    store,
    watchers,
    add: (id, session) => void sessions.set(id, session),
    find: (id) => sessions.get(id),
    findCrashed(owner, id) {
      const session = id === undefined ? undefined : crashedSessions.get(id)
      return session?.owner === owner ? session : undefined
    },
    redactorsOf: (owner) =>
      sessionsOf(store.get(), owner).flatMap(({ id }) => sessions.get(id)?.redactor ?? []),
    releaseOf: (id) => releases.get(id),
    isDraining: drain.hasBegun,
    drain: drain.begin,
    async end(graceMs) {
      serverGraceMs = graceMs
      for (const id of store.get().byId.keys()) store.send({ type: 'close', id })
      await Promise.all(releases.values())
    },
  }
}

// --- internal ---

// Holds the mutable state of all sessions. `send` assigns the new state and sets the expiry timer before it performs the effects, so an
// effect may call `send` again.
interface Store {
  get(): SessionsState
  send(event: WithoutTime<SessionEvent>): void
}

function createStore(initial: SessionsState, clock: Clock, perform: (effect: SessionEffect) => void): Store {
  let state = initial
  const expiryTimer = createExpiryTimer(clock, () => store.send({ type: 'ticked' }))
  const store: Store = {
    get: () => state,
    send(event) {
      const [next, effects] = transition(state, { ...event, at: clock() } as SessionEvent)
      state = next
      expiryTimer.arm(nextWakeTimeOf(state))
      effects.forEach(perform)
    },
  }
  return store
}

interface Drain {
  begin(): Promise<void>
  hasBegun(): boolean
  /** Is called when a session has been released. */
  check(): void
}

function createDrain(countSessions: () => number): Drain {
  const drained = createDeferred()
  let hasBegun = false
  const check = (): void => {
    if (hasBegun && countSessions() === 0) drained.resolve()
  }
  return {
    begin() {
      hasBegun = true
      check()
      return drained.promise
    },
    hasBegun: () => hasBegun,
    check,
  }
}

interface SessionWatchers {
  watch(owner: string, listener: () => void): () => void
  notify(owner: string): void
}

function createSessionWatchers(): SessionWatchers {
  const entries = new Set<{ owner: string; listener: () => void }>()
  return {
    watch(owner, listener) {
      const entry = { owner, listener }
      entries.add(entry)
      return () => entries.delete(entry)
    },
    notify(owner) {
      for (const entry of entries) if (entry.owner === owner) entry.listener()
    },
  }
}
