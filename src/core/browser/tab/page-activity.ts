// What a page does after an action: the navigation that it starts, its requests and what the page does with them, its animations; and how
// long a page has been quiet. Its requests are tracked by `../network/request-activity.ts`.

import type { Page } from 'playwright'
import type { Dialogs } from './dialogs.ts'
import type { Tab } from './tab.ts'
import { readQuietTime as readInPage, waitForAnimations as waitInPage } from '../in-page/generated.ts'
import type { NetworkRequests } from '../network/network-requests.ts'
import { requestQuietTime } from '../network/request-activity.ts'
import { noteOwnTimers } from '../playwright/own-timers.ts'
import type { CdpSession } from '../playwright/cdp-session.ts'
import { afterPendingEvents, evaluateInternally } from '../playwright/internals.ts'
import { parseUrl } from '../../base/text/parse-url.ts'
import { createDeferred, type Deferred, settleWithin } from '../../base/system/settle-within.ts'

interface NavigationWatch {
  /** Resolves when a navigation starts, and never if none does. */
  readonly start: Promise<'started'>
  hasStarted(): boolean
  /** Whether every navigation since the watch began, if any, ends within the timeout. */
  waitForEnd(timeoutMs: number): Promise<boolean>
  /** Removes the listeners. */
  dispose(): void
}

const END_EVENTS = [
  'Page.frameNavigated',
  'Page.navigatedWithinDocument',
  'Page.frameStoppedLoading',
  'Page.downloadWillBegin',
] as const

/** The time for a page to run the task that an action has queued. */
const TASK_TIMEOUT_MS = 200
const NAVIGATION_TIMEOUT_MS = 2000

/** Watches for navigations of the main frame. Chromium reports their start before it reports that the action is done. */
export async function watchNavigation(cdp: CdpSession): Promise<NavigationWatch> {
  const mainFrameId = await findMainFrameId(cdp)
  let hasStarted = false
  let isPending = false
  const start = createDeferred<'started'>()
  let end: Deferred<true> | undefined
  const handleStart = ({ frameId, disposition }: { frameId: string; disposition: string }) => {
    if (disposition !== 'currentTab' || frameId !== mainFrameId) return
    hasStarted = true
    isPending = true
    start.resolve('started')
  }
  const handleEnd = (event: { frameId?: string; frame?: { id: string } }) => {
    if ((event.frame?.id ?? event.frameId) === mainFrameId) isPending = false
    if (!isPending) end?.resolve(true)
  }
  cdp.on('Page.frameRequestedNavigation', handleStart)
  for (const event of END_EVENTS) cdp.on(event, handleEnd)
  return {
    start: start.promise,
    hasStarted: () => hasStarted,
    async waitForEnd(timeoutMs) {
      if (!isPending) return true
      end = createDeferred<true>()
      return (await settleWithin(timeoutMs, end.promise)) === true
    },
    dispose() {
      cdp.off('Page.frameRequestedNavigation', handleStart)
      for (const event of END_EVENTS) cdp.off(event, handleEnd)
    },
  }
}

/** Runs an action, and then waits a little for the navigation that it starts, if any. Only Chromium reports the start in time. */
export async function awaitNavigation<T>({ page, recovery }: Tab, action: () => Promise<T>): Promise<T> {
  const cdp = await recovery.cdp
  if (!cdp) return action()
  const navigation = await watchNavigation(cdp)
  try {
    const result = await action()
    noteOwnTimers(page, 1)
    const nextTask = { expression: 'new Promise((done) => setTimeout(done))', awaitPromise: true }
    await Promise.race([
      navigation.start,
      settleWithin(TASK_TIMEOUT_MS, cdp.send('Runtime.evaluate', nextTask)),
    ])
    await navigation.waitForEnd(NAVIGATION_TIMEOUT_MS)
    return result
  } finally {
    navigation.dispose()
  }
}

const mainFrameIds = new WeakMap<CdpSession, string>()

async function findMainFrameId(cdp: CdpSession): Promise<string> {
  const cached = mainFrameIds.get(cdp)
  if (cached !== undefined) return cached
  const reply = await settleWithin(TASK_TIMEOUT_MS, cdp.send('Page.getFrameTree'))
  // A page that was too busy to answer is asked again the next time.
  if (reply === undefined || reply instanceof Error) return ''
  const { id } = reply.frameTree.frame
  mainFrameIds.set(cdp, id)
  return id
}

const REQUEST_TIMEOUT_MS = 500
const FIREFOX_ROUNDS = 3

