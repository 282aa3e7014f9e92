// What a person would look at after a failure, gathered within a second and bounded. No part of it can hide the failure itself: what
// could not be had says why.

import { race } from '../calls/deadline.ts'
import type { SessionResources } from '../sessions/session-resources.ts'
import type { FailureView, OwnedPage } from '../ports/browsers.ts'
import type { Evidence, PictureFile } from '../ports/session-manager.ts'
import type { Artifact } from '../ports/files.ts'
import type { Image } from '../ports/page.ts'
import type { OwnedServer } from '../ports/servers.ts'
import {
  limitOutput,
  summarizeError,
  findFailureOutput,
  type OutputLine,
} from '../../core/evidence/error-lines.ts'
import type { JournalEntry } from '../../core/session/journal.ts'
import type { Failure } from '../../core/failure.ts'
import { stripTerminalCodes } from '../../core/text/terminal-codes.ts'

const LIMIT = 900
const STDERR = { most: 100, characters: 4000, more: '… more: read_server_logs' } as const
const STDOUT = { most: 20, characters: 2000, more: '… more: read_server_logs with logType stdout' } as const

export type EvidenceMode = 'full' | 'text' | 'none'

interface Wanted {
  readonly mode: EvidenceMode | undefined
  /** Of its picture. */
  readonly maximumPixels: number
}

export async function gatherEvidence(
  resources: SessionResources,
  failure: Failure,
  wanted: Wanted,
  now: number,
): Promise<Evidence | undefined> {
  if (wanted.mode === 'none') return undefined
  const ready = await Promise.race([resources.ready, Promise.resolve(undefined)])
  if (!ready?.ok) return undefined
  const { page, server } = ready.value
  server?.sync()
  const [look, trace, isReported] = await Promise.all([
    lookAt(page, failure, wanted),
    traceOf(resources, page),
    page.isReported(LIMIT),
  ])
  const { text: redact } = resources.redactor
  const { image, title, candidates } = look
  const picture = image && isReported ? await resources.images.save(image) : undefined
  const missing = {
    ...look.missing,
    ...(picture?.ok === false && { screenshot: 'no disk space for its file' }),
    ...(trace === 'late' && { trace: `not written within ${LIMIT} ms` }),
  }
  const ended = server?.ended()
  const since = resources.evidenceSeq
  resources.incidentSeq = resources.journal.last()
  const entries = (
    kinds: readonly JournalEntry['kind'][],
    limit: number,
    accept?: (entry: JournalEntry) => boolean,
  ) => resources.journal.read({ kinds, since, limit, ...(accept && { accept }) }).entries
  if (!isReported) return withheld(page, look, server, resources, now)
  const isError = (entry: JournalEntry) => entry.level === 'error' && !repeatsRequest(entry)
  const requests = entries(['request'], 5, (entry) => entry.level !== 'info' && !isToldBy(failure, entry))
  const timeline = entries(['action', 'page', 'console', 'request', 'server'], 6, isNew)
  // The failed requests and the action itself are told already.
  const isKnown = (entry: JournalEntry) =>
    isToldBy(failure, entry) || requests.some((request) => request.seq === entry.seq)
  const isStory = timeline.slice(0, -1).some((entry) => !isKnown(entry))
  return filled({
    ...(!isErrorPage(failure, page) && {
      page: {
        url: cut(redact(page.url()), 300),
        ...(title !== undefined && { title: cut(redact(title), 100) }),
      },
    }),
    ...(ended !== undefined && { serverEnded: ended }),
    ...(server && printedBy(server, resources, now)),
    console: entries(['console'], 5, isError).map(
      ({ text, at }) => `${ageOf(at, now)} ${summarizeError(redact(text))}`,
    ),
    requests: requests.map(({ text, at }) => `${ageOf(at, now)} ${cut(redact(text), 200)}`),
    ...(candidates && { candidates }),
    timeline: isStory ? timeline.map((entry) => lineOf({ ...entry, text: redact(entry.text) }, now)) : [],
    missing,
    ...(trace && trace !== 'late' && { trace }),
    ...(image && picture?.ok && { screenshot: fileOf(picture.value, image) }),
    ...(image && { image }),
  })
}

// Chromium's console has a line for every request that failed; `requests` says the same, and errors of the page would be crowded out.
const repeatsRequest = ({ kind, text }: JournalEntry): boolean =>
  kind === 'console' && /^error: Failed to load resource: (the server responded|net::ERR_)/.test(text)
const isNew = (entry: JournalEntry): boolean => !repeatsRequest(entry)

