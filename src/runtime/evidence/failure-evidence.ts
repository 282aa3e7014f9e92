// Gathers the evidence of a failure within a second and with size limits. A part that cannot be gathered never hides the failure: the
// reason is in `missing`. Only a trace may take longer: it was asked for, and writing it keeps the page from answering anything else.

import type { Clock } from '../clock.ts'
import { createDeadline, race } from '../calls/deadline.ts'
import { readChanges } from '../calls/describe-changes.ts'
import { ageOf, isRequestOf, oneLine, repeatsRequest, timelineLineOf } from './evidence-lines.ts'
import { locateConsole } from './error-source.ts'
import { collectSources } from './source-evidence.ts'
import { requestLinesOf } from './request-lines.ts'
import { isBrowserErrorPage, saveFailureTrace, viewPage, type EvidenceRequest } from './page-view.ts'
import { collectServerPart } from './server-part.ts'
import type { FailureView, OwnedPage } from '../ports/browsers.ts'
import type { Artifact } from '../ports/files.ts'
import type { Image } from '../ports/page/screenshots.ts'
import type { Evidence, ScreenshotFile } from '../ports/session-manager.ts'
import type { SessionResources } from '../resources/session-resources.ts'
import { summarizeError } from '../../core/evidence/error-lines.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import type { JournalEntry } from '../../core/session/journal.ts'

const PART_TIMEOUT_MS = 900
// Of a page that answers. The trace of one that does not may never be written.
const TRACE_TIMEOUT_MS = 30_000
const CHANGES_LIMIT_CHARS = 800
const URL_LIMIT_CHARS = 300
const TITLE_LIMIT_CHARS = 100
const CONSOLE_ERROR_LIMIT = 5
const REQUEST_LIMIT = 5
const TIMELINE_LIMIT = 6

/** The evidence of a failure that has just happened; undefined if the mode is `none` or the session is not open. */
export async function gatherEvidence(
  resources: SessionResources,
  failure: Failure,
  request: EvidenceRequest,
  clock: Clock,
): Promise<Evidence | undefined> {
  if (request.mode === 'none') return undefined
  const ready = await Promise.race([resources.ready, Promise.resolve(undefined)])
  if (!ready?.ok) return undefined
  const now = clock()
  const { page } = ready.value
  ready.value.server?.sync()
  const [view, isReported, server, changes] = await Promise.all([
    viewPage(page, failure, request, PART_TIMEOUT_MS),
    page.isReported(PART_TIMEOUT_MS),
    collectServerPart(ready.value, resources, now, PART_TIMEOUT_MS),
    request.changesPage && !isBrowserErrorPage(failure, page)
      ? collectChanges(page, resources, clock, !request.omitsChanges)
      : '',
    locateConsole(resources, PART_TIMEOUT_MS),
  ])
  const traceTimeoutMs = isReported ? TRACE_TIMEOUT_MS : PART_TIMEOUT_MS
  const trace = await saveFailureTrace(resources, page, traceTimeoutMs)
  const image = isReported ? view.image : undefined
  const file = image && (await resources.images.save(image))
  const missing = collectMissingParts(view, file, trace, traceTimeoutMs)
  resources.incidentSeq = resources.journal.lastSeq()
  if (!isReported) return withholdPage(page, failure, { ...server, missing }, resources)
  const { timeline, ...journal } = await collectJournalPart(page, failure, resources, now, server)
  const isPageReported = page.url() === resources.reportedUrl
  resources.reportedUrl = page.url()
  return omitEmptyParts({
    ...collectPagePart(page, failure, view, resources),
    ...(changes && { changes }),
    ...(isPageReported && { isPageReported }),
    ...server,
    ...journal,
    ...(await collectSources(view, page.url(), resources)),
    timeline,
    missing,
    ...(trace && trace !== 'late' && { trace }),
    ...(image && file?.ok && { screenshot: pictureFileOf(file.value, image) }),
    ...(image && { image }),
  })
}

