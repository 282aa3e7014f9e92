// The resources of one session: its page, its dev server, its records. They are opened and released together, the page first.

import type { Clock } from '../clock.ts'
import { race } from '../calls/deadline.ts'
import { createDeferred } from '../calls/deferred.ts'
import type { MemoryWatch } from '../memory/memory-limit.ts'
import type { Browsers, OwnedPage } from '../ports/browsers.ts'
import type { EgressProxies, EgressProxy } from '../ports/egress-proxy.ts'
import type { Files } from '../ports/files.ts'
import type { NamedState, NamedStates } from '../ports/named-states.ts'
import type { OwnedServer, Servers } from '../ports/servers.ts'
import type { SessionRequest, TraceMode } from '../ports/session-request.ts'
import type { SourceLocator } from '../ports/source-locator.ts'
import { createServerGrant, grantPage, grantServerPage, grantOwnServer } from './server-grant.ts'
import { createServerHooks } from './server-journal.ts'
import { openSourceLocator } from './session-sources.ts'
import { openPage, reopenForCertificate } from './session-page.ts'
import { createSessionRecords, pageHooksOf, proxyHooksOf, type SessionRecords } from './session-records.ts'
import type { RedactorPorts } from './session-redactor.ts'
import { openServer } from './shared-server.ts'
import { saveNamedState } from './session-state.ts'
import { saveTrace, startTracing } from './session-trace.ts'
import type { DevServer } from '../../core/dev-server.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { Session } from '../../core/session/session.ts'

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

export interface SessionHooks {
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
