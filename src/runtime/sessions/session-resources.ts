// The resources of one session: its page, its dev server, its records. They are opened and released together, the page first.

import type { Clock } from '../system/timer.ts'
import { race } from '../system/deadline.ts'
import { createDeferred, settleWithin } from '../system/settle-within.ts'
import type { MemoryWatch } from '../system/memory-limit.ts'
import type { Browsers, OwnedPage, PageHooks } from '../ports/browsers.ts'
import type { EgressProxies, EgressProxy } from '../ports/egress-proxy.ts'
import type { Files, NamedState, NamedStates, Folder } from '../ports/files.ts'
import type { OwnedServer, Servers, ServerHooks } from '../ports/servers.ts'
import type { SessionRequest, TraceMode, SharedServer } from '../ports/open-session.ts'
import type { SourceLocator } from '../ports/source-locator.ts'
import { createServerGrant, grantPage, grantServerPage, grantOwnServer } from './server-grant.ts'
import { createSessionRecords, pageHooksOf, proxyHooksOf, type SessionRecords } from './session-records.ts'
import type { RedactorPorts } from './session-redactor.ts'
import type { DevServer, ServerRequest } from '../../core/dev-server.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { Session } from '../../core/session/session.ts'
import { revealingRedactor } from '../../core/redaction/redactor.ts'
import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createSourceLocator } from '../sources/source-locator.ts'
import { parseUrl } from '../../core/text/parse-url.ts'
import type { Journal } from '../../core/session/journal.ts'

export interface SessionResources extends SessionRecords {
  /** What the session was created with, after the defaults. */
  readonly request: SessionRequest
  readonly sources: SourceLocator
  readonly trace: TraceMode
  readonly namedState: NamedState | undefined
  readonly page: Promise<Outcome<OwnedPage>>
  readonly server: Promise<Outcome<OwnedServer>> | undefined
  /** Page and server, or the failure of one of them. */
  readonly ready: Promise<Outcome<ReadyResources>>
  /** Releases everything; the text describes how the server was stopped, which gets `graceMs` milliseconds to exit. */
  release(graceMs?: number): Promise<Outcome<string>>
}

export interface ReadyResources {
  readonly page: OwnedPage
  readonly proxy: EgressProxy | undefined
  readonly server: OwnedServer | undefined
}

interface SessionHooks {
  onCrash(failure: Failure): void
  onProgress(text: string): void
  onServerExit(reason: string): void
}

export interface SessionPorts extends RedactorPorts {
  readonly browsers: Browsers
  readonly servers: Servers
  readonly files: Files
  readonly proxies: EgressProxies
  readonly memory?: MemoryWatch
  readonly states: NamedStates
  readonly clock: Clock
}

