// Opens a session from top to bottom: its records, its proxy, what features add, its server, its page. Closing releases the page first.

import type { Outcome } from '../base/failure.ts'
import type { NamedState } from '../base/files/files.ts'
import { redactTexts } from '../base/files/session-files.ts'
import { SECRETS_REPORT_TIMEOUT_MS } from '../base/redaction/page-secrets.ts'
import { revealingRedactor } from '../base/redaction/redactor.ts'
import { err, ok } from '../base/result.ts'
import { abortWith, race } from '../base/system/race-deadline.ts'
import { createDeferred } from '../base/system/settle-within.ts'
import type { Clock } from '../base/system/timer.ts'
import { describePageEvents } from './call/action-effects.ts'
import { createToolPage } from './call/perform-action.ts'
import { takeNewEntries } from './call/take-new-entries.ts'
import { createJournal, createLogPositions, createNumbering } from './journal/journal.ts'
import { createNetworkLog } from './journal/network-log.ts'
import { openRedactor } from './session-redactor.ts'
import { grantPage, openServer, type ServerEvents } from './session-server.ts'
import type { Session } from './store/session.ts'
import type { OwnedPage, PageHooks } from './types/browsers.ts'
import type { EgressProxy, EgressProxyHooks } from './types/egress-proxy.ts'
import type { SessionRequest } from './types/open-session.ts'
import type { OpeningSession, OwnedSession, SessionPorts } from './types/owned-session.ts'
import type { OwnedServer } from './types/servers.ts'
import type { NewSession, SessionFeature } from './types/session-feature.ts'
import type { SessionManagerOptions } from './types/session-options.ts'

interface SessionEvents extends ServerEvents {
  readonly onCrash: PageHooks['onCrash']
}

/** Starts to open a session. `readRecord` returns its facts. */
export function openSession(
  readRecord: () => Session,
  request: SessionRequest,
  ports: SessionPorts,
  options: SessionManagerOptions,
  events: SessionEvents,
  namedState: NamedState | undefined,
): OpeningSession {
  const end = new AbortController()
  // What is opened below may report events while it opens.
  const ready = createDeferred<Outcome<OwnedSession>>()
  const records = createRecords(readRecord, request, ports, namedState)
  const proxy = ports.proxies.open(request.allowedHosts, proxyHooksOf(records, ports.clock))
  const { features, members } = openFeatures({
    ...records,
    ports,
    options,
    proxy,
    ready: ready.promise,
    endSignal: end.signal,
    get record() {
      return readRecord()
    },
  })
  const parts = { ...records, features, proxy, ready: ready.promise, signal: end.signal }
  const server = openServer(request, ports, parts, events)

  const hooks = pageHooksOf(records, features, ports.clock, (failure) => {
    for (const { onCrash } of features) onCrash?.(failure)
    events.onCrash(failure)
  })
  const firstPage = openPage(ports, request, proxy, hooks)
  const finalPage = reopenForCertificate(firstPage, request, server, () =>
    openPage(ports, { ...request, ignoreHTTPSErrors: true }, proxy, hooks),
  )
  const page = startPage(finalPage, features)

  // The first failure ends the wait; the other parts are released with the session.
  const failures = [firstPage, page, ...(server ? [server] : [])].map(waitForFailure)
  const opening = openAll(readRecord, { ...records, members, features, page, server, proxy })
  ready.resolve(Promise.race([opening, ...failures]))
  const session = {
    get record() {
      return readRecord()
    },
    owner: readRecord().owner,
    features,
    redactor: records.redactor,
    ready: ready.promise,
    endSignal: end.signal,
    async close(graceMs: number | undefined) {
      const outcome = await closeAll({ ...records, features, members, page, server, proxy }, end, graceMs)
      await ports.retainFiles?.(readRecord().owner, records.folder)
      return outcome
    },
  }
  // Each feature makes the members that it declares.
  return Object.assign(session, members) as OpeningSession
}

// --- internal ---

/** Releases everything. Fails as the end of the server does. */
async function closeAll(
  { features, page, proxy, server, ...records }: OpeningParts,
  end: AbortController,
  graceMs: number | undefined,
): Promise<Outcome<string>> {
  // While its page and its scripts are there, and before its requests fail with them.
  const saving = await Promise.all(features.map(({ beforeClose }) => beforeClose?.()))
  abortWith(end, 'closed')
  const savedText = await releasePage(page, proxy, features, records.namedState)
  const startResult = await server
  const stopResult = startResult?.ok ? await startResult.value.stop(graceMs) : ok('')
  const featureTexts = await Promise.all(saving.map((finish) => finish?.()))
  const texts = [stopResult.ok && stopResult.value, savedText, ...featureTexts]
  return stopResult.ok ? ok(texts.filter(Boolean).join(' ')) : stopResult
}

