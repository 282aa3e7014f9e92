// Watches whether a page that had content shows nothing: looked at after each action, and by who reads an empty page.

import type { Page } from 'playwright'
import { ownTimersOf } from '../../../core/browser/playwright/own-timers.ts'
import type { OwnedSession } from '../../../core/sessions/types/owned-session.ts'
import type { SessionFeature } from '../../../core/sessions/types/session-feature.ts'
import { judgeBlank, type PageContent } from './blank-rule.ts'
import { type Cause, findCause, hasErrorSince } from './name-places.ts'
import { awaitChange, readContent } from './read-page.ts'

declare module '../../../core/sessions/types/open-session.ts' {
  interface OpenSession {
    /** Since when the page is blank, such as `since click #go: it had 40 elements`; undefined if it is not. */
    blank(): Promise<string | undefined>
  }
}

/** Keeps the cause of a blank page, once. */
export type NoteCause = (session: OwnedSession, cause: Cause) => Promise<void>

/** A call that acts, and the entry of the journal before it. */
interface Act {
  readonly name: string
  readonly seq: number
}

interface Reading extends PageContent {
  /** The timers that Footlight itself had set. */
  readonly ownTimers: number
}

/** A page without content, since a call. */
interface EmptyPage {
  readonly page: Page
  readonly before?: Reading | undefined
  readonly act: Act
  /** When it was found first. */
  readonly at: number
  /** Looked for once: later errors are none of it. */
  readonly cause?: Cause | undefined
}

interface Suspicion extends EmptyPage {
  readonly before: Reading
  readonly hasError: boolean
  readonly isCertain: boolean
}

export function watchBlank(noteCause: NoteCause): SessionFeature {
  const shown = new WeakMap<Page, Reading>()
  const starts = new WeakMap<Page, Reading>()
  let session: OwnedSession
  let isActing = false
  let act: Act = { name: '', seq: 0 }
  let previousAct = act
  let suspicion: Suspicion | undefined
  let beginning: Promise<void> = Promise.resolve()

  const pageNow = () => session.page.parts.page()

  async function read(page: Page): Promise<Reading | undefined> {
    if (session.dialog() || !/^(https?|file):/.test(page.url())) return undefined
    // Where a snapshot was taken, the page knows itself what has begun since.
    const content = await readContent(page, !session.lastSnapshot.isRecorded)
    const reading = content && { ...content, ownTimers: ownTimersOf(page) }
    if (reading && !reading.isBlank) shown.set(page, reading)
    return reading
  }

  /** Looks until the page shows something, is blank for certain, or the time is over. */
  async function look(): Promise<Suspicion | undefined> {
    await beginning
    const page = pageNow()
    const startedAt = performance.now()
    for (;;) {
      const now = await read(page)
      if (now?.isBlank) suspicion = await suspect(page, now)
      else if (now) suspicion = undefined
      const wait = waitOf(suspicion) - (performance.now() - startedAt)
      if (!now || !suspicion || wait <= 0) break
      await awaitChange(page, wait)
    }
    return suspicion?.isCertain ? name(suspicion) : undefined
  }

  async function suspect(page: Page, now: Reading): Promise<Suspicion | undefined> {
    const start = starts.get(page)
    const since: EmptyPage =
      suspicion?.page === page
        ? suspicion
        : { page, before: shown.get(page), act: start?.isBlank ? previousAct : act, at: performance.now() }
    const { before, at } = since
    const hasError = hasErrorSince(session, since.act.seq)
    const verdict = judgeBlank({
      now,
      before,
      hasError,
      isRequesting: isRequesting(session),
      hasTimers: hasTimersSince(start ?? before, now) ?? (await session.page.isPending()),
      blankFor: performance.now() - at,
    })
    return verdict === 'shown' || !before
      ? undefined
      : { ...since, before, hasError, isCertain: verdict === 'blank' }
  }

  async function name(found: Suspicion): Promise<Suspicion> {
    if ('cause' in found) return found
    const named = { ...found, cause: await findCause(session, found.act.seq) }
    if (suspicion === found) suspicion = named
    if (named.cause) await noteCause(session, named.cause)
    return named
  }

  return {
    open(owner) {
      session = owner
      return { blank: async () => summaryOf(await look()) }
    },
    beforeCall({ description, changesPage }) {
      isActing = changesPage
      if (changesPage) {
        ;[previousAct, act] = [act, { name: session.redact(description), seq: session.journal.lastSeq() }]
        const page = pageNow()
        starts.delete(page)
        // The browser answers in order, so the call does not wait for it.
        beginning = read(page).then((reading) => void (reading && starts.set(page, reading)))
      }
      return () => {}
    },
    async describeAction({ newEntries }) {
      await newEntries
      const found = await look()
      return found ? [sentenceOf(found, found.act === act)] : []
    },
    async describeCall(_, data) {
      const isEmpty = 'snapshot' in data && data['snapshot'] === ''
      const found = !isActing && (isEmpty || suspicion) ? await look() : undefined
      return found && isEmpty ? { data: { snapshot: sentenceOf(found) } } : undefined
    },
  }
}

// --- internal ---

const ERROR_WAIT_MS = 250
const WAIT_MS = 1000

/** What an error has emptied rarely comes back; what was emptied on purpose often is filled again. */
const waitOf = (suspicion: Suspicion | undefined): number => (suspicion?.hasError ? ERROR_WAIT_MS : WAIT_MS)

const UNENDING = new Set(['websocket', 'eventsource'])

const isRequesting = ({ network }: OwnedSession): boolean =>
  network
    .read({ limit: Infinity })
    .entries.some(({ state, type }) => state === 'pending' && !UNENDING.has(type))

/** Whether the page itself has set timers in between; undefined where they were not counted. */
function hasTimersSince(start: Reading | undefined, now: Reading): boolean | undefined {
  if (start?.document !== now.document) return false
  if (start.timers === undefined || now.timers === undefined) return undefined
  return now.timers - start.timers > now.ownTimers - start.ownTimers
}

const summaryOf = (found: Suspicion | undefined): string | undefined =>
  found && `since ${found.act.name}: it had ${countOf(found.before)}`

function sentenceOf({ before, cause, act }: Suspicion, isNow = false): string {
  const call = isNow ? (act.name.startsWith('click ') ? 'this click' : 'this call') : act.name
  const places = cause?.places.map(({ file, line }) => `${file}:${line}`) ?? []
  const named = places.length > 0 ? ` Its error: ${places.join(', ')}.` : ''
  return `The page is blank since ${call}: it had ${countOf(before)}.${named}`
}

const countOf = ({ elements }: Reading): string => `${elements} element${elements === 1 ? '' : 's'}`
