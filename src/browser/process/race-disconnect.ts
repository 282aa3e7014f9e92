import type { Browser } from 'playwright'
import type { Tab } from '../tab/tab.ts'
import type { BrowserName } from '../../core/browser-names.ts'
import type { Outcome } from '../../core/failure.ts'
import { err } from '../../core/result.ts'
import { createDeferred } from '../../runtime/calls/deferred.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'

/** The tab that `opening` resolves to, or a failure when `browser` disconnects or the timeout passes first: Playwright may then never
 * answer. */
export async function raceDisconnect(
  browser: Browser,
  name: BrowserName,
  timeoutMs: number,
  opening: Promise<Outcome<Tab>>,
): Promise<Outcome<Tab>> {
  const disconnection = createDeferred<'disconnected'>()
  const onDisconnected = () => disconnection.resolve('disconnected')
  browser.once('disconnected', onDisconnected)
  const result = await settleWithin(timeoutMs, Promise.race([opening, disconnection.promise]))
  browser.off('disconnected', onDisconnected)
  if (result === 'disconnected' || !browser.isConnected())
    return err({ code: 'BROWSER_CRASHED', browser: name })
  if (result === undefined)
    return err({
      code: 'BROWSER_ERROR',
      text: `no page was opened within ${timeoutMs} ms`,
      next: 'Try again.',
    })
  if (result instanceof Error) throw result
  return result
}
