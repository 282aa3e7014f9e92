// Creates and closes one session.

import { failWhenAborted } from '../calls/deadline.ts'
import { checkMemory, type MemoryWatch } from '../memory/memory-limit.ts'
import { openSessionOf } from './open-session.ts'
import { draftOf, openingEvents, withDefaults, type SessionManagerOptions } from './session-policy.ts'
import { requireOnlySession } from './require-session.ts'
import { creationOf } from './session-creation.ts'
import type { SessionRegistry } from './session-registry.ts'
import { withNamedState } from '../resources/session-state.ts'
import { openSessionResources, type SessionPorts } from '../resources/session-resources.ts'
import type { SessionRequest } from '../ports/session-request.ts'
import type { NamedState } from '../ports/named-states.ts'
import type { OpenSession } from '../ports/open-session.ts'
import type { Caller } from '../ports/tool-call.ts'
import { attachDenial } from '../../core/attach/attach-conflict.ts'
import { userProxyConflict } from '../../core/network/user-proxy.ts'
import { categoryOf } from '../../core/failures/failure-categories.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, map, ok } from '../../core/result.ts'
import { checkAdmission, findSession, endReasonOf } from '../../core/session/session.ts'

export interface SessionFactory {
  readonly registry: SessionRegistry
  readonly ports: SessionPorts
  readonly memory: MemoryWatch
  readonly options: SessionManagerOptions
}

/** Creates a session with its page and its server. Fails with MAX_SESSIONS_REACHED or RESOURCE_EXHAUSTED, or as the browser or the server
 * does. */
export async function createSession(
  factory: SessionFactory,
  owner: string,
  request: SessionRequest,
  { signal, progress }: Pick<Caller, 'signal' | 'progress'>,
): Promise<Outcome<OpenSession>> {
  const { registry, ports, memory, options } = factory
  const { store } = registry
  const draft = draftOf(owner, request, options)
  if (!draft.ok) return draft
  if (request.attach && ports.proxies.isAlwaysUsed) return err(attachDenial)
  if (request.allowedHosts && ports.proxies.hasUserProxy) return err(userProxyConflict)
  const memoryCheck = checkMemory(options, store.get(), memory)
  const stateResult =
    request.restore === undefined ? ok(undefined) : await openState(factory, owner, request.restore)
  if (!stateResult.ok) return stateResult
  const namedState = stateResult.value
  const failure = (memoryCheck && (await memoryCheck)) ?? checkAdmission(store.get(), draft.value)
  if (failure) {
    await namedState?.release()
    return err(failure)
  }
  // No `await` between this check and the entry: sessions that are created concurrently are admitted one by one.
  const { id, browser } = draft.value
  const creation = creationOf(request, namedState?.isSaved === true)
  store.send({ type: 'open', draft: { ...draft.value, creation } })
  const name = store.get().byId.get(id)?.name ?? id
  const hooks = {
    onProgress: progress,
    onCrash: (failure: Failure) => store.send({ type: 'lost', id, failure }),
    onServerExit: (reason: string) => options.onEvent({ event: 'server_ended', sessionId: id, reason }),
  }
  const fullRequest = withDefaults(withNamedState(request, namedState), options)
  const resources = openSessionResources({ id, name }, fullRequest, ports, hooks, namedState)
  const stop = new AbortController()
  registry.add(id, { stop, resources, owner })
  const endFailure = failWhenAborted(stop.signal, () => endReasonOf(store.get(), owner, id))
  const openResult = await Promise.race([
    resources.ready,
    endFailure,
    failWhenAborted(signal, () => ({ code: 'CANCELLED' })),
  ])
  if (!openResult.ok) {
    store.send({ type: 'failed', id })
    // The next session may need its place. A browser that does not start may take long to end, and a cancelled call has ended.
    if (['server', 'protocol'].includes(categoryOf(openResult.error))) await registry.releaseOf(id)
    return openResult
  }
  store.send({ type: 'opened', id, ...(openResult.value.server?.info().isOwned && { server: true }) })
  const record = findSession(store.get(), owner, id)
  registry.watchers.notify(owner)
  if (record.ok) openingEvents(id, browser, openResult.value.server).forEach(options.onEvent)
  return map(record, (session) => openSessionOf(session, resources, openResult.value))
}

/** Closes a session and waits until its resources are released. Joins a close that is in progress; a session that is closing because it
 * expired fails with SESSION_EXPIRED. */
export async function closeSession(
  { registry }: SessionFactory,
  owner: string,
  key: string | undefined,
): Promise<Outcome<{ name: string; message: string }>> {
  const { store } = registry
  // A session with a key closes without a wait, so that a call that is sent after this one finds it closed.
  const openSession =
    key === undefined ? await requireOnlySession(registry, owner) : findSession(store.get(), owner, key)
  const ownSessions = [...store.get().byId.values()].filter((session) => session.owner === owner)
  const closing = ownSessions.find(
    (session) => session.status === 'closing' && [session.id, session.name].includes(key ?? ''),
  )
  const session =
    closing && !openSession.ok && openSession.error.code === 'SESSION_NOT_FOUND' ? ok(closing) : openSession
  if (!session.ok) return session
  const { id, name } = session.value
  store.send({ type: 'close', id })
  return map((await registry.releaseOf(id)) ?? ok(''), (message) => ({ name, message }))
}

// --- internal ---

/** Opens a named state, after a session that is closing has saved it. */
async function openState(
  { registry, ports }: SessionFactory,
  owner: string,
  name: string,
): Promise<Outcome<NamedState>> {
  const closing = [...registry.store.get().byId.values()].filter(
    (session) => session.status === 'closing' && session.owner === owner && session.creation?.keptAs === name,
  )
  await Promise.all(closing.map(({ id }) => registry.releaseOf(id)))
  return ports.states.open(name, owner)
}