/** Starts to open the page and the server of a session request; `ready` settles when both are open or one has failed. */
export function openSessionResources(
  { id, name }: Pick<Session, 'id' | 'name'>,
  request: SessionRequest,
  ports: SessionPorts,
  hooks: SessionHooks,
  namedState?: NamedState,
): SessionResources {
  const { servers, proxies, clock } = ports
  const records = createSessionRecords(id, name, ports)
  records.redactor.learn('declared', secretsOfCredentials(request.httpCredentials))
  const { trace = 'off' } = request
  const stop = createStop(records)
  const proxy = proxies.open(request.allowedHosts, proxyHooksOf(records, clock))
  // What is opened below may report events while it opens.
  const openedPage = createDeferred<Outcome<OwnedPage>>()
  const startedServer = createDeferred<Outcome<OwnedServer> | undefined>()
  const parts = { page: openedPage.promise, server: startedServer.promise }
  const sourceParts = { ...parts, proxy, proxies, request, clock, closing: stop.signal }
  const sources = openSourceLocator(records, sourceParts)
  const pageHooks = pageHooksOf(records, clock, hooks.onCrash, sources)
  const opening = openPage(ports, request, proxy, pageHooks)
  const checkReach = proxies.createReachCheck(request.allowedHosts)
  const grantServer = createServerGrant(proxy, checkReach)
  const allowMovedServer = (moved: DevServer) => grantMovedServer(moved, parts, grantServer)
  const serverHooks = createServerHooks(records, clock, allowMovedServer, hooks)
  const starting = openServer(request, records.journal, (server) =>
    servers.start(server, serverHooks, stop.signal, checkReach),
  )
  const server = starting && grantOwnServer(starting, grantServer)
  const reopening = reopenForCertificate(opening, request, server, () =>
    openPage(ports, { ...request, ignoreHTTPSErrors: true }, proxy, pageHooks),
  )
  const page = trace === 'off' ? reopening : startTracing(reopening)
  void page.then(openedPage.resolve)
  void Promise.resolve(server).then(startedServer.resolve)
  return {
    ...records,
    request,
    sources,
    trace,
    namedState,
    page,
    server,
    ready: waitForAll(page, server, proxy, opening),
    async release(graceMs) {
      stop.abort()
      const releaseText = await releasePage(page, proxy, (openResult) =>
        saveRecords(openResult, { namedState, trace, folder: records.folder }),
      )
      const startResult = await server
      const stopResult = startResult?.ok ? await startResult.value.stop(graceMs) : ok('')
      return stopResult.ok ? ok([stopResult.value, releaseText].filter(Boolean).join(' ')) : stopResult
    },
  }
}

async function grantMovedServer(
  moved: DevServer,
  parts: {
    readonly page: Promise<Outcome<OwnedPage>>
    readonly server: Promise<Outcome<OwnedServer> | undefined>
  },
  grantServer: ReturnType<typeof createServerGrant>,
): Promise<void> {
  const [startResult, openResult] = [await parts.server, await parts.page]
  if (startResult?.ok) await grantServer(moved, startResult.value)
  if (openResult.ok) await grantPage(openResult.value, moved)
}

// What is open of the session's HAR files is closed with it.
function createStop({ mocks }: Pick<SessionRecords, 'mocks'>): AbortController {
  const stop = new AbortController()
  stop.signal.addEventListener('abort', mocks.clear, { once: true })
  return stop
}

// Together they are what a server gets, encoded as base64.
const secretsOfCredentials = (credentials: SessionRequest['httpCredentials']): readonly string[] =>
  credentials ? [credentials.password, `${credentials.username}:${credentials.password}`] : []

async function saveRecords(
  page: Outcome<OwnedPage>,
  { namedState, trace, folder }: Pick<SessionResources, 'namedState' | 'trace' | 'folder'>,
): Promise<string> {
  const stateText = namedState ? await saveNamedState(namedState, page) : ''
  const traceText = trace === 'on' && page.ok ? await saveTrace(page.value, folder) : ''
  return [stateText, traceText].filter(Boolean).join(' ')
}

const PAGE_RELEASE_TIMEOUT_MS = 5000

// The text says what was saved of it.
async function releasePage(
  page: Promise<Outcome<OwnedPage>>,
  proxy: Promise<EgressProxy | undefined>,
  save: (page: Outcome<OwnedPage>) => Promise<string>,
): Promise<string> {
  const releaseResult = await race(PAGE_RELEASE_TIMEOUT_MS, [], async () => {
    const openResult = await page
    const text = await save(openResult)
    if (!openResult.ok) return ''
    await openResult.value.release()
    const openProxy = await proxy
    openProxy?.close()
    return text
  }).catch(() => undefined)
  return releaseResult && 'value' in releaseResult ? releaseResult.value : ''
}

// The first failure ends the wait; the other parts are released with the session.
async function waitForAll(
  page: Promise<Outcome<OwnedPage>>,
  server: Promise<Outcome<OwnedServer>> | undefined,
  proxy: Promise<EgressProxy | undefined>,
  opening: Promise<Outcome<OwnedPage>>,
): Promise<Outcome<ReadyResources>> {
  const waitForFailure = async (part: Promise<Outcome<unknown>>) => {
    const outcome = await part
    return outcome.ok ? new Promise<never>(() => {}) : err(outcome.error)
  }
  const waitForParts = async () => {
    const [openResult, startResult] = [await page, await server]
    if (!openResult.ok) return openResult
    if (startResult && !startResult.ok) return startResult
    const ownedServer = startResult && (await grantServerPage(startResult.value, openResult.value))
    return ok({ page: openResult.value, server: ownedServer, proxy: await proxy })
  }
  const parts = [opening, page, ...(server ? [server] : [])]
  return Promise.race([waitForParts(), ...parts.map(waitForFailure)])
}

