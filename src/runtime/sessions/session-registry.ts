// The open sessions with their resources; carries out the effects of the session store.

import { abortWith } from '../calls/deadline.ts'
import type { SessionPorts, SessionResources } from '../resources/session-resources.ts'
import { createCrashedSessions } from './crashed-sessions.ts'
import type { SessionManagerOptions } from './session-policy.ts'
import { createStore, type Store } from './session-store.ts'
import { createSessionWatchers, type SessionWatchers } from './session-watchers.ts'
import type { Outcome } from '../../core/failure.ts'
import type { Redactor } from '../../core/redaction/redactor.ts'
import { ok } from '../../core/result.ts'
import { createSessionsState, sessionsOf } from '../../core/session/session.ts'
import { reasonOf, type SessionEffect } from '../../core/session/transition.ts'

export interface SessionEntry {
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
  /** The resources of an owner's session by id or name, also of one whose browser crashed recently; without a key those of the only one. */
  resourcesOf(owner: string, key: string | undefined): SessionResources | undefined
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
      const sessions = sessionsOf(store.get(), owner)
      const onlySession = sessions.length === 1 ? sessions[0] : undefined
      const session =
        key === undefined ? onlySession : sessions.find(({ id, name }) => id === key || name === key)
      return (session && entries.get(session.id)?.resources) ?? crashedSessions.find(owner, key)
    },
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
