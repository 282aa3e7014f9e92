// The session manager: finds the session of a key, creates and closes sessions, and runs calls on them.

import { createCallQueue } from '../calls/call-queue.ts'
import { runOnPage, runOnSession, runPageTool } from '../calls/run-call.ts'
import type { CallSteps, ResolvedSession } from '../calls/session-call.ts'
import { createEvidenceCache } from '../evidence/evidence-cache.ts'
import { createMemoryWatch } from '../memory/memory-limit.ts'
import { closeSession, createSession } from './create-session.ts'
import { keyOf, requireOnlySession } from './require-session.ts'
import { createImplicitSessions } from './implicit-session.ts'
import { defaultTimeout, type SessionManagerOptions } from './session-policy.ts'
import { createSessionRegistry, type SessionRegistry } from './session-registry.ts'
import { combineRedactors } from '../resources/session-redactor.ts'
import type { SessionPorts } from '../resources/session-resources.ts'
import type { ClosableSessionManager, SessionManager } from '../ports/session-manager.ts'
import type { ToolCall } from '../ports/tool-call.ts'
import type { Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import { endReasonOf, findSession, sessionsOf, type Session } from '../../core/session/session.ts'

export function createSessionManager(
  ports: SessionPorts,
  options: SessionManagerOptions,
): ClosableSessionManager {
  const registry = createSessionRegistry(ports, options)
  const { store } = registry
  const factory = { registry, ports, options, memory: ports.memory ?? createMemoryWatch() }
  const evidence = createEvidenceCache(options.evidence, ports.clock)
  const queue = createCallQueue()
  const create: SessionManager['create'] = (...request) => createSession(factory, ...request)
  // Over HTTP without authentication a client that knows a full session id may use the session.
  const ownerOf = (owner: string, key: string | undefined): string =>
    (options.handles && key && store.get().byId.get(key)?.owner) || owner
  const resourcesOf = (owner: string, key: string | undefined) =>
    registry.resourcesOf(ownerOf(owner, key), key === undefined ? key : keyOf(registry, owner, key))
  const steps: CallSteps = {
    resolveSession: createResolver(registry, options, create, ownerOf),
    countCall: (session, work) => countCall(registry, session, work),
    timeoutOf: (session, kind) => defaultTimeout(session, kind, options),
    explain: evidence.explain,
    endReasonOf: ({ id, owner }) => endReasonOf(store.get(), owner, id),
    queue,
    clock: ports.clock,
  }
  return {
    create,
    close: (owner, key) =>
      closeSession(factory, ownerOf(owner, key), key === undefined ? key : keyOf(registry, owner, key)),
    list: (owner) => sessionsOf(store.get(), owner),
    count: () => store.get().byId.size,
    calls: queue.total,
    watch: registry.watchers.watch,
    runOnPage: (call, body) => runOnPage(steps, call, body),
    runPageTool: (call, body) => runPageTool(steps, call, body),
    runOnSession: (call, body) => runOnSession(steps, call, body),
    evidence: (owner, key, failure, pixels) => evidence.get(resourcesOf(owner, key), failure, pixels),
    redactor: (owner, key) =>
      key === undefined
        ? combineRedactors(registry.redactorsOf(owner), ports.redactor)
        : (resourcesOf(owner, key)?.redactor ?? ports.redactor),
    end: registry.end,
  }
}

const createResolver = (
  registry: SessionRegistry,
  { implicitSession }: SessionManagerOptions,
  create: SessionManager['create'],
  ownerOf: (owner: string, key: string | undefined) => string,
): CallSteps['resolveSession'] => {
  const implicit = createImplicitSessions()
  const { store } = registry
  return async ({ owner: caller, sessionKey, progress }: ToolCall): Promise<Outcome<ResolvedSession>> => {
    const owner = ownerOf(caller, sessionKey)
    const createFirst = () => create(owner, {}, { signal: new AbortController().signal, progress })
    const sessions = sessionsOf(store.get(), owner)
    // A call with the id of the session that is being created waits too, so that the calls run in order of arrival.
    const isOpening = ({ id, status }: Session): boolean => id === sessionKey && status === 'opening'
    const creation =
      implicitSession && (sessionKey === undefined || sessions.some(isOpening))
        ? implicit.createFirst(owner, sessions.length > 0, createFirst)
        : undefined
    const firstSession = creation && (await creation)
    if (firstSession && !firstSession.ok) return firstSession
    const key = sessionKey ?? firstSession?.value.record.id
    const session =
      key === undefined
        ? await requireOnlySession(registry, owner)
        : findSession(store.get(), owner, keyOf(registry, owner, key))
    if (!session.ok) return session
    const { id } = session.value
    const entry = registry.entryOf(id)
    if (!entry) return err({ code: 'SESSION_NOT_FOUND', sessionId: id })
    return ok({ record: session.value, resources: entry.resources, endSignal: entry.stop.signal })
  }
}

// The session is read again after the call is counted, because that changes its expiry.
async function countCall<T>(
  { store }: SessionRegistry,
  session: ResolvedSession,
  work: (session: ResolvedSession) => Promise<T>,
): Promise<T> {
  const { id } = session.record
  store.send({ type: 'called', id })
  try {
    return await work({ ...session, record: store.get().byId.get(id) ?? session.record })
  } finally {
    store.send({ type: 'answered', id })
  }
}
