// What a person would look at after a failure, gathered within a second and bounded. No part of it can hide the failure itself: what
// could not be had says why.

import { ageOf, isRequestOf, oneLine, repeatsRequest, timelineLineOf } from './evidence-lines.ts'
import { isBrowserErrorPage, saveFailureTrace, viewPage, type EvidenceRequest } from './page-view.ts'
import { serverOutputOf } from './server-output.ts'
import type { FailureView, OwnedPage } from '../ports/browsers.ts'
import type { Artifact } from '../ports/files.ts'
import type { Image } from '../ports/page.ts'
import type { Evidence, PictureFile } from '../ports/session-manager.ts'
import type { ReadyResources, SessionResources } from '../resources/session-resources.ts'
import { summarizeError } from '../../core/evidence/error-lines.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import type { JournalEntry } from '../../core/session/journal.ts'

const PART_TIMEOUT_MS = 900

export type EvidenceMode = 'full' | 'text' | 'none'

/** The evidence of a failure at `now` (Unix milliseconds); undefined where none is wanted, or the session is not open. */
export async function gatherEvidence(
  resources: SessionResources,
  failure: Failure,
  request: EvidenceRequest,
  now: number,
): Promise<Evidence | undefined> {
  if (request.mode === 'none') return undefined
  const ready = await Promise.race([resources.ready, Promise.resolve(undefined)])
  if (!ready?.ok) return undefined
  const { page } = ready.value
  ready.value.server?.sync()
  const [view, trace, isReported] = await Promise.all([
    viewPage(page, failure, request, PART_TIMEOUT_MS),
    saveFailureTrace(resources, page, PART_TIMEOUT_MS),
    page.isReported(PART_TIMEOUT_MS),
  ])
  const image = isReported ? view.image : undefined
  const file = image && (await resources.images.save(image))
  const server = serverPart(ready.value, resources, now)
  const missing = missingParts(view, file, trace)
  resources.incidentSeq = resources.journal.lastSeq()
  if (!isReported) return withholdPage(page, { ...server, missing }, resources)
  const { timeline, ...journal } = journalPart(failure, resources, now)
  return withoutEmptyParts({
    ...pagePart(page, failure, view, resources),
    ...server,
    ...journal,
    ...(view.candidates && { candidates: view.candidates }),
    timeline,
    missing,
    ...(trace && trace !== 'late' && { trace }),
    ...(image && file?.ok && { screenshot: pictureFileOf(file.value, image) }),
    ...(image && { image }),
  })
}

const serverPart = (
  { server }: ReadyResources,
  resources: SessionResources,
  now: number,
): Pick<Evidence, 'serverEnded' | 'stderr' | 'stdout'> => {
  const ended = server?.ended()
  return {
    ...(ended !== undefined && { serverEnded: ended }),
    ...(server && serverOutputOf(server, resources, now)),
  }
}

const missingParts = (
  { missing }: FailureView,
  file: Outcome<Artifact> | undefined,
  trace: Artifact | 'late' | undefined,
): Readonly<Record<string, string>> => ({
  ...missing,
  ...(file?.ok === false && { screenshot: 'no disk space for its file' }),
  ...(trace === 'late' && { trace: `not written within ${PART_TIMEOUT_MS} ms` }),
})

function pagePart(
  page: OwnedPage,
  failure: Failure,
  { title }: FailureView,
  { redactor }: SessionResources,
): Pick<Evidence, 'page'> {
  if (isBrowserErrorPage(failure, page)) return {}
  const url = oneLine(redactor.redactText(page.url()), 300)
  return { page: { url, ...(title !== undefined && { title: oneLine(redactor.redactText(title), 100) }) } }
}

// The console, the requests and the timeline since the last successful action.
function journalPart(
  failure: Failure,
  { journal, evidenceSeq, redactor }: SessionResources,
  now: number,
): Required<Pick<Evidence, 'console' | 'requests' | 'timeline'>> {
  const read = (
    kinds: readonly JournalEntry['kind'][],
    limit: number,
    accept: (entry: JournalEntry) => boolean,
  ) => journal.read({ kinds, since: evidenceSeq, limit, accept }).entries
  const errors = read(['console'], 5, (entry) => entry.level === 'error' && !repeatsRequest(entry))
  const requests = read(['request'], 5, (entry) => entry.level !== 'info' && !isRequestOf(failure, entry))
  const timeline = read(
    ['action', 'page', 'console', 'request', 'server'],
    6,
    (entry) => !repeatsRequest(entry),
  )
  // The failed requests and the action itself are in the evidence already.
  const isKnown = (entry: JournalEntry) =>
    isRequestOf(failure, entry) || requests.some((request) => request.seq === entry.seq)
  const addsSomething = timeline.slice(0, -1).some((entry) => !isKnown(entry))
  const redacted = (entry: JournalEntry) => ({ ...entry, text: redactor.redactText(entry.text) })
  return {
    console: errors.map((entry) => `${ageOf(entry, now)} ${summarizeError(redactor.redactText(entry.text))}`),
    requests: requests.map(
      (entry) => `${ageOf(entry, now)} ${oneLine(redactor.redactText(entry.text), 200)}`,
    ),
    timeline: addsSomething ? timeline.map((entry) => timelineLineOf(redacted(entry), now)) : [],
  }
}

// A page that does not report its secrets: what it said is left out, and that is said.
function withholdPage(page: OwnedPage, common: Evidence, { redactor }: SessionResources): Evidence {
  const reason = `omitted: the page did not report its secret fields within ${PART_TIMEOUT_MS} ms`
  return withoutEmptyParts({
    page: { url: oneLine(redactor.redactText(page.url()), 300) },
    ...common,
    missing: { ...common.missing, console: reason, requests: reason, timeline: reason },
  })
}

const pictureFileOf = ({ path, resource }: Artifact, { width, height }: Image): PictureFile => ({
  path,
  resource,
  width,
  height,
})

// An empty list or record says nothing that its absence does not.
function withoutEmptyParts(evidence: Evidence): Evidence {
  const isFilled = (part: unknown) =>
    typeof part !== 'object' || part === null || Object.keys(part).length > 0
  return Object.fromEntries(Object.entries(evidence).filter(([, part]) => isFilled(part)))
}
