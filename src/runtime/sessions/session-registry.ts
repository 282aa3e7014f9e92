// The open sessions with their resources; carries out the effects of the session store.

import { abortWith } from '../system/deadline.ts'
import type { SessionPorts, SessionResources } from './session-resources.ts'
import type { SessionManagerOptions } from './session-creation.ts'
import type { Outcome } from '../../core/failure.ts'
import type { Redactor } from '../../core/redaction/redactor.ts'
import { ok } from '../../core/result.ts'
import {
  createSessionsState,
  sessionsOf,
  nextWakeTimeOf,
  type SessionsState,
} from '../../core/session/session.ts'
import { reasonOf, type SessionEffect, transition, type SessionEvent } from '../../core/session/transition.ts'
import { createBoundedMap } from '../../core/bounded-collections.ts'
import { createExpiryTimer } from '../system/expiry-timer.ts'
import type { Clock } from '../system/timer.ts'

interface SessionEntry {
  readonly owner: string
  readonly resources: SessionResources
  /** Aborted when the session ends. */
  readonly stop: AbortController
}

export interface SessionRegistry {
  readonly store: Store
  readonly watchers: SessionWatchers
  add(id: string, entry: SessionEntry): void
  entryOf(id: string): SessionEntry | undefined
  /** The resources of an owner's session by id or name. */
  resourcesOf(owner: string, key: string): SessionResources | undefined
  /** The resources of an owner's session whose browser crashed recently. */
  crashedOf(owner: string, id: string | undefined): SessionResources | undefined
  /** The redactors of the owner's sessions. */
  redactorsOf(owner: string): readonly Redactor[]
  /** Resolves when the session's resources are released, to a text about its server; undefined if they are not being released. */
  releaseOf(id: string): Promise<Outcome<string>> | undefined
  /** Closes every session; dev servers get `graceMs` milliseconds to exit. Resolves when all resources are released. */
  end(graceMs: number): Promise<void>
}

export function createSessionRegistry(
  { clock }: Pick<SessionPorts, 'clock'>,
  { maxSessions, onEvent }: SessionManagerOptions,
): SessionRegistry {
  const entries = new Map<string, SessionEntry>()
  const releases = new Map<string, Promise<Outcome<string>>>()
  const store = createStore(createSessionsState(maxSessions, clock()), clock, perform)
  const watchers = createSessionWatchers()
  const crashedSessions = createCrashedSessions()
  let serverGraceMs: number | undefined

  function perform({ id, cause }: SessionEffect): void {
    const entry = entries.get(id)
    if (!entry) return store.send({ type: 'released', id })
    abortWith(entry.stop, 'closed')
    if (reasonOf(cause) === 'BROWSER_CRASHED') crashedSessions.add(entry.owner, id, entry.resources)
    releases.set(id, release(id, entry))
    watchers.notify(entry.owner)
    if (cause !== 'failed') onEvent({ event: 'session_ended', sessionId: id, reason: reasonOf(cause) })
  }

  async function release(id: string, { resources }: SessionEntry): Promise<Outcome<string>> {
    const outcome = await resources.release(serverGraceMs).catch((): Outcome<string> => ok(''))
    entries.delete(id)
    releases.delete(id)
    store.send({ type: 'released', id })
    return outcome
  }

  return {
    store,
    watchers,
    add: (id, entry) => void entries.set(id, entry),
    entryOf: (id) => entries.get(id),
    resourcesOf(owner, key) {
      const session = sessionsOf(store.get(), owner).find(({ id, name }) => id === key || name === key)
      return session && entries.get(session.id)?.resources
    },
    crashedOf: crashedSessions.find,
    redactorsOf: (owner) =>
      sessionsOf(store.get(), owner).flatMap(({ id }) => entries.get(id)?.resources.redactor ?? []),
    releaseOf: (id) => releases.get(id),
    async end(graceMs) {
      serverGraceMs = graceMs
      for (const id of store.get().byId.keys()) store.send({ type: 'close', id })
      await Promise.all(releases.values())
    },
  }
}

// --- internal ---

// Keeps the resources of the last sessions whose browser crashed, for the evidence of that failure.
const SESSION_LIMIT = 5

interface CrashedSessions {
  add(owner: string, id: string, resources: SessionResources): void
  find(owner: string, id: string | undefined): SessionResources | undefined
}

function createCrashedSessions(): CrashedSessions {
  const resourcesById = createBoundedMap<string, SessionResources>(SESSION_LIMIT)
  const keyOf = (owner: string, id: string) => JSON.stringify([owner, id])
  return {
    add: (owner, id, resources) => resourcesById.set(keyOf(owner, id), resources),
    find: (owner, id) => (id === undefined ? undefined : resourcesById.get(keyOf(owner, id))),
  }
}

// Holds the mutable state of all sessions. `send` assigns the new state and sets the expiry timer before it performs the effects, so an
// effect may call `send` again.
interface Store {
  get(): SessionsState
  send(event: WithoutTime<SessionEvent>): void
}

type WithoutTime<E> = E extends { at: number } ? Omit<E, 'at'> : never

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

// Notifies listeners when the sessions of an owner have changed.
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
