// The desk keeps what the sessions hold and performs what the store decides. Everything a tool needs around its few lines is here
// once: finding the session, its place in the queue, the deadline, cancellation, freeing a page that hangs, noting what was done.

import { aborted, stopWith } from '../calls/deadline.ts'
import { createCrashedSessions } from './crashed-sessions.ts'
import { createEvidenceCache } from '../evidence/evidence-cache.ts'
import { createImplicitSessions } from './implicit-session.ts'
import {
  defaultTimeout,
  draftOf,
  openingEvents,
  withDefaults,
  type SessionManagerOptions,
} from './session-policy.ts'
import type {
  SessionManager,
  ClosableSessionManager,
  OpenSession,
  SessionRequest,
  CallRequest,
} from '../ports/session-manager.ts'
import { createMemoryWatch, memoryRefusal } from '../memory/memory-limit.ts'
import { createQueue } from '../calls/call-queue.ts'
import { openSessionResources, type SessionResources, type SessionPorts } from './session-resources.ts'
import { openSessionOf } from './open-session.ts'
import { createStore } from './session-store.ts'
import { createSessionWatchers } from './session-watchers.ts'
import { takeTurn, type Turn } from '../calls/run-call.ts'
import {
  chooseSession,
  emptySessions,
  findSession,
  endReasonOf,
  checkAdmission,
  sessionsOf,
  type Session,
} from '../../core/session/session.ts'
import { reasonOf, type SessionEffect } from '../../core/session/transition.ts'
import { categoryOf, type Failure, type Outcome } from '../../core/failure.ts'
import { err, map, ok } from '../../core/result.ts'

interface Held {
  readonly session: Session
  readonly entry: Entry
}

interface Entry {
  readonly stop: AbortController
  readonly resources: SessionResources
  readonly owner: string
}

