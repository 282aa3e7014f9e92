import { readFreshness } from '../freshness/read-freshness.ts'
import { waitUntilFresh } from '../freshness/wait-until-fresh.ts'
import { takeIncidents } from './take-incidents.ts'
import type { ReadyResources, SessionResources } from '../resources/session-resources.ts'
import type { OpenSession } from '../ports/open-session.ts'
import { SECRETS_REPORT_TIMEOUT_MS } from '../../core/redaction/page-secrets.ts'
import type { Session } from '../../core/session/session.ts'

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
