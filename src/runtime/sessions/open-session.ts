import { race } from '../calls/deadline.ts'
import { createDeferred } from '../calls/deferred.ts'
import type { ReadyResources, SessionResources } from '../resources/session-resources.ts'
import type { OpenSession } from '../ports/open-session.ts'
import { isServerFailure } from '../../core/evidence/action-effects.ts'
import type { JournalEntry } from '../../core/session/journal.ts'
import type { Session } from '../../core/session/session.ts'

const TITLE_TIMEOUT_MS = 500
const REPORT_TIMEOUT_MS = 2000
const MOST = 1000

// Milliseconds in which a server that failed to serve a request says why, or ends.
const SERVER_LINE_MS = 250

/** A session as tools see it. */
export function openSessionOf(
  record: Session,
  resources: SessionResources,
  { page, server }: ReadyResources,
): OpenSession {
  const { journal, network, lastSnapshot, folder, redactor } = resources
  return {
    record,
    journal,
    network,
    lastSnapshot,
    folder,
    server,
    get url() {
      return page.url()
    },
    async title() {
      const [{ title = '' }, isReported] = await Promise.all([
        page.viewFailure({ maximumPixels: 0 }, TITLE_TIMEOUT_MS),
        page.isReported(TITLE_TIMEOUT_MS),
      ])
      return isReported ? title : ''
    },
    redact: redactor.redactText,
    isReported: () => page.isReported(REPORT_TIMEOUT_MS),
    dialog: () => page.dialog(),
    pageEvents() {
      const { entries } = journal.read({ kinds: ['page'], since: resources.reportedSeq, limit: 20 })
      resources.reportedSeq = entries.at(-1)?.seq ?? resources.reportedSeq
      return entries.map(({ text }) => text)
    },
    async incidents() {
      server?.sync()
      const since = resources.incidentSeq
      const read = () => journal.read({ kinds: ['console', 'request', 'server'], since, limit: MOST }).entries
      if (server && !server.ended()) await serverLine(resources, read())
      resources.incidentSeq = journal.lastSeq()
      return read()
    },
  }
}

// A failed request may reach us before what the server printed about it, or before its end.
async function serverLine({ journal }: SessionResources, entries: readonly JournalEntry[]): Promise<void> {
  if (!entries.some(isServerFailure)) return
  const isRefused = entries.some((entry) => isServerFailure(entry) && !/→ \d+$/.test(entry.text))
  const isLine = ({ kind, level }: JournalEntry) => kind === 'server' && (!isRefused || level === 'error')
  if (entries.some(isLine)) return
  const since = journal.lastSeq()
  const printed = createDeferred()
  const unwatch = journal.watch(['server'], () => {
    const { entries: lines } = journal.read({ kinds: ['server'], since, limit: 1, accept: isLine })
    if (lines.length > 0) printed.resolve()
  })
  await race(SERVER_LINE_MS, [], () => printed.promise)
  unwatch()
}
