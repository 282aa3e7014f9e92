// The session manager: finds the session of a key, creates and closes sessions, and runs calls on them.

import { categoryOf, type Failure, type Outcome } from '../base/failure.ts'
import type { NamedState, NamedStates } from '../base/files/files.ts'
import { err, map, ok } from '../base/result.ts'
import { failWhenAborted } from '../base/system/race-deadline.ts'
import { clip } from '../base/text/clip.ts'
import type { Evidence } from '../tool/evidence.ts'
import type { Caller, ToolCall } from '../tool/tool-call.ts'
import { createCallQueue } from './call/call-queue.ts'
import { addReport, refuseCall, runOnPage, runOnSession, runPageTool } from './call/run-call.ts'
import { checkMemory, createMemoryWatch } from './memory-limit.ts'
import { openSession } from './open-session.ts'
import { defaultTimeout, draftOf, openingEvents, withDefaults } from './session-creation.ts'
import { combineRedactors } from './session-redactor.ts'
import { createSessionRegistry, type SessionRegistry } from './session-registry.ts'
import { formatSessionName } from './store/session-name.ts'
import {
  checkAdmission,
  endReasonOf,
  findOnlySession,
  findSession,
  type Session,
  sessionsOf,
} from './store/session.ts'
import type { CallSteps } from './types/call-steps.ts'
import type { OpenSession, SessionRequest } from './types/open-session.ts'
import type { MemoryWatch, OpeningSession, SessionPorts } from './types/owned-session.ts'
import type { FailedCall } from './types/session-feature.ts'
import type { ClosableSessionManager, SessionManager, SessionSearch } from './types/session-manager.ts'
import type { SessionManagerOptions } from './types/session-options.ts'

export function createSessionManager(
  ports: SessionPorts,
  options: SessionManagerOptions,
): ClosableSessionManager {
  const registry = createSessionRegistry(ports, options)
  const { store } = registry
  const factory = { registry, ports, options, memory: ports.memory ?? createMemoryWatch() }
  const queue = createCallQueue()
  const create: SessionManager['create'] = (...request) => createSession(factory, ...request)
  // Over HTTP without authentication a client that knows a full session id may use the session.
  const ownerOf = (owner: string, key: string | undefined): string =>
    (options.handles && key && store.get().byId.get(key)?.owner) || owner
  // A call on a session that has crashed gets the evidence of that.
  const reportCrash = <T>(outcome: Outcome<T>, call: Pick<ToolCall, 'owner' | 'sessionKey'>) => {
    const session = outcome.ok ? undefined : registry.findCrashed(call.owner, call.sessionKey)
    return session ? addReport(steps, outcome, session, { ...call, changesPage: false }) : outcome
  }
  const find: SessionManager['find'] = (owner, key) => findOpening(registry, ownerOf(owner, key), key)
  const search = createSearch(registry, options, create, ownerOf)
  const resolve: SessionManager['resolve'] = async (call) => reportCrash(await search(call), call)
  const steps: CallSteps = {
    resolveSession: resolve,
    countCall: (session, work) => countCall(registry, session, work),
    timeoutOf: (session, kind) => defaultTimeout(session, kind, options),
    gatherEvidence,
    endReasonOf: ({ id, owner }) => endReasonOf(store.get(), owner, id),
    queue,
    clock: ports.clock,
  }
  const openings = (owner?: string) => listOpenings(registry, owner)
  const extensions = (ports.features ?? []).map(({ manager }) =>
    manager?.({ steps, onEvent: options.onEvent, openings }),
  )
  const manager = {
    create,
    find,
    resolve,
    async close(owner, key) {
      const ownKey = key === undefined ? key : keyOf(registry, owner, key)
      const outcome = await closeSession(factory, ownerOf(owner, key), ownKey)
      return reportCrash(outcome, { owner, sessionKey: key })
    },
    list: (owner) => sessionsOf(store.get(), owner),
    count: () => store.get().byId.size,
    calls: queue.total,
    watch: registry.watchers.watch,
    runOnPage: (call, body) => runOnPage(steps, call, body),
    runPageTool: (call, body) => runPageTool(steps, call, body),
    runOnSession: (call, body) => runOnSession(steps, call, body),
    redactor: (owner, key) =>
      key === undefined
        ? combineRedactors(registry.redactorsOf(owner), ports.redactor)
        : ((find(owner, key) ?? registry.findCrashed(owner, key))?.redactor ?? ports.redactor),
    drain: registry.drain,
    end: registry.end,
  } as ClosableSessionManager
  // Each feature makes the members that it declares.
  return Object.assign(manager, ...extensions)
}

