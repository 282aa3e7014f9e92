import { readFreshness, waitUntilFresh } from './read-freshness.ts'
import type { ReadyResources, SessionResources } from './session-resources.ts'
import type { OpenSession } from '../ports/open-session.ts'
import { SECRETS_REPORT_TIMEOUT_MS } from '../../core/redaction/page-secrets.ts'
import type { Session } from '../../core/session/session.ts'
import { createDeferred } from '../system/settle-within.ts'
import { race } from '../system/deadline.ts'
import type { OwnedServer } from '../ports/servers.ts'
import { repeatsRequest } from './evidence-lines.ts'
import { isServerFailure } from '../../core/evidence/action-effects.ts'
import { isErrorLine } from '../../core/evidence/error-lines.ts'
import type { JournalEntry } from '../../core/session/journal.ts'

const TITLE_TIMEOUT_MS = 500
const PAGE_EVENT_LIMIT = 20

/** A session as tools see it. */
export function openSessionOf(
  record: Session,
  resources: SessionResources,
  { page, server }: ReadyResources,
): OpenSession {
  const { request, journal, network, logPositions, mocks, lastSnapshot, recording } = resources
  const { folder, namedState, sources, redactor } = resources
  const freshness = (isLoaded = false) => readFreshness(server, resources, page.url(), isLoaded)
  return {
    record,
    request,
    journal,
    network,
    logPositions,
    mocks,
    lastSnapshot,
    recording,
    folder,
    namedState,
    sources,
    server,
    get url() {
      return page.url()
    },
    freshness,
    waitUntilFresh: (deadline) => waitUntilFresh(freshness, deadline),
    async title() {
      const [{ title = '' }, isReported] = await Promise.all([
        page.viewFailure({ maximumPixels: 0 }, TITLE_TIMEOUT_MS),
        page.isReported(TITLE_TIMEOUT_MS),
      ])
      return isReported ? title : ''
    },
    redact: redactor.redactText,
    redactor,
    isReported: () => page.isReported(SECRETS_REPORT_TIMEOUT_MS),
    dialog: () => page.dialog(),
    takePageEvents() {
      const { entries } = journal.read({
        kinds: ['page'],
        since: resources.reportedSeq,
        limit: PAGE_EVENT_LIMIT,
      })
      resources.reportedSeq = entries.at(-1)?.seq ?? resources.reportedSeq
      return entries.map(({ text }) => text)
    },
    get reportedUrl() {
      return resources.reportedUrl
    },
    reportUrl(url) {
      const previousUrl = resources.reportedUrl
      resources.reportedUrl = url
      return previousUrl
    },
    takeIncidents: () => takeIncidents(resources, server),
  }
}

// --- internal ---

// The console messages, requests and server lines that a result reports, each once.
const INCIDENT_LIMIT = 1000

// A server that failed to serve a request prints the reason a little later.
const SERVER_LINE_TIMEOUT_MS = 250
// The source of an error that an action caused is what its answer is read for; a source map of some megabytes is parsed first.
const LOCATE_TIMEOUT_MS = 1500
// One that refuses connections usually ends; an error page loads its scripts first.
const SERVER_EXIT_TIMEOUT_MS = 2000

/** The entries since the last call of this function or the last evidence; errors have their positions in source files. */
async function takeIncidents(
  resources: SessionResources,
  server: OwnedServer | undefined,
): Promise<readonly JournalEntry[]> {
  const { journal, sources } = resources
  server?.sync()
  const since = resources.incidentSeq
  const readIncidents = () =>
    journal.read({ kinds: ['console', 'request', 'server'], since, limit: INCIDENT_LIMIT }).entries
  if (server && !server.exitReason()) await waitForServerLine(resources, server, readIncidents())
  resources.incidentSeq = journal.lastSeq()
  return shortenPaths(await locateErrors(sources, readIncidents()), server)
}

// Effects have errors only.
async function locateErrors(
  sources: OpenSession['sources'],
  entries: readonly JournalEntry[],
): Promise<readonly JournalEntry[]> {
  const errors = entries.filter(
    ({ kind, level, data }) =>
      (kind === 'console' && level === 'error') || (kind === 'request' && data?.['stack'] !== undefined),
  )
  if (errors.length === 0) return entries
  const errorsWithSource = await sources.locateEntries(errors, LOCATE_TIMEOUT_MS)
  return entries.map((entry) => errorsWithSource[errors.indexOf(entry)] ?? entry)
}

// The server names its files by absolute paths, in errors that a failed request reports.
function shortenPaths(
  entries: readonly JournalEntry[],
  server: OwnedServer | undefined,
): readonly JournalEntry[] {
  if (!entries.some(isServerFailure)) return entries
  const folder = server?.code?.()?.folder
  if (folder === undefined) return entries
  return entries.map((entry) =>
    entry.kind === 'server' ? { ...entry, text: entry.text.replaceAll(`${folder}/`, '') } : entry,
  )
}

// A failed request may be recorded before the output of the server about it, or before the end of the server.
async function waitForServerLine(
  { journal }: SessionResources,
  server: OwnedServer,
  entries: readonly JournalEntry[],
): Promise<void> {
  const failures = entries.filter(isServerFailure)
  if (failures.length === 0) return
  const connectionFailures = failures.filter(({ data }) => data?.['status'] === undefined)
  const { origin } = new URL(server.info().url)
  const isEnding = connectionFailures.some(({ text }) => text.includes(`${origin}/`))
  const isPage = failures.some(({ data }) => data?.['type'] === 'document')
  // An error page may print its error in the browser only.
  const isLine = ({ kind, level, text }: JournalEntry) =>
    kind === 'server'
      ? level === 'error' || (connectionFailures.length === 0 && isErrorLine(text))
      : isPage && kind === 'console' && level === 'error' && !repeatsRequest({ kind, text })
  if (!isEnding && entries.some(isLine)) return
  const since = journal.lastSeq()
  const isComplete = () =>
    isEnding
      ? server.exitReason() !== undefined
      : journal.read({ kinds: ['server', 'console'], since, limit: 1, accept: isLine }).entries.length > 0
  const completion = createDeferred()
  const unwatch = journal.watch(['server', 'console'], () => isComplete() && completion.resolve())
  await race(
    isEnding || isPage ? SERVER_EXIT_TIMEOUT_MS : SERVER_LINE_TIMEOUT_MS,
    [],
    () => completion.promise,
  )
  unwatch()
}