export function createSessionManager(
  ports: SessionPorts,
  options: SessionManagerOptions,
): ClosableSessionManager {
  const [clock, tell] = [ports.clock, options.onEvent]
  const entries = new Map<string, Entry>()
  const releases = new Map<string, Promise<Outcome<string>>>()
  const store = createStore(emptySessions(options.maxSessions, clock()), clock, perform)
  const [queue, memory] = [createQueue(), ports.memory ?? createMemoryWatch()]
  const [{ watch, changed }, departed] = [createSessionWatchers(), createCrashedSessions()]
  const [explanations, implicit] = [createEvidenceCache(options.evidence, clock), createImplicitSessions()]
  let patience: number | undefined

  function perform({ id, cause }: SessionEffect): void {
    const entry = entries.get(id)
    if (!entry) return store.send({ type: 'released', id })
    stopWith(entry.stop, 'closed')
    if (reasonOf(cause) === 'BROWSER_CRASHED') departed.keep(entry.owner, id, entry.resources)
    releases.set(id, release(id, entry))
    changed(entry.owner)
    if (cause !== 'failed') tell({ event: 'session_ended', sessionId: id, reason: reasonOf(cause) })
  }

  async function release(id: string, { resources }: Entry): Promise<Outcome<string>> {
    const outcome = await resources.release(patience).catch((): Outcome<string> => ok(''))
    entries.delete(id)
    releases.delete(id)
    store.send({ type: 'released', id })
    return outcome
  }

  async function create(
    owner: string,
    request: SessionRequest,
    { signal, progress }: Pick<CallRequest, 'signal' | 'progress'>,
  ): Promise<Outcome<OpenSession>> {
    const draft = draftOf(owner, request, options)
    if (!draft.ok) return draft
    const looking = memoryRefusal(options, store.get(), memory)
    const refused = (looking && (await looking)) ?? checkAdmission(store.get(), draft.value)
    if (refused) return err(refused)
    const { id, browser } = draft.value
    store.send({ type: 'open', draft: draft.value })
    const resources = openSessionResources(id, withDefaults(request, options), ports, {
      progress,
      lost: (failure) => store.send({ type: 'lost', id, failure }),
      serverEnded: (how) => tell({ event: 'server_ended', sessionId: id, reason: how }),
    })
    const stop = new AbortController()
    entries.set(id, { stop, resources, owner })
    const ended = aborted(stop.signal, () => whyEnded({ id, owner }))
    const opened = await Promise.race([
      resources.ready,
      ended,
      aborted(signal, () => ({ code: 'CANCELLED' })),
    ])
    if (!opened.ok) {
      store.send({ type: 'failed', id })
      if (categoryOf(opened.error) === 'server') await releases.get(id)
      return opened
    }
    store.send({ type: 'opened', id, ...(opened.value.server?.info().isOwned && { server: true }) })
    const session = findSession(store.get(), owner, id)
    changed(owner)
    if (session.ok) openingEvents(id, browser, opened.value.server).forEach(tell)
    return map(session, (one) => openSessionOf(one, resources, opened.value))
  }

  const close: SessionManager['close'] = async (owner, key) => {
    const mine = [...store.get().byId.values()].filter((session) => session.owner === owner)
    const closing = mine.find(({ status, id, name }) => status === 'closing' && (id === key || name === key))
    // One that is closing because it expired has expired; one that is being closed is joined.
    const asked = choose(owner, key)
    const found = closing && !asked.ok && asked.error.code === 'SESSION_NOT_FOUND' ? ok(closing) : asked
    if (!found.ok) return found
    const { id } = found.value
    store.send({ type: 'close', id })
    return map((await releases.get(id)) ?? ok(''), (message) => ({ id, message }))
  }

  async function onPage<T>(
    request: CallRequest,
    use: Turn<T>['use'],
    after?: Turn<T>['after'],
  ): Promise<Outcome<T>> {
    const found = await pick(request)
    if (!found.ok) return found
    return counted(found.value, (session, { resources, stop }) => {
      const timeout = request.timeout ?? defaultTimeout(session, request.timeoutKind, options)
      const turn = {
        session,
        resources,
        ended: stop.signal,
        request,
        timeout,
        use,
        after,
        explain: (failure: Failure) => explanations.explain(resources, failure, request.maximumPixels),
        whyEnded: () => whyEnded(session),
        clock,
      }
      return takeTurn(turn, queue)
    })
  }

  async function onRoom<T>(
    request: CallRequest,
    use: (session: OpenSession) => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> {
    const found = await pick(request)
    if (!found.ok) return found
    return counted(found.value, async (session, { resources }) => {
      const opened = await resources.ready
      return opened.ok ? use(openSessionOf(session, resources, opened.value)) : opened
    })
  }

  // The session is looked at again once the call is counted, because that moves its expiry.
  async function counted<T>(
    { session, entry }: Held,
    work: (session: Session, entry: Entry) => Promise<T>,
  ): Promise<T> {
    const { id } = session
    store.send({ type: 'called', id })
    try {
      return await work(store.get().byId.get(id) ?? session, entry)
    } finally {
      store.send({ type: 'answered', id })
    }
  }

  const whyEnded = ({ id, owner }: Pick<Session, 'id' | 'owner'>): Failure =>
    endReasonOf(store.get(), owner, id)
  const choose = (owner: string, key: string | undefined): Outcome<Session> =>
    chooseSession(store.get(), owner, key, options.implicitSession)

  async function pick({ owner, key, progress }: CallRequest): Promise<Outcome<Held>> {
    const make = () => create(owner, {}, { signal: new AbortController().signal, progress })
    const making = key === undefined && options.implicitSession && implicit.first(owner, hasAny(owner), make)
    const made = making && (await making)
    if (made && !made.ok) return made
    const session = choose(owner, key)
    if (!session.ok) return session
    const entry = entries.get(session.value.id)
    const { id } = session.value
    return entry ? ok({ session: session.value, entry }) : err({ code: 'SESSION_NOT_FOUND', sessionId: id })
  }

  const hasAny = (owner: string): boolean => sessionsOf(store.get(), owner).length > 0
  const roomFor = (owner: string, key: string | undefined): SessionResources | undefined => {
    const mine = sessionsOf(store.get(), owner)
    const session = mine.find(({ id, name }) => [undefined, id, name].includes(key))
    return (session && entries.get(session.id)?.resources) ?? departed.find(owner, key)
  }

  return {
    create,
    close,
    list: (owner) => sessionsOf(store.get(), owner),
    count: () => store.get().byId.size,
    calls: queue.total,
    ownerOf: (owner, key) => (options.handles && key && store.get().byId.get(key)?.owner) || owner,
    watch,
    onPage,
    onRoom,
    evidence: (owner, key, failure, pixels) => explanations.of(roomFor(owner, key), failure, pixels),
    redactor: (owner, key) => roomFor(owner, key)?.redactor ?? ports.redactor,
    async end(time) {
      patience = time
      for (const id of store.get().byId.keys()) store.send({ type: 'close', id })
      await Promise.all(releases.values())
    },
  }
}