/** The evidence of a failure that has just happened, to which each feature may add. */
async function gatherEvidence(
  session: OpeningSession,
  failure: Failure,
  call: FailedCall['call'],
): Promise<Evidence | undefined> {
  let evidence: Evidence | undefined
  for (const { afterFailure } of session.features)
    evidence = (await afterFailure?.({ session, failure, call, evidence })) ?? evidence
  return evidence
}

const createSearch = (
  registry: SessionRegistry,
  { implicitSession }: SessionManagerOptions,
  create: SessionManager['create'],
  ownerOf: (owner: string, key: string | undefined) => string,
): ((search: SessionSearch) => Promise<Outcome<OpeningSession>>) => {
  const implicit = createImplicitSessions()
  const { store } = registry
  return async ({ owner: caller, sessionKey, progress }) => {
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
    const opening = registry.find(id)
    return opening ? ok(opening) : err({ code: 'SESSION_NOT_FOUND', sessionId: id })
  }
}

async function countCall<T>(
  { store }: SessionRegistry,
  { record: { id } }: OpeningSession,
  work: () => Promise<T>,
): Promise<T> {
  store.send({ type: 'called', id })
  try {
    return await work()
  } finally {
    store.send({ type: 'answered', id })
  }
}

// --- internal ---

interface SessionFactory {
  readonly registry: SessionRegistry
  readonly ports: SessionPorts
  readonly memory: MemoryWatch
  readonly options: SessionManagerOptions
}

/** Creates a session with its page and its server. Fails with MAX_SESSIONS_REACHED or RESOURCE_EXHAUSTED, or as the browser or the server
 * does. */