function openFeatures(session: NewSession): Pick<FeaturedRecords, 'features' | 'members'> {
  const features = (session.ports.features ?? []).flatMap((parts) => parts.session?.(session) ?? [])
  return { features, members: Object.assign({}, ...features.map(({ members }) => members)) }
}

const RECORD_LIMITS = { entries: 10_000, bytes: 3_000_000 }

type Records = ReturnType<typeof createRecords>

// The id and the name of a session are never redacted.
function createRecords(
  readRecord: () => Session,
  request: SessionRequest,
  ports: SessionPorts,
  namedState: NamedState | undefined,
) {
  const { id, name, owner } = readRecord()
  const redactor = openRedactor([id, name], ports)
  redactor.learn('declared', secretsOfCredentials(request.httpCredentials))
  const numbering = createNumbering()
  return {
    request,
    namedState,
    redactor,
    folder: redactTexts(ports.files.folder(id), redactor),
    journal: createJournal(RECORD_LIMITS, numbering),
    network: createNetworkLog(RECORD_LIMITS, numbering),
    logPositions: createLogPositions(numbering),
    lastSnapshot: ports.createLastSnapshot(),
    nextRef: ports.nextRef?.bind(undefined, owner),
  }
}

// Together they are what a server gets, encoded as base64.
const secretsOfCredentials = (credentials: SessionRequest['httpCredentials']): readonly string[] =>
  credentials ? [credentials.password, `${credentials.username}:${credentials.password}`] : []

const proxyHooksOf = ({ journal, network }: Records, clock: Clock): EgressProxyHooks => ({
  onDenied(url, { rule }) {
    const failure = `ACCESS_DENIED: ${rule}`
    const seq = network.start({ method: '-', url, type: 'denied' }, clock())
    network.update(seq, { state: 'failed', failure }, clock())
    journal.add({ kind: 'request', at: clock(), level: 'error', text: `${url} → ${failure}` })
  },
})

const pageHooksOf = (
  { journal, network, redactor, folder, nextRef }: Records,
  features: readonly SessionFeature[],
  clock: Clock,
  onCrash: PageHooks['onCrash'],
): PageHooks => {
  const core = {
    onCrash,
    nextRef,
    onEntry(newEntry) {
      const entry = { ...newEntry, at: clock() }
      journal.add(entry)
      for (const { onEntry } of features) onEntry?.(entry)
    },
    onRequest(start) {
      const at = clock()
      const seq = network.start(start, at)
      for (const { onRequest } of features) onRequest?.({ ...start, seq, at })
      return seq
    },
    onWebSocketFrame: (seq, frame) => network.addFrame(seq, frame, clock()),
    ...(redactor !== revealingRedactor && { secrets: redactor }),
    onRequestProgress: (seq, progress) => network.update(seq, progress, clock()),
    folder,
  } satisfies Partial<PageHooks>
  return Object.assign(core, ...features.map(({ pageHooks }) => pageHooks))
}

interface FeaturedRecords extends Records {
  readonly features: readonly SessionFeature[]
  readonly members: Partial<OwnedSession>
}

interface OpeningParts extends FeaturedRecords {
  readonly page: Promise<Outcome<OwnedPage>>
  readonly server: Promise<Outcome<OwnedServer>> | undefined
  readonly proxy: Promise<EgressProxy | undefined>
}

async function openAll(readRecord: () => Session, parts: OpeningParts): Promise<Outcome<OwnedSession>> {
  const [page, server] = [await parts.page, await parts.server]
  if (!page.ok) return page
  if (server && !server.ok) return server
  if (server) await grantPage(page.value, server.value.info())
  const proxy = await parts.proxy
  return ok(assembleSession(readRecord, { ...parts, page: page.value, server: server?.value, proxy }))
}

const TITLE_TIMEOUT_MS = 500
const PAGE_EVENT_LIMIT = 20

type AssembledParts = FeaturedRecords & Pick<OwnedSession, 'page' | 'server' | 'proxy'>