// Resolves in the page's next task. It uses a message channel, because pages replace their timers. A router that handles links in the page may wait
// for a frame first, as SvelteKit does: after a click on such a link, which has the focus then, two frames are waited for.
const NEXT_TASK = `new Promise((done) => {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => done(0)
  const link = document.activeElement?.closest?.('a[href]:not([target], [download])')
  const pageOf = ({ origin, pathname, search }) => origin + pathname + search
  let frameCount = 0
  const step = () => {
    const isAhead = link && link.origin === location.origin && pageOf(link) !== pageOf(location)
    if (!isAhead || frameCount === 2) return port2.postMessage(0)
    frameCount += 1
    requestAnimationFrame(() => setTimeout(step))
  }
  step()
})`
// In the first of two timers the page gets the responses, in the second it has reported its errors.
const TWO_TIMERS = 'new Promise((done) => setTimeout(() => setTimeout(done, 0, true)))'

/** Returns what is still pending after that, as method and URL: requests without a response that the action caused, and scripts of the
 * page. The requests are waited for until `end` resolves, otherwise for 500 ms. */
export async function waitForActionEffects(
  { page, recovery }: Tab,
  requests: NetworkRequests,
  dialogs: Dialogs,
  end?: Promise<void>,
): Promise<readonly string[]> {
  // The result of an action may arrive before the requests and rejected promises that it caused; the answer to an evaluation does not.
  // It costs about a millisecond, and a success reported for a click that threw would cost the agent another call.
  const cdp = await recovery.cdp
  const evaluate = (expression: string): Promise<unknown> =>
    cdp ? cdp.send('Runtime.evaluate', { expression, awaitPromise: true }) : page.evaluate(expression)
  const evaluateInOrder = (expression: string) => {
    if (expression === TWO_TIMERS) noteOwnTimers(page, 2)
    return afterPendingEvents(afterPendingEvents(settleWithin(REQUEST_TIMEOUT_MS, evaluate(expression))))
  }
  const listUnanswered = () => requests.unanswered(parseUrl(page.url())?.origin ?? '')

  await evaluateInOrder(NEXT_TASK)
  let hasRequests = await requests.waitForIdle(end ?? REQUEST_TIMEOUT_MS)
  // Firefox reports a request when it is about to connect, possibly only after several further answers.
  for (let round = 0; round < FIREFOX_ROUNDS && !hasRequests && !cdp && !dialogs.current(); round += 1) {
    const isAnswered = (await evaluateInOrder(TWO_TIMERS)) === true
    hasRequests = await requests.waitForIdle(end ?? REQUEST_TIMEOUT_MS)
    if (!isAnswered) break
  }
  if (!hasRequests) return listUnanswered()
  await page.waitForLoadState('domcontentloaded', { timeout: NAVIGATION_TIMEOUT_MS }).catch(() => {})
  if (!dialogs.current()) await evaluateInOrder(TWO_TIMERS)
  await requests.waitForIdle(REQUEST_TIMEOUT_MS)
  return listUnanswered()
}

const OUTPUT_TIMEOUT_MS = 500

/** Waits until what the page has printed until now has arrived. */
export async function waitForOutput({ page, recovery }: Tab): Promise<void> {
  const cdp = await recovery.cdp
  const expression =
    'new Promise((done) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = () => done(0); port2.postMessage(0) })'
  const answer = cdp
    ? cdp.send('Runtime.evaluate', { expression, awaitPromise: true })
    : page.evaluate(expression)
  await afterPendingEvents(afterPendingEvents(settleWithin(OUTPUT_TIMEOUT_MS, answer)))
}

const ANIMATION_TIMEOUT_MS = 700

/** Waits for the finite animations of the page, such as those of a layer that opens or closes. */
export async function waitForAnimations(page: Page): Promise<void> {
  await settleWithin(ANIMATION_TIMEOUT_MS, evaluateInternally(page.locator(':root'), waitInPage, undefined))
}

// How long a page has been quiet: its documents do not change, no animation runs and no request is pending. Timers that the page has set
// cannot be known without replacing its functions, which it could see.
// A page that does not answer is busy.
const ANSWER_TIMEOUT_MS = 1000

/** Milliseconds in which the page was quiet, counted from the last call with `restart`, and from zero again if it is not called for five
 * seconds. 0 where Playwright's internals are missing. */
export async function readQuietTime(page: Page, restart: boolean): Promise<number> {
  const read = async (root: ReturnType<Page['locator']>) => {
    const reading = await settleWithin(ANSWER_TIMEOUT_MS, evaluateInternally(root, readInPage, restart))
    return reading && 'result' in reading ? reading.result : 0
  }
  const times = await Promise.all(page.frames().map((frame) => read(frame.locator(':root'))))
  return Math.min(requestQuietTime(page), ...times)
}