async function createSession(
  factory: SessionFactory,
  owner: string,
  request: SessionRequest,
  { signal, progress }: Pick<Caller, 'signal' | 'progress'>,
): Promise<Outcome<OpenSession>> {
  const { registry, ports, memory, options } = factory
  const { store } = registry
  if (registry.isDraining())
    return err({ code: 'MAX_SESSIONS_REACHED', limit: 0, active: store.get().byId.size, draining: true })
  const draft = draftOf(owner, request, options)
  if (!draft.ok) return draft
  const [refusal] = (ports.features ?? []).flatMap((parts) => parts.refuseSession?.(request, ports) ?? [])
  if (refusal) return err(refusal)
  const memoryCheck = checkMemory(options, store.get(), memory)
  const beginning = stateOf(request, ports.states)
  const stateResult = beginning ? await openState(factory, owner, beginning) : ok(undefined)
  if (!stateResult.ok) return stateResult
  const namedState = stateResult.value
  const failure = (memoryCheck && (await memoryCheck)) ?? checkAdmission(store.get(), draft.value)
  if (failure) {
    await namedState?.release()
    return err(failure)
  }
  // No `await` between this check and the entry: sessions that are created concurrently are admitted one by one.
  const { id, browser } = draft.value
  store.send({ type: 'open', draft: { ...draft.value, creation: creationOf(request, namedState) } })
  const session = openSession(
    createRecordReader(store, id),
    withDefaults(withNamedState(request, namedState), options),
    ports,
    options,
    {
      onProgress: progress,
      onCrash: (crash) => store.send({ type: 'lost', id, failure: crash }),
      onServerExit: (reason) => options.onEvent({ event: 'server_ended', sessionId: id, reason }),
      sessionAt: (port) => findSessionAt(port, listOpenings(registry, owner).list(), id),
    },
    namedState,
  )
  registry.add(id, session)
  void namedState?.nameHolder(`session ${formatSessionName(session.record.name)}`)
  const openResult = await Promise.race([
    session.ready,
    failWhenAborted(session.endSignal, () => endReasonOf(store.get(), owner, id)),
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
  return map(record, () => openResult.value)
}

/** The other session whose server listens on a port. */
async function findSessionAt(port: number, sessions: readonly OpeningSession[], ownId: string) {
  for (const { record, ready } of sessions.filter((session) => session.record.id !== ownId)) {
    const openResult = await ready
    const { server, request } = openResult.ok ? openResult.value : {}
    if (!server || !(server.info().port === port || server.ports?.().includes(port))) continue
    const { command, commandPath } = request?.server ?? {}
    return { name: record.name, command: commandPath ?? [command ?? server.info().url].flat().join(' ') }
  }
  return undefined
}

/** Returns a function that reads the facts of a session, after its end the last ones. */
function createRecordReader(store: SessionRegistry['store'], id: string): () => Session {
  let record = store.get().byId.get(id)
  return () => {
    record = store.get().byId.get(id) ?? record
    if (!record) throw new Error(`session ${id} was not admitted`)
    return record
  }
}

/** What the session is created with, and the name under which its state is kept. */
const creationOf = ({ creation, restore, profile }: SessionRequest, state: NamedState | undefined) => ({
  input: {},
  omitted: [],
  ...creation,
  keptAs: state?.isSaved ? (restore ?? profile) : undefined,
})

const withNamedState = (
  request: SessionRequest,
  { state, profileFolder }: Partial<NamedState> = {},
): SessionRequest => ({
  ...request,
  ...(state && { storageState: state }),
  ...(profileFolder !== undefined && { profileFolder }),
})

/** Closes a session and waits until its resources are released. Joins a close that is in progress; a session that is closing because it
 * expired fails with SESSION_EXPIRED. */
async function closeSession(
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
  const opening = registry.find(id)
  const refusal = opening && refuseCall(opening)
  if (refusal) return refusal
  store.send({ type: 'close', id })
  return map((await registry.releaseOf(id)) ?? ok(''), (message) => ({ name, message }))
}

interface BeginningState {
  readonly name: string
  open(owner: string): Promise<Outcome<NamedState>>
}

/** The named state or the profile that a session begins with. */
function stateOf(
  { restore, profile, storageState, attach }: SessionRequest,
  states: NamedStates | undefined,
): BeginningState | undefined {
  if (!states) return undefined
  if (restore !== undefined) return { name: restore, open: (owner) => states.open(restore, owner) }
  const name = profile ?? (storageState !== undefined || attach === true ? undefined : states.defaultProfile)
  return name === undefined ? undefined : { name, open: (owner) => states.openProfile(name, owner) }
}

/** Opens it, after a session that is closing has saved it. */
async function openState(
  { registry }: SessionFactory,
  owner: string,
  { name, open }: BeginningState,
): Promise<Outcome<NamedState>> {
  const closing = [...registry.store.get().byId.values()].filter(
    (session) => session.status === 'closing' && session.owner === owner && session.creation?.keptAs === name,
  )
  await Promise.all(closing.map(({ id }) => registry.releaseOf(id)))
  return open(owner)
}

// The first call without a session id creates a session. Calls that arrive meanwhile wait for it.
interface ImplicitSessions {
  /** Creates the owner's first session, or joins its creation; undefined if the owner has a session. */
  createFirst(
    owner: string,
    hasSession: boolean,
    create: () => Promise<Outcome<OpenSession>>,
  ): Promise<Outcome<OpenSession>> | undefined
}

function createImplicitSessions(): ImplicitSessions {
  const creations = new Map<string, Promise<Outcome<OpenSession>>>()
  return {
    createFirst(owner, hasSession, create) {
      const pending = creations.get(owner)
      if (pending || hasSession) return pending
      const creation = create()
      creations.set(owner, creation)
      const remove = () => void creations.delete(owner)
      creation.then(remove, remove)
      return creation
    },
  }
}

const URL_LIMIT_CHARS = 100

/** The owner's only session. Fails with SESSION_NOT_FOUND, as the last session ended, or with INVALID_PARAMETERS that lists several. */
async function requireOnlySession(registry: SessionRegistry, owner: string): Promise<Outcome<Session>> {
  const state = registry.store.get()
  const sessions = sessionsOf(state, owner)
  const urls = sessions.length > 1 ? await readUrls(registry, sessions) : new Map<string, string>()
  return findOnlySession(state, owner, urls)
}

/** The sessions that are open, of an owner or of all. */
const listOpenings = ({ store, find }: SessionRegistry, owner?: string) => {
  const findOpen = (id: string) => {
    const record = store.get().byId.get(id)
    return record?.status === 'open' && record.owner === (owner ?? record.owner) ? find(id) : undefined
  }
  return { find: findOpen, list: () => [...store.get().byId.keys()].flatMap((id) => findOpen(id) ?? []) }
}

function findOpening(
  registry: SessionRegistry,
  owner: string,
  key: string | undefined,
): OpeningSession | undefined {
  const state = registry.store.get()
  const session =
    key === undefined
      ? findOnlySession(state, owner, new Map())
      : findSession(state, owner, keyOf(registry, owner, key))
  return session.ok ? registry.find(session.value.id) : undefined
}

/** The key as the records have it: the name of a session is trimmed at its creation, so a key with spaces around it matches too. */
function keyOf({ store }: SessionRegistry, owner: string, key: string): string {
  const name = key.trim()
  return sessionsOf(store.get(), owner).some((session) => session.name === name) ? name : key
}

// Each URL is redacted with the secrets of its own session.
async function readUrls(
  registry: SessionRegistry,
  sessions: readonly Session[],
): Promise<ReadonlyMap<string, string>> {
  const entries = await Promise.all(
    sessions.map(async ({ id, status }) => {
      const openResult = status === 'open' ? await registry.find(id)?.ready : undefined
      if (!openResult?.ok) return []
      const { url, redact } = openResult.value
      return [[id, clip(redact(url), URL_LIMIT_CHARS)] as const]
    }),
  )
  return new Map(entries.flat())
}
