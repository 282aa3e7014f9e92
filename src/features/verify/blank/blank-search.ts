// Looks whether the page of a session has lost its content, until that is certain or the time is over.

import type { Page } from 'playwright'
import { settleWithin } from '../../../core/base/system/settle-within.ts'
import { contextIdOf } from '../../../core/browser/playwright/internals.ts'
import { ownTimersOf } from '../../../core/browser/playwright/own-timers.ts'
import type { OwnedSession } from '../../../core/sessions/types/owned-session.ts'
import { judgeBlank } from './blank-rule.ts'
import type { PageContent } from './in-page/page-content.ts'
import { type Cause, findCause, hasErrorSince } from './name-places.ts'
import { awaitChange, readContent } from './read-page.ts'

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
  readonly document: number
  readonly before?: Reading | undefined
  readonly act: Act
  /** When it was found first. */
  readonly at: number
  /** Looked for once: later errors are none of it. */
  readonly cause?: Cause | undefined
}

export interface Suspicion extends EmptyPage {
  readonly before: Reading
  readonly hasError: boolean
  readonly isCertain: boolean
}

export interface BlankSearch {
  /** A call begins to act. The page is read before it does: `if unknown` where the call succeeds only on an element that it shows, and the
   * document was read when it had content. */
  begin(act: Act, reads: 'always' | 'if unknown' | 'none'): void
  isFull(): Promise<boolean>
  /** The page, if it is blank for certain. */
  look(): Promise<Suspicion | undefined>
  /** Whether the page showed nothing when it was looked at last. */
  isOpen(): boolean
}

export function createBlankSearch(session: OwnedSession, noteCause: NoteCause): BlankSearch {
  const { read, lastFull, isKnownFull } = createPageReader(session)
  let start: { readonly page: Page; readonly reading: Reading | undefined } | undefined
  let acts: readonly [last: Act, previous: Act] = [NO_ACT, NO_ACT]
  let suspicion: Suspicion | undefined
  let beginning: Promise<void> = Promise.resolve()

  async function suspect(page: Page, now: Reading): Promise<Suspicion | undefined> {
    const startNow = start?.page === page ? start.reading : undefined
    const act = acts[startNow?.isBlank ? 1 : 0]
    const at = performance.now()
    const first: EmptyPage = { page, document: now.document, before: lastFull(page), act, at }
    return judge(session, isOf(suspicion, page, now) ? suspicion : first, startNow, now)
  }

  async function name(certain: Suspicion): Promise<Suspicion> {
    if ('cause' in certain) return certain
    const named = { ...certain, cause: await findCause(session, certain.act.seq) }
    if (suspicion === certain) suspicion = named
    if (named.cause) await noteCause(session, named.cause)
    return named
  }

  return {
    begin(act, reads) {
      acts = [act, acts[0]]
      const page = session.page.parts.page()
      start = undefined
      if (reads === 'none') return
      // The browser answers in order, so the call does not wait for it.
      const readStart = async () => {
        if (reads === 'if unknown' && (await isKnownFull(page))) return
        const reading = await read(page, BEGIN_TIMEOUT_MS)
        if (acts[0] === act) start = { page, reading }
      }
      beginning = readStart()
    },
    async isFull() {
      const reading = await read(session.page.parts.page())
      return reading?.isBlank === false
    },
    async look() {
      await beginning
      const page = session.page.parts.page()
      const startedAt = performance.now()
      const known = suspicion?.isCertain ? suspicion : undefined
      for (;;) {
        const now = await read(page)
        if (known && now?.isBlank && isOf(known, page, now)) return name(known)
        if (now?.isBlank) suspicion = await suspect(page, now)
        else if (now) suspicion = undefined
        const wait = waitOf(suspicion) - (performance.now() - startedAt)
        if (!now || !suspicion || wait <= 0) break
        await awaitChange(page, wait)
      }
      return suspicion?.isCertain ? name(suspicion) : undefined
    },
    isOpen: () => suspicion !== undefined,
  }
}

// --- internal ---

/** Of a page that was never read before, nothing else is known. */
const BEGIN_TIMEOUT_MS = 2000

/** Reads a page, and keeps what it was when it last had content. */
function createPageReader(session: OwnedSession) {
  const fullPages = new WeakMap<Page, Reading>()
  const lastWorlds = new WeakMap<Page, number>()
  const worldOf = (page: Page) => settleWithin(BEGIN_TIMEOUT_MS, contextIdOf(page.mainFrame(), 'utility'))
  return {
    lastFull: (page: Page) => fullPages.get(page),
    /** Whether the document had content when it was read last. */
    async isKnownFull(page: Page): Promise<boolean> {
      const lastWorld = lastWorlds.get(page)
      return lastWorld !== undefined && lastWorld === (await worldOf(page))
    },
    async read(page: Page, timeoutMs?: number): Promise<Reading | undefined> {
      if (session.dialog() || !/^(https?|file):/.test(page.url())) return undefined
      const world = await worldOf(page)
      // Where a snapshot was taken, the page knows itself what has begun since.
      const content = await readContent(page, !session.lastSnapshot.isRecorded, timeoutMs)
      const reading = content && { ...content, ownTimers: ownTimersOf(page) }
      lastWorlds.delete(page)
      if (!reading || reading.isBlank) return reading
      fullPages.set(page, reading)
      if (typeof world === 'number') lastWorlds.set(page, world)
      return reading
    },
  }
}

const NO_ACT: Act = { name: '', seq: 0 }

const isOf = (suspicion: Suspicion | undefined, page: Page, { document }: Reading): suspicion is Suspicion =>
  suspicion?.page === page && suspicion.document === document

async function judge(
  session: OwnedSession,
  emptyPage: EmptyPage,
  start: Reading | undefined,
  now: Reading,
): Promise<Suspicion | undefined> {
  const { before, act, at } = emptyPage
  const hasError = hasErrorSince(session, act.seq)
  const verdict = judgeBlank({
    now,
    before,
    hasError,
    isRequesting: isRequesting(session, act.seq),
    hasTimers: hasTimersSince(start ?? before, now) ?? (await session.page.isPending()),
    blankFor: performance.now() - at,
  })
  return verdict === 'full' || !before
    ? undefined
    : { ...emptyPage, before, hasError, isCertain: verdict === 'blank' }
}

const ERROR_WAIT_MS = 250
const WAIT_MS = 1000

/** What an error has emptied rarely comes back; what was emptied on purpose often is filled again. */
const waitOf = (suspicion: Suspicion | undefined): number => (suspicion?.hasError ? ERROR_WAIT_MS : WAIT_MS)

const UNENDING = new Set(['websocket', 'eventsource'])

const isRequesting = ({ network }: OwnedSession, since: number): boolean =>
  network
    .read({ since, limit: Infinity })
    .entries.some(({ state, type }) => state === 'pending' && !UNENDING.has(type))

/** Whether the page itself has set timers in between; undefined where they were not counted. */
function hasTimersSince(start: Reading | undefined, now: Reading): boolean | undefined {
  if (start?.document !== now.document) return false
  if (start.timers === undefined || now.timers === undefined) return undefined
  return now.timers - start.timers > now.ownTimers - start.ownTimers
}