const fileOf = ({ path, resource }: Artifact, { width, height }: Image): PictureFile => ({
  path,
  resource,
  width,
  height,
})

// An empty list or record says nothing that its absence does not.
const filled = (evidence: Evidence): Evidence =>
  Object.fromEntries(
    Object.entries(evidence).filter(([, part]) => Object.keys(part as object).length > 0),
  ) as unknown as Evidence

// A page that does not report its secrets: what it said is left out, and that is said.
function withheld(
  page: OwnedPage,
  { missing }: FailureView,
  server: OwnedServer | undefined,
  resources: SessionResources,
  now: number,
): Evidence {
  const ended = server?.ended()
  const why = `omitted: the page did not report its secret fields within ${LIMIT} ms`
  return filled({
    page: { url: cut(resources.redactor.text(page.url()), 300) },
    ...(ended !== undefined && { serverEnded: ended }),
    ...(server && printedBy(server, resources, now)),
    console: [],
    requests: [],
    timeline: [],
    missing: { ...missing, console: why, requests: why, timeline: why },
  })
}

// The trace up to this failure; the next one begins here.
async function traceOf(
  { trace, folder }: SessionResources,
  page: OwnedPage,
): Promise<Artifact | 'late' | undefined> {
  if (trace !== 'on-failure') return undefined
  const path = await folder.place('trace.zip')
  if (!path.ok) return undefined
  const done = await race(LIMIT, [], () => page.stopTrace(path.value, 'go on'))
  if ('stopped' in done) return 'late'
  if (done.value.ok) return folder.done(path.value)
  await folder.drop(path.value)
  return undefined
}

async function lookAt(
  page: OwnedPage,
  failure: Failure,
  { mode, maximumPixels }: Wanted,
): Promise<FailureView> {
  if (failure.code === 'PAGE_HUNG' && !failure.freed)
    return { missing: { screenshot: 'the page does not respond' } }
  if (failure.code === 'BROWSER_CRASHED') return { missing: { screenshot: 'the browser has exited' } }
  const target = failure.code === 'ELEMENT_NOT_FOUND' ? { target: failure.was ?? failure.target } : {}
  const isShown = mode !== 'text' && !isErrorPage(failure, page)
  return page.viewFailure({ maximumPixels: isShown ? maximumPixels : 0, ...target }, LIMIT)
}

// A browser's own page about an address without an answer shows nothing that the failure does not say.
const isErrorPage = (failure: Failure, page: OwnedPage): boolean =>
  failure.code === 'NAVIGATION_FAILED' && /^(chrome-error|about:neterror):?/.test(page.url())

// The request of a navigation is what its failure is about.
const isToldBy = (failure: Failure, { kind, text }: JournalEntry): boolean =>
  kind === 'request' &&
  failure.code === 'NAVIGATION_FAILED' &&
  text.startsWith(`GET ${failure.redirects?.at(-1) ?? failure.url} → `) &&
  text.endsWith(failure.reason)

// What the server printed since the last action that went well; one that has ended, all that is known of its last words.
function printedBy(
  server: OwnedServer,
  resources: SessionResources,
  now: number,
): Pick<Evidence, 'stderr' | 'stdout'> {
  const since = server.ended() === undefined ? resources.evidenceSeq : 0
  const lines = (level: JournalEntry['level']) =>
    resources.journal.read({
      kinds: ['server'],
      since,
      limit: 1000,
      accept: (entry) => entry.level === level,
    }).entries
  const stdout = limitOutput(findFailureOutput(shownLines(lines('info'), resources, now)), STDOUT)
  return {
    stderr: limitOutput(shownLines(lines('warning'), resources, now), STDERR),
    ...(stdout.length > 0 && { stdout }),
  }
}

// Redacted in one piece, because a key may go over several lines.
function shownLines(
  entries: readonly JournalEntry[],
  { redactor }: SessionResources,
  now: number,
): readonly OutputLine[] {
  const lines = redactor
    .text(entries.map(({ text }) => text).join('\n'))
    .split('\n')
    .map(stripTerminalCodes)
  const ages = entries.flatMap(({ text, at }) => text.split('\n').map(() => ageOf(at, now)))
  return lines.map((text, index) => ({ text, age: ages.length === lines.length ? (ages[index] ?? '') : '' }))
}

const ageOf = (at: number, now: number): string => `${((at - now) / 1000).toFixed(1)} s`

const lineOf = ({ at, kind, text }: JournalEntry, now: number): string =>
  `${ageOf(at, now)} ${kind}: ${cut(text, 110)}`

const cut = (text: string, most: number): string => {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ')
  return line.length > most ? `${line.slice(0, most)}…` : line
}
