// What the report of a session shows besides its journal: what actions changed, small pictures after them, failures with their evidence.
// Pictures are taken only if a report was asked for.

import { type BoundedMap, createBoundedMap } from '../../core/base/bounded-collections.ts'
import type { Failure, Outcome } from '../../core/base/failure.ts'
import type { Image } from '../../core/base/image.ts'
import { scaleImages } from '../../core/browser/screenshot/screenshot.ts'
import type { Journal } from '../../core/sessions/journal/journal.ts'
import type { OwnedPage } from '../../core/sessions/types/browsers.ts'
import type { Evidence } from '../../core/tool/evidence.ts'
import type { ToolCall } from '../../core/tool/tool-call.ts'
import type { FailureView } from '../evidence/failure-view.ts'

declare module '../../core/sessions/types/owned-session.ts' {
  interface OwnedSession {
    /** What its report shows besides the journal. */
    readonly notes: ReportNotes
  }
}

export interface NotedFailure {
  /** Its action in the journal, if it has one. */
  readonly seq?: number
  /** Unix milliseconds. */
  readonly at: number
  readonly call: string
  readonly failure: Failure
  readonly evidence: Omit<Evidence, 'image'> | undefined
}

export interface ReportNotes {
  /** Whether pictures are taken, because a report was asked for. */
  readonly hasPictures: boolean
  /** By the numbers of actions. */
  readonly changes: BoundedMap<number, string>
  readonly pictures: BoundedMap<number, Image>
  readonly failures: BoundedMap<Failure, NotedFailure>
  /** The calls that have not ended. */
  readonly running: Set<OpenCall>
  /** The number of the last action that succeeded. */
  lastAction: number
}

type OpenCall = Pick<NotedFailure, 'at' | 'call'>

const CHANGES_LIMIT = 300
const PICTURE_LIMIT = 150
const FAILURE_LIMIT = 50

export const createReportNotes = (hasPictures: boolean): ReportNotes => ({
  hasPictures,
  changes: createBoundedMap(CHANGES_LIMIT),
  pictures: createBoundedMap(PICTURE_LIMIT),
  failures: createBoundedMap(FAILURE_LIMIT),
  running: new Set(),
  lastAction: -1,
})

/** Large enough to recognize the page. */
const PICTURE_LIMIT_PIXELS = 360 * 225
const LARGE_PICTURE_PIXELS = 1.5 * PICTURE_LIMIT_PIXELS
const PICTURE_TIMEOUT_MS = 500
const SCALE_TIMEOUT_MS = 3000

interface NotedSession {
  readonly notes: ReportNotes
}

/** Notes what an action that succeeded did, before the next call begins. */
export async function noteAction(
  { notes, page }: PicturedSession,
  seq: number,
  result: unknown,
): Promise<void> {
  const { data } = (result ?? {}) as { readonly data?: { readonly changes?: unknown } }
  if (typeof data?.changes === 'string') notes.changes.set(seq, data.changes)
  notes.lastAction = seq
  await takePicture({ notes, page }, seq)
}

/** Takes the picture of the last action anew: what it caused may have come later. */
export async function renewPicture(session: PicturedSession & { readonly journal: Journal }): Promise<void> {
  const { notes, journal } = session
  const [newest] = journal.read({ kinds: ['action'], limit: 1, accept: ({ isSilent }) => !isSilent }).entries
  if (newest && newest.seq === notes.lastAction) await takePicture(session, newest.seq)
}

type PicturedSession = NotedSession & { readonly page: OwnedPage }

async function takePicture({ notes, page }: PicturedSession, seq: number): Promise<void> {
  if (!notes.hasPictures) return
  const view: FailureView | undefined = await page
    .viewFailure({ maximumPixels: PICTURE_LIMIT_PIXELS }, PICTURE_TIMEOUT_MS)
    .catch(() => undefined)
  if (view?.image && (await page.isReported(PICTURE_TIMEOUT_MS))) notes.pictures.set(seq, view.image)
}

/** Scales the pictures that the browser could not take in their size. */
export async function shrinkPictures({
  notes,
  page,
}: NotedSession & { readonly page: OwnedPage }): Promise<void> {
  const large = notes.pictures.keys().flatMap((seq) => {
    const image = notes.pictures.get(seq)
    return image && image.width * image.height > LARGE_PICTURE_PIXELS ? [{ seq, image }] : []
  })
  if (large.length === 0) return
  const images = large.map(({ image }) => image)
  const scaling = scaleImages(page.parts.page(), images, PICTURE_LIMIT_PIXELS, SCALE_TIMEOUT_MS)
  const scaled = await scaling.catch(() => images)
  for (const [index, { seq, image }] of large.entries()) notes.pictures.set(seq, scaled[index] ?? image)
}

interface FailedCall extends Pick<NotedFailure, 'failure' | 'at'> {
  readonly evidence: Evidence | undefined
  readonly call: Partial<Pick<ToolCall, 'description'>>
}

/** Notes a failure once, and returns its evidence. */
export async function noteFailure(
  { ready }: { readonly ready: Promise<Outcome<NotedSession & { readonly journal: Journal }>> },
  { failure, evidence, call: { description = '' }, at }: FailedCall,
): Promise<Evidence | undefined> {
  const openResult = await Promise.race([ready, Promise.resolve(undefined)])
  if (!openResult?.ok || openResult.value.notes.failures.has(failure)) return evidence
  const { journal, notes } = openResult.value
  const { image: _, ...textEvidence } = evidence ?? {}
  const [action] = journal.read({ kinds: ['action'], limit: 1 }).entries
  notes.failures.set(failure, {
    at,
    ...(action?.text.endsWith(`: ${failure.code}`) && { seq: action.seq, at: action.at }),
    call: description,
    failure,
    evidence: evidence && textEvidence,
  })
  return evidence
}