function assembleSession(
  readRecord: () => Session,
  { members, features, ...parts }: AssembledParts,
): OwnedSession {
  const { page, journal, redactor } = parts
  let reportedEventSeq = 0
  const core = {
    ...parts,
    features,
    get record() {
      return readRecord()
    },
    get url() {
      return page.url()
    },
    extensionId: page.extensionId,
    takenSeq: 0,
    evidenceSeq: 0,
    reportedUrl: 'about:blank',
    async title() {
      const [title, isReported] = await Promise.all([
        page.currentTitle(TITLE_TIMEOUT_MS),
        page.isReported(TITLE_TIMEOUT_MS),
      ])
      return isReported ? title : ''
    },
    redact: redactor.redactText,
    reportedSeq: 0,
    isReported: () => awaitReport(session),
    dialog: () => page.dialog(),
    takePageEvents(startSeq) {
      const { entries } = journal.read({ kinds: ['page'], since: reportedEventSeq, limit: PAGE_EVENT_LIMIT })
      reportedEventSeq = entries.at(-1)?.seq ?? reportedEventSeq
      return describePageEvents(entries, startSeq)
    },
    reportUrl(url) {
      const previousUrl = session.reportedUrl
      session.reportedUrl = url
      return previousUrl
    },
    summaries: async () =>
      (await Promise.all(features.map((one) => one.summarize?.()))).flatMap((line) => line ?? []),
    async locateEntries(entries, timeoutMs) {
      let result = entries
      for (const { locateEntries } of features) result = (await locateEntries?.(result, timeoutMs)) ?? result
      return result
    },
    takeNewEntries: () => takeNewEntries(session),
  } satisfies Partial<OwnedSession>
  const session = Object.assign(core, members) as OwnedSession
  for (const feature of features) Object.assign(session, feature.open?.(session))
  return Object.assign(session, { toolPage: createToolPage(session) })
}

/** A page that prints without an end is asked no longer. */
const REPORTS_LIMIT_MS = 500

// What comes while the page reports its secrets may have one that came after the report: then it reports again.
async function awaitReport(session: OwnedSession): Promise<boolean> {
  const { page, journal, server } = session
  const end = performance.now() + REPORTS_LIMIT_MS
  for (let isFirst = true; ; isFirst = false) {
    server?.sync()
    session.reportedSeq = journal.lastSeq()
    const changeCount = journal.changeCount()
    const [isReported] = await Promise.all([
      page.isReported(SECRETS_REPORT_TIMEOUT_MS),
      isFirst ? page.waitForOutput() : undefined,
    ])
    const isNew = journal.changeCount() !== changeCount
    if (!isReported || !isNew || (!isFirst && performance.now() > end)) return isReported
  }
}

/** Opens the page once its proxy is open and the redactor's rules are loaded. Fails as the browser does. */
async function openPage(
  { browsers, shapes }: Pick<SessionPorts, 'browsers' | 'shapes'>,
  request: SessionRequest,
  proxy: Promise<EgressProxy | undefined>,
  hooks: PageHooks,
): Promise<Outcome<OwnedPage>> {
  const [openProxy] = await Promise.all([proxy, shapes?.load()])
  if (!openProxy) return browsers.open(request, hooks)
  const { address, check, limitTransfer } = openProxy
  const isRefused = (url: string) => check(url) !== undefined
  const openResult = await browsers.open(
    { ...request, proxy: address },
    { ...hooks, isRefused, limitTransfer },
  )
  if (!openResult.ok) openProxy.close()
  return openResult
}

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

/** Gives the page to the features. Fails as the opening or one of them does. */
async function startPage(
  opening: Promise<Outcome<OwnedPage>>,
  features: readonly SessionFeature[],
): Promise<Outcome<OwnedPage>> {
  const openResult = await opening
  if (!openResult.ok) return openResult
  for (const feature of features) {
    const startResult = await feature.startPage?.(openResult.value)
    if (!startResult || startResult.ok) continue
    await openResult.value.release()
    return startResult
  }
  return openResult
}

async function waitForFailure(part: Promise<Outcome<unknown>>): Promise<Outcome<never>> {
  const outcome = await part
  return outcome.ok ? new Promise<never>(() => {}) : err(outcome.error)
}

const PAGE_RELEASE_TIMEOUT_MS = 5000

// The text says what was saved of it.
async function releasePage(
  page: Promise<Outcome<OwnedPage>>,
  proxy: Promise<EgressProxy | undefined>,
  features: readonly SessionFeature[],
  namedState: NamedState | undefined,
): Promise<string> {
  const releaseResult = await race(PAGE_RELEASE_TIMEOUT_MS, [], async () => {
    const openResult = await page
    if (!openResult.ok) return ''
    const texts: string[] = []
    for (const { beforeRelease } of features) texts.push((await beforeRelease?.(openResult.value)) ?? '')
    await openResult.value.release()
    const openProxy = await proxy
    openProxy?.close()
    return texts.filter(Boolean).join(' ')
  }).catch(() => undefined)
  await namedState?.release()
  return releaseResult && 'value' in releaseResult ? releaseResult.value : ''
}
