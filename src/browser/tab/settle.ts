// Waits a little for the effects of an action: its requests, the page that it leads to, and what the page does with them.

import type { Dialogs } from './dialogs.ts'
import type { Tab } from './tab.ts'
import type { NetworkRequests } from '../network/network-requests.ts'
import { afterPendingEvents, evaluateInternally } from '../playwright/internals.ts'
import { settleWithin } from '../../runtime/system/settle-within.ts'
import { parseUrl } from '../../core/text/parse-url.ts'
import type { Page } from 'playwright'
import {
  waitForAnimations as waitInPage,
  readQuietTime as readInPage,
} from '../in-page/observe/quiet-time.ts'
import { requestQuietTime } from '../network/request-activity.ts'

const REQUEST_TIMEOUT_MS = 500
const NAVIGATION_TIMEOUT_MS = 2000
const FIREFOX_ROUNDS = 3

// Resolves in the page's next task. A message channel, because pages replace their timers. A router that handles links in the page may wait
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
  const evaluateInOrder = (expression: string) =>
    afterPendingEvents(afterPendingEvents(settleWithin(REQUEST_TIMEOUT_MS, evaluate(expression))))
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

// --- internal ---

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
