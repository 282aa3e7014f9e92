import { race } from '../calls/deadline.ts'
import { createDeferred } from '../calls/deferred.ts'
import { readFreshness } from '../freshness/read-freshness.ts'
import { waitUntilFresh } from '../freshness/wait-until-fresh.ts'
import type { ReadyResources, SessionResources } from '../resources/session-resources.ts'
import type { OpenSession } from '../ports/open-session.ts'
import type { OwnedServer } from '../ports/servers.ts'
import { isServerFailure } from '../../core/evidence/action-effects.ts'
import type { JournalEntry } from '../../core/session/journal.ts'
import { SECRETS_REPORT_TIMEOUT_MS } from '../../core/redaction/page-secrets.ts'
import type { Session } from '../../core/session/session.ts'

const TITLE_TIMEOUT_MS = 500
const INCIDENT_LIMIT = 1000
const PAGE_EVENT_LIMIT = 20

// A server that failed to serve a request prints the reason a little later.
const SERVER_LINE_TIMEOUT_MS = 250
// One that refuses connections usually ends.
const SERVER_EXIT_TIMEOUT_MS = 1000

/** A session as tools see it. */
export function openSessionOf(
  record: Session,
  resources: SessionResources,
  { page, server }: ReadyResources,
): OpenSession {
  const { journal, network, mocks, lastSnapshot, folder, namedState, sources, redactor } = resources
  const freshness = () => readFreshness(server, resources, page.url())
  return {
    record,
    journal,
    network,
    mocks,
    lastSnapshot,
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
    async takeIncidents() {
      server?.sync()
      const since = resources.incidentSeq
      const readIncidents = () =>
        journal.read({ kinds: ['console', 'request', 'server'], since, limit: INCIDENT_LIMIT }).entries
      if (server && !server.exitReason()) await waitForServerLine(resources, server, readIncidents())
      resources.incidentSeq = journal.lastSeq()
      return locateErrors(sources, readIncidents())
    },
  }
}

// Effects have errors only.
async function locateErrors(
  sources: OpenSession['sources'],
  entries: readonly JournalEntry[],
): Promise<readonly JournalEntry[]> {
  const errors = entries.filter(({ kind, level }) => kind === 'console' && level === 'error')
  if (errors.length === 0) return entries
  const errorsWithSource = await sources.locateEntries(errors)
  return entries.map((entry) => errorsWithSource[errors.indexOf(entry)] ?? entry)
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
  const isLine = ({ kind, level }: JournalEntry) =>
    kind === 'server' && (connectionFailures.length === 0 || level === 'error')
  if (!isEnding && entries.some(isLine)) return
  const since = journal.lastSeq()
  const isComplete = () =>
    isEnding
      ? server.exitReason() !== undefined
      : journal.read({ kinds: ['server'], since, limit: 1, accept: isLine }).entries.length > 0
  const completion = createDeferred()
  const unwatch = journal.watch(['server'], () => isComplete() && completion.resolve())
  await race(isEnding ? SERVER_EXIT_TIMEOUT_MS : SERVER_LINE_TIMEOUT_MS, [], () => completion.promise)
  unwatch()
}
