// Gathers the evidence of a failure within a second and with size limits. A part that cannot be gathered never hides the failure: the
// reason is in `missing`. Only a trace may take longer: it was asked for, and writing it keeps the page from answering anything else.

import type { Failure, Outcome } from '../../core/base/failure.ts'
import type { Artifact } from '../../core/base/files/files.ts'
import type { Image } from '../../core/base/image.ts'
import { createDeadline, race } from '../../core/base/system/race-deadline.ts'
import type { Clock } from '../../core/base/system/timer.ts'
import {
  findFailureOutput,
  isStackFrame,
  limitOutput,
  type OutputLine,
  summarizeError,
} from '../../core/base/text/error-lines.ts'
import { readableBodyOf, stripTerminalCodes } from '../../core/base/text/terminal-codes.ts'
import { readChanges } from '../../core/sessions/call/describe-changes.ts'
import { takeNews } from '../../core/sessions/call/page-news.ts'
import { repeatsRequest } from '../../core/sessions/call/take-new-entries.ts'
import type { JournalEntry } from '../../core/sessions/journal/journal.ts'
import type { Freshness } from '../../core/sessions/types/freshness.ts'
import type { OpeningSession, OwnedSession } from '../../core/sessions/types/owned-session.ts'
import type { OwnedServer } from '../../core/sessions/types/servers.ts'
import type { ElementOrigin } from '../../core/sessions/types/sources.ts'
import type { Evidence, ScreenshotFile } from '../../core/tool/evidence.ts'
import { freshnessLineOf } from '../freshness/describe-freshness.ts'
import { readFreshness } from '../freshness/read-freshness.ts'
import { createCodeFrame } from '../sources/code-frame.ts'
import { formatPosition, summarizeSource } from '../sources/element-source.ts'
import { formatSource } from '../sources/script-positions.ts'
import type { FailureView, ViewedCandidate } from './failure-view.ts'
import { type EvidenceRequest, isBrowserErrorPage, viewPage } from './page-view.ts'
import { readServerCodeFrame } from './server-code-frame.ts'

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
  { ready }: OpeningSession,
  failure: Failure,
  request: EvidenceRequest,
  clock: Clock,
): Promise<Evidence | undefined> {
  if (request.mode === 'none') return undefined
  const openResult = await Promise.race([ready, Promise.resolve(undefined)])
  if (!openResult?.ok) return undefined
  const session = openResult.value
  const now = clock()
  const { page, journal } = session
  session.server?.sync()
  const changeCount = journal.changeCount()
  const [view, isFirstReported, server, changes] = await Promise.all([
    viewPage(page, failure, request, PART_TIMEOUT_MS),
    page.isReported(PART_TIMEOUT_MS),
    collectServerPart(session, failure, now, PART_TIMEOUT_MS),
    request.changesPage && !isBrowserErrorPage(failure, page)
      ? collectChanges(session, clock, !request.omitsEvidence)
      : {},
    locateConsole(session, PART_TIMEOUT_MS),
  ])
  // What came meanwhile may have a secret that came after the report.
  const isQuiet = journal.changeCount() === changeCount
  const reportedSeq = journal.lastSeq()
  const isReported = isFirstReported && (isQuiet || (await page.isReported(PART_TIMEOUT_MS)))
  const traceTimeoutMs = isReported ? TRACE_TIMEOUT_MS : PART_TIMEOUT_MS
  const traces = await Promise.all(
    session.features.map((feature) => feature.traceFailure?.(page, traceTimeoutMs)),
  )
  const trace = traces.find(Boolean)
  const image = isReported ? view.image : undefined
  const file = image && (await session.images.save(image))
  const missing = collectMissingParts(view, file, trace, traceTimeoutMs)
  session.takenSeq = reportedSeq
  if (!isReported) return withholdPage(session, failure, { ...server, missing })
  const { timeline, ...lists } = await collectJournalPart(session, failure, now, { ...server, reportedSeq })
  const isPageReported = page.url() === session.reportUrl(page.url())
  return omitEmptyParts({
    ...collectPagePart(session, failure, view),
    ...changes,
    ...(isPageReported && { isPageReported }),
    ...server,
    ...lists,
    ...(await collectSources(view, page.url(), session, server)),
    timeline,
    missing,
    ...(trace && trace !== 'late' && { trace }),
    ...(image && file?.ok && { screenshot: pictureFileOf(file.value, image), targetBox: view.targetBox }),
    image,
  })
}