// --- internal ---

// Records the output and the events of a dev server in the journal of its session.
const createServerHooks = (
  { journal, redactor }: Pick<SessionRecords, 'journal' | 'redactor'>,
  clock: Clock,
  allow: (server: DevServer) => Promise<void>,
  { onProgress, onServerExit }: Pick<ServerHooks, 'onProgress'> & { onServerExit(reason: string): void },
): ServerHooks => ({
  onProgress,
  ...(redactor !== revealingRedactor && { redact: redactor.redactText }),
  onMove(current, previous) {
    const text = `The dev server moved from ${previous.url} to ${current.url}`
    journal.add({ kind: 'page', at: clock(), text, level: 'warning' })
    void allow(current)
  },
  onLine: (stream: 'stdout' | 'stderr', text: string) =>
    journal.add({ kind: 'server', at: clock(), text, level: stream === 'stderr' ? 'warning' : 'info' }),
  onExit: (reason: string) => {
    journal.add({ kind: 'server', at: clock(), text: `the dev server ${reason}`, level: 'error' })
    onServerExit(reason)
  },
})

// Opens the page of a session, behind its proxy, and accepts the certificates of its own dev server.
interface PagePorts extends RedactorPorts {
  readonly browsers: Browsers
}

/** Opens the page once its proxy is open and the redactor's rules are loaded. Fails as the browser does. */
async function openPage(
  { browsers, shapes }: PagePorts,
  request: SessionRequest,
  proxy: Promise<EgressProxy | undefined>,
  hooks: PageHooks,
): Promise<Outcome<OwnedPage>> {
  const [openProxy] = await Promise.all([proxy, shapes?.load()])
  const openResult = await browsers.open(
    openProxy ? { ...request, proxy: openProxy.address } : request,
    openProxy ? { ...hooks, ...pageProxyHooksOf(openProxy) } : hooks,
  )
  if (!openResult.ok) openProxy?.close()
  return openResult
}

const pageProxyHooksOf = ({ check, limitTransfer }: EgressProxy) => ({
  isRefused: (url: string) => check(url) !== undefined,
  limitTransfer,
})

/** Reopens the page if the session's own server uses https: certificates are accepted per context, and the URL of the server is known only
 * once it is ready. The first page is not in use by then. */
async function reopenForCertificate(
  opening: Promise<Outcome<OwnedPage>>,
  { ignoreHTTPSErrors = false, attach = false }: SessionRequest,
  server: Promise<Outcome<OwnedServer>> | undefined,
  reopen: () => Promise<Outcome<OwnedPage>>,
): Promise<Outcome<OwnedPage>> {
  const openResult = await opening
  if (!server || ignoreHTTPSErrors || attach || !openResult.ok) return openResult
  const startResult = await server
  if (!startResult.ok || !startResult.value.info().url.startsWith('https:')) return openResult
  await openResult.value.release()
  return reopen()
}

// The source locator of a session: it reads scripts from the session's page, fetches maps through the session's proxy, and shows paths in
// the folder of the session's server.
interface SourceParts {
  readonly page: Promise<Outcome<OwnedPage>>
  readonly proxy: Promise<EgressProxy | undefined>
  readonly proxies: Pick<EgressProxies, 'hasUserProxy'>
  readonly server: Promise<Outcome<OwnedServer> | undefined>
  readonly request: SessionRequest
  readonly clock: Clock
  readonly closing: AbortSignal
}

