// Pressing the mouse on what is to be dragged. Libraries that start a drag only after the button was held set a timer when it goes down, and
// give up when the mouse moves before: so the press waits for the timers that it has set off, if there are any.

import type { Locator, Page } from 'playwright'
import { watchTimers } from '../in-page/actions/press-timers.ts'
import type { Call } from '../../runtime/ports/page.ts'

/** Presses where the mouse is, over the element, and holds it as long as the page makes it wait. */
export async function pressAndHold(page: Page, source: Locator, call: Call): Promise<void> {
  const waitForTimers = await source.evaluateHandle(watchTimers, undefined, { ...call })
  await page.mouse.down()
  await waitForTimers.evaluate((wait) => wait()).catch(() => {})
  await waitForTimers.dispose().catch(() => {})
}