// What the attempt of the failed call changed on the page; empty if nothing is known.
async function collectChanges(
  session: OwnedSession,
  clock: Clock,
  isSeen: boolean,
): Promise<Pick<Evidence, 'since' | 'changes'>> {
  const { page, lastSnapshot } = session
  if (!lastSnapshot.isRecorded) return {}
  const since = isSeen ? await takeNews(session, CHANGES_LIMIT_CHARS) : undefined
  const read = async (signal: AbortSignal) => {
    const deadline = createDeadline(PART_TIMEOUT_MS, signal, clock)
    await page.settle()
    return readChanges(page, { lastSnapshot }, deadline, CHANGES_LIMIT_CHARS, { isSeen })
  }
  const reading = await race(PART_TIMEOUT_MS, [], (signal) => read(signal).catch(() => undefined))
  const changes = ('value' in reading && reading.value?.changes) || undefined
  return { ...(since && { since }), ...(changes && { changes }) }
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
  { page, redactor }: OwnedSession,
  failure: Failure,
  { title }: FailureView,
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
  session: OwnedSession,
  failure: Failure,
  now: number,
  { stdout = [], reportedSeq }: Pick<Evidence, 'stdout'> & { readonly reportedSeq: number },
): Promise<Required<Pick<Evidence, 'console' | 'requests' | 'timeline'>>> {
  const { journal, evidenceSeq, redactor } = session
  const read = (
    kinds: readonly JournalEntry['kind'][],
    limit: number,
    accept: (entry: JournalEntry) => boolean,
  ) => journal.read({ kinds, since: evidenceSeq, before: reportedSeq + 1, limit, accept }).entries
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
    kind === 'server'
      ? level === 'info' && !isStackFrame(text) && !stdout.some((line) => line.includes(text))
      : level !== 'error'
  const timeline = read(['page', 'console', 'server'], TIMELINE_LIMIT, isNowhereElse)
  const redactEntry = (entry: JournalEntry) => ({ ...entry, text: redactor.redactText(entry.text) })
  return {
    console: errors.map((entry) => `${ageOf(entry, now)} ${summarizeError(redactor.redactText(entry.text))}`),
    requests: await requestLinesOf(requests, session, now),
    timeline: timeline.map((entry) => timelineLineOf(redactEntry(entry), now)),
  }
}

