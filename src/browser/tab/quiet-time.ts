// How long a page has been quiet: its documents do not change, no animation runs and no request is pending. Timers that the page has set
// cannot be known without replacing its functions, which it could see.

import type { Page } from 'playwright'
import { readQuietTime as readInPage } from '../in-page/observe/quiet-time.ts'
import { requestQuietTime } from '../network/request-quiet-time.ts'
import { evaluateInternally } from '../playwright/internals.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'

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