// What the attempt of the failed call changed on the page; empty if nothing is known.
async function collectChanges(
  page: OwnedPage,
  { lastSnapshot }: SessionResources,
  clock: Clock,
  isSeen: boolean,
): Promise<string> {
  if (!lastSnapshot.isRecorded) return ''
  const read = async (signal: AbortSignal) => {
    const deadline = createDeadline(PART_TIMEOUT_MS, signal, clock)
    await page.settle(deadline)
    return readChanges(page, { lastSnapshot }, deadline, CHANGES_LIMIT_CHARS, { isSeen })
  }
  const reading = await race(PART_TIMEOUT_MS, [], (signal) => read(signal).catch(() => undefined))
  return ('value' in reading && reading.value?.changes) || ''
}

const collectMissingParts = (
  { missing }: FailureView,
  file: Outcome<Artifact> | undefined,
  trace: Artifact | 'late' | undefined,
  traceTimeoutMs: number,
): Readonly<Record<string, string>> => ({
  ...missing,
  ...(file?.ok === false && { screenshot: 'no disk space for its file' }),
  ...(trace === 'late' && { trace: `not written within ${traceTimeoutMs} ms` }),
})

function collectPagePart(
  page: OwnedPage,
  failure: Failure,
  { title }: FailureView,
  { redactor }: SessionResources,
): Pick<Evidence, 'page'> {
  if (isBrowserErrorPage(failure, page)) return {}
  const url = oneLine(redactor.redactText(page.url()), URL_LIMIT_CHARS)
  return {
    page: {
      url,
      ...(title !== undefined && { title: oneLine(redactor.redactText(title), TITLE_LIMIT_CHARS) }),
    },
  }
}

// The console, the requests and what else happened since the last successful action.
async function collectJournalPart(
  page: OwnedPage,
  failure: Failure,
  resources: SessionResources,
  now: number,
  { stdout = [] }: Pick<Evidence, 'stdout'>,
): Promise<Required<Pick<Evidence, 'console' | 'requests' | 'timeline'>>> {
  const { journal, evidenceSeq, redactor } = resources
  const read = (
    kinds: readonly JournalEntry['kind'][],
    limit: number,
    accept: (entry: JournalEntry) => boolean,
  ) => journal.read({ kinds, since: evidenceSeq, limit, accept }).entries
  const errors = read(
    ['console'],
    CONSOLE_ERROR_LIMIT,
    (entry) => entry.level === 'error' && !repeatsRequest(entry),
  )
  const requests = read(
    ['request'],
    REQUEST_LIMIT,
    (entry) => entry.level !== 'info' && !isRequestOf(failure, entry),
  )
  // The caller knows its own actions and what they loaded; the errors of console and requests, and stderr, have lists of their own.
  const isNowhereElse = ({ kind, level, text }: JournalEntry) =>
    kind === 'server' ? level === 'info' && !stdout.some((line) => line.includes(text)) : level !== 'error'
  const timeline = read(['page', 'console', 'server'], TIMELINE_LIMIT, isNowhereElse)
  const redactEntry = (entry: JournalEntry) => ({ ...entry, text: redactor.redactText(entry.text) })
  return {
    console: errors.map((entry) => `${ageOf(entry, now)} ${summarizeError(redactor.redactText(entry.text))}`),
    requests: await requestLinesOf(requests, page, resources, now),
    timeline: timeline.map((entry) => timelineLineOf(redactEntry(entry), now)),
  }
}

// The page did not report its secret fields: its data is omitted, with the reason.
function withholdPage(
  page: OwnedPage,
  failure: Failure,
  common: Evidence,
  resources: SessionResources,
): Evidence {
  const reason = `omitted: the page did not report its secret fields within ${PART_TIMEOUT_MS} ms`
  return omitEmptyParts({
    ...collectPagePart(page, failure, { missing: {} }, resources),
    ...common,
    missing: { ...common.missing, console: reason, requests: reason, timeline: reason },
  })
}

const pictureFileOf = ({ path, resource }: Artifact, { width, height }: Image): ScreenshotFile => ({
  path,
  resource,
  width,
  height,
})

// Omits empty lists and records.
function omitEmptyParts(evidence: Evidence): Evidence {
  const isFilled = (part: unknown) =>
    typeof part !== 'object' || part === null || Object.keys(part).length > 0
  return Object.fromEntries(Object.entries(evidence).filter(([, part]) => isFilled(part)))
}