// The page did not report its secret fields: its data is omitted, with the reason.
function withholdPage(session: OwnedSession, failure: Failure, common: Evidence): Evidence {
  const reason = `omitted: the page did not report its secret fields within ${PART_TIMEOUT_MS} ms`
  return omitEmptyParts({
    ...collectPagePart(session, failure, { missing: {} }),
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

function omitEmptyParts(evidence: Evidence): Evidence {
  const isFilled = (part: unknown) =>
    part !== undefined && (typeof part !== 'object' || part === null || Object.keys(part).length > 0)
  return Object.fromEntries(Object.entries(evidence).filter(([, part]) => isFilled(part)))
}

// --- internal ---

/** More than the evidence shows of the console. */
const CONSOLE_LIMIT = 10

/** Replaces the script positions of the newest console entries; those whose source is not known in time stay. */
async function locateConsole(
  { journal, sources, evidenceSeq }: OwnedSession,
  timeoutMs: number,
): Promise<void> {
  const query = { kinds: ['console'], since: evidenceSeq, limit: CONSOLE_LIMIT } as const
  const accept = (entry: JournalEntry) => !repeatsRequest(entry)
  const errors = (entry: JournalEntry) => entry.level === 'error' && accept(entry)
  const entries = [accept, errors].flatMap((filter) => journal.read({ ...query, accept: filter }).entries)
  await sources.locateEntries([...new Set(entries)], timeoutMs)
}

/** The lines of the source around the newest error: an uncaught one, if there is any. */
function codeFrameOf({ journal, sources, evidenceSeq, redactor }: OwnedSession): string | undefined {
  const accept = (entry: JournalEntry) =>
    entry.level === 'error' && sources.firstSourceOf(entry) !== undefined
  const { entries } = journal.read({ kinds: ['console'], since: evidenceSeq, limit: CONSOLE_LIMIT, accept })
  const entry = entries.findLast(({ message = '' }) => message.startsWith('uncaught ')) ?? entries.at(-1)
  const source = entry && sources.firstSourceOf(entry)
  if (source?.content === undefined) return undefined
  const lines = createCodeFrame(source.content, source.line, redactor.redactText)
  return lines.length > 0 ? [formatSource(source), ...lines].join('\n') : undefined
}

const REQUEST_LIMIT_CHARS = 200

/** One line for each request, oldest first. The body of its response is left out if a later request has the same. */
async function requestLinesOf(
  entries: readonly JournalEntry[],
  { page, redactor }: OwnedSession,
  now: number,
): Promise<readonly string[]> {
  const bodies = await Promise.all(
    entries.map(async ({ data }) => {
      const seq = data?.['request']
      const body = typeof seq === 'number' ? await page.parts.requests.readFailedBody(seq) : undefined
      return readableBodyOf(redactor.redactData({ body: body ?? '' }).body)
    }),
  )
  return entries.map((entry, index) => {
    const body = bodies[index] ?? ''
    const request = oneLine(redactor.redactText(entry.text), REQUEST_LIMIT_CHARS)
    return [ageOf(entry, now), request, !bodies.includes(body, index + 1) && body].filter(Boolean).join(' ')
  })
}

const STDERR_LIMIT = { most: 100, characters: 4000, more: '… more: read_server_logs' } as const
const STDOUT_LIMIT = {
  most: 20,
  characters: 2000,
  more: '… more: read_server_logs with logType stdout',
} as const
const ENTRY_LIMIT = 1000
const LOGGED_LINE_LIMIT = 200

/** The redacted output of the server since the last successful action, or all of it if the server has exited. */
async function serverOutputOf(
  server: OwnedServer,
  session: OwnedSession,
  now: number,
): Promise<Pick<Evidence, 'stderr' | 'stdout'>> {
  const hasEnded = server.exitReason() !== undefined
  const since = hasEnded ? 0 : session.evidenceSeq
  const linesOf = async (level: 'info' | 'warning') => {
    // What the server of a contract command wrote while that started it is in its logs only.
    if (hasEnded && server.info().mode === 'contract') return loggedLinesOf(server, level, session)
    const accept = (entry: JournalEntry) => entry.level === level
    const { entries } = session.journal.read({ kinds: ['server'], since, limit: ENTRY_LIMIT, accept })
    return outputLinesOf(entries, session, now)
  }
  const stdout = limitOutput(findFailureOutput(await linesOf('info')), STDOUT_LIMIT)
  return { stderr: limitOutput(await linesOf('warning'), STDERR_LIMIT), ...(stdout.length > 0 && { stdout }) }
}

async function loggedLinesOf(
  server: OwnedServer,
  level: 'info' | 'warning',
  { redactor }: OwnedSession,
): Promise<readonly OutputLine[]> {
  const log = await server.logs({ type: level === 'info' ? 'stdout' : 'stderr', lines: LOGGED_LINE_LIMIT })
  const text = log.ok ? redactor.redactText(log.value.lines.join('\n')) : ''
  return text.split('\n').map((line) => ({ text: line, age: '' }))
}

// Redacted as one text, because a secret may span several lines.
function outputLinesOf(
  entries: readonly JournalEntry[],
  { redactor }: OwnedSession,
  now: number,
): readonly OutputLine[] {
  const text = redactor.redactText(entries.map((entry) => entry.text).join('\n'))
  const lines = text.split('\n').map(stripTerminalCodes)
  const ages = entries.flatMap((entry) => entry.text.split('\n').map(() => ageOf(entry, now)))
  return lines.map((line, index) => ({
    text: line,
    age: ages.length === lines.length ? (ages[index] ?? '') : '',
  }))
}

/** Whether the failure itself says what to do about an old page. */
const hasStep = ({ state }: Freshness, needs: 'restart' | 'reload' | 'time' | undefined): boolean =>
  needs !== undefined && (needs !== 'time' || state !== 'restart')

/** Empty without a dev server. `now` is in Unix milliseconds. What takes longer than `timeoutMs` is left out. */
async function collectServerPart(
  session: OwnedSession,
  failure: Failure,
  now: number,
  timeoutMs: number,
): Promise<Pick<Evidence, 'serverEnded' | 'freshness' | 'stderr' | 'stdout'>> {
  const { server } = session
  if (!server) return {}
  const exitReason = server.exitReason()
  const needs = failure.code === 'TIMEOUT' ? failure.needs : undefined
  const reading = await race(timeoutMs, [], () => readFreshness(server, session))
  const freshness =
    'value' in reading ? freshnessLineOf(reading.value, hasStep(reading.value, needs)) : undefined
  return { serverEnded: exitReason, freshness, ...(await serverOutputOf(server, session, now)) }
}

/** The candidates of a view with their source lines, the source of the element that the call acted on, and the lines of the newest error. */
async function collectSources(
  { candidates, origin }: FailureView,
  pageUrl: string,
  session: OwnedSession,
  output: Pick<Evidence, 'stderr' | 'stdout'>,
): Promise<Pick<Evidence, 'candidates' | 'source' | 'codeFrame'>> {
  const { sources, redactor, server } = session
  const locate = async (elementOrigin: ElementOrigin | undefined) =>
    elementOrigin && sources.locateElement(elementOrigin, pageUrl)
  const locateCandidate = async ({ origin: elementOrigin, ...candidate }: ViewedCandidate) => {
    const source = await locate(elementOrigin)
    // The source of another element would be a wrong one.
    const position = source?.ancestor === undefined ? source?.position : undefined
    return { ...candidate, source: position && redactor.redactText(formatPosition(position)) }
  }
  const [element, ...candidatesWithSource] = await Promise.all([
    locate(origin),
    ...(candidates ?? []).map(locateCandidate),
  ])
  const summary = element && summarizeSource(element)
  const lines = [...(output.stdout ?? []), ...(output.stderr ?? [])].map((line) => line.replace(AGE, ''))
  const codeFrame =
    codeFrameOf(session) ?? (server && (await readServerCodeFrame(server, lines, redactor.redactText)))
  return {
    candidates: candidates && candidatesWithSource,
    ...(summary !== undefined && { source: redactor.redactText(summary) }),
    codeFrame,
  }
}

const TIMELINE_TEXT_LIMIT_CHARS = 110

/** What `ageOf` puts before a line. */
const AGE = /^-?[\d.]+ s /

/** The time of an entry relative to `now` (Unix milliseconds): `-1.2 s`. */
const ageOf = ({ at }: Pick<JournalEntry, 'at'>, now: number): string => `${((at - now) / 1000).toFixed(1)} s`

const timelineLineOf = (entry: JournalEntry, now: number): string =>
  `${ageOf(entry, now)} ${entry.kind}: ${oneLine(entry.text, TIMELINE_TEXT_LIMIT_CHARS)}`

/** A text on one line of at most `limit` characters. */
function oneLine(text: string, limit: number): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ')
  return line.length > limit ? `${line.slice(0, limit)}…` : line
}

/** Whether the entry is the request that a failed navigation is about. */
const isRequestOf = (failure: Failure, { kind, text }: JournalEntry): boolean =>
  kind === 'request' &&
  failure.code === 'NAVIGATION_FAILED' &&
  text.startsWith(`GET ${failure.redirects?.at(-1) ?? failure.url} → `) &&
  text.endsWith(failure.reason)
