import type { Browser } from 'playwright'
import { createDeferred } from '../../runtime/calls/deferred.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import type { Tab } from './tabs.ts'
import type { Outcome } from '../../core/failure.ts'
import { err } from '../../core/result.ts'
import type { BrowserName } from '../../runtime/ports/browsers.ts'

/** What `work` gives, unless `browser` dies or `ms` milliseconds pass first: Playwright may then never answer. */
export async function whileAlive<T>(
  browser: Browser,
  name: BrowserName,
  ms: number,
  work: Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const death = createDeferred<'dead'>()
  const onDisconnected = () => death.resolve('dead')
  browser.once('disconnected', onDisconnected)
  const first = await settleWithin(ms, Promise.race([work, death.promise]))
  browser.off('disconnected', onDisconnected)
  if (first === 'dead' || !browser.isConnected()) return err({ code: 'BROWSER_CRASHED', browser: name })
  if (first === undefined)
    return err({ code: 'BROWSER_ERROR', text: `no page was opened within ${ms} ms`, next: 'Try again.' })
  if (first instanceof Error) throw first
  return first
}

// Milliseconds. The first answer of a new page waits for its process, as does whatever is done with it next.
const PATIENCE = 1000

/** Whether a page that was opened ahead is still there: its end may not have been told. */
export const isAnswering = async ({ recovery, broken }: Tab): Promise<boolean> =>
  !broken() && (await recovery.ask(PATIENCE)) === true
