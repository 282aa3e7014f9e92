// What an action set off is waited for a little: its requests, the page that they lead to, and what the page makes of them.

import type { Dialogs } from './dialogs.ts'
import type { NetworkRequests } from '../network/network-requests.ts'
import { inTurn } from '../playwright/internals.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import type { Tab } from './tabs.ts'
import { parseUrl } from '../../core/network/parse-url.ts'

const REQUESTS_MS = 500
const ARRIVAL_MS = 2000

// One turn of the page, by a message, because pages replace their timers: what was queued before it has been done.
const TURN =
  'new Promise((done) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = () => done(0); port2.postMessage(0) })'
// Two turns of the page: in the first it is given what came, in the second it has reported its errors.
const TURNS = 'new Promise((done) => setTimeout(() => setTimeout(done)))'

/** What is still under way then, as method and url: requests that the action set off, and scripts of the page, without a response. */
export async function settle(
  { page, recovery }: Tab,
  requests: NetworkRequests,
  dialogs: Dialogs,
): Promise<readonly string[]> {
  // The answer of an action may overtake the requests and the rejected promises that it set off; a question to the page does not. It costs
  // about a millisecond, and a bare success for a click that threw would cost a turn of the agent.
  const cdp = await recovery.cdp
  const ask = (expression: string, awaitPromise: boolean): Promise<unknown> =>
    cdp ? cdp.send('Runtime.evaluate', { expression, awaitPromise }) : page.evaluate(expression)
  await inTurn(inTurn(settleWithin(REQUESTS_MS, ask(TURN, true))))
  const unanswered = () => requests.unanswered(parseUrl(page.url())?.origin ?? '')
  if (!(await requests.settled(REQUESTS_MS))) return unanswered()
  await page.waitForLoadState('domcontentloaded', { timeout: ARRIVAL_MS }).catch(() => {})
  if (!dialogs.current()) await inTurn(inTurn(settleWithin(REQUESTS_MS, ask(TURNS, true))))
  await requests.settled(REQUESTS_MS)
  return unanswered()
}