function openSourceLocator(
  { journal }: Pick<SessionRecords, 'journal'>,
  { page, proxy, proxies, server, request, clock, closing }: SourceParts,
): SourceLocator {
  const requestedFolder = resolve(request.server?.cwd ?? '.')
  let folder: Promise<string> | undefined
  return createSourceLocator({
    journal,
    closing,
    now: clock,
    async readScript(seq) {
      const openResult = await page
      return openResult.ok ? openResult.value.readScript(seq) : undefined
    },
    route: async () => ({ proxy: (await proxy)?.address, isLoopbackOnly: proxies.hasUserProxy }),
    async server() {
      const startResult = await server
      const origin = startResult?.ok ? parseUrl(startResult.value.info().url)?.origin : undefined
      if (origin === undefined) return undefined
      folder ??= realpath(requestedFolder).catch(() => requestedFolder)
      return { origin, folder: (await folder).replaceAll('\\', '/') }
    },
  })
}

// The named state of a session: loaded when it opens, saved when it closes.
export const withNamedState = (
  request: SessionRequest,
  namedState: NamedState | undefined,
): SessionRequest => (namedState?.state ? { ...request, storageState: namedState.state } : request)

// A page that hangs does not report its storage.
const CAPTURE_TIMEOUT_MS = 3000

/** Saves the state of the page and lets others save it from now on; returns a sentence about it. A state that cannot be read leaves the last
 * one. */
async function saveNamedState(
  { name, isSaved, save, release }: NamedState,
  page: Outcome<OwnedPage>,
): Promise<string> {
  try {
    if (!isSaved || !page.ok) return ''
    const state = await settleWithin(CAPTURE_TIMEOUT_MS, page.value.captureState())
    if (state === undefined || state instanceof Error || !state.ok)
      return `State ${name} was not saved, because the browser did not report it; the last one remains.`
    const result = await save(state.value)
    return result.ok ? `State ${name} is saved.` : `State ${name} could not be written; the last one remains.`
  } finally {
    await release()
  }
}

// Records and saves the trace of a session.
/** Starts a trace as soon as the page is open. Fails as the opening or the trace does. */
async function startTracing(opening: Promise<Outcome<OwnedPage>>): Promise<Outcome<OwnedPage>> {
  const openResult = await opening
  if (!openResult.ok) return openResult
  const startResult = await openResult.value.startTrace()
  if (startResult.ok) return openResult
  await openResult.value.release()
  return startResult
}

/** Stops the trace and saves it; returns a sentence with its path, or an empty string. */
async function saveTrace(page: OwnedPage, folder: Folder): Promise<string> {
  const path = await folder.reserve('trace.zip')
  if (!path.ok) return ''
  const saveResult = await page.stopTrace(path.value, 'end')
  if (saveResult.ok) return `Its trace is ${(await folder.finish(path.value)).path}.`
  await folder.remove(path.value)
  return ''
}

// The dev server of another session, for a session that replays what was done in that one.
/** The server that a session was requested with: that of another session, or one that is started now; undefined if it has none. */
const openServer = (
  { server, sharedServer }: Pick<SessionRequest, 'server' | 'sharedServer'>,
  journal: Journal,
  start: (server: ServerRequest) => Promise<Outcome<OwnedServer>>,
): Promise<Outcome<OwnedServer>> | undefined =>
  sharedServer ? Promise.resolve(ok(joinServer(sharedServer, journal))) : server && start(server)

const LINES_LIMIT = 1000

/** The server as this session uses it: its new output is in the journal of both sessions, and it does not stop with this one. */
function joinServer({ server, journal: source }: SharedServer, journal: Journal): OwnedServer {
  let lastSeq = source.lastSeq()
  const unwatch = source.watch(['server'], () => {
    const { entries } = source.read({ kinds: ['server'], since: lastSeq, limit: LINES_LIMIT })
    lastSeq = entries.at(-1)?.seq ?? lastSeq
    for (const { seq: _, ...entry } of entries) journal.add(entry)
  })
  return {
    ...server,
    async stop() {
      unwatch()
      return ok('')
    },
  }
}
