// Presses the mouse on the element to drag. Libraries that start a drag after a long press set a timer on mousedown, and cancel when the
// mouse moves before it fires: so the press waits for the timers that it has started, if any.

import type { Locator, Page } from 'playwright'
import { playwrightOptions } from '../playwright/playwright-options.ts'
import { watchTimers } from '../in-page/actions/press-timers.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { MouseButton } from '../../runtime/ports/page/mouse.ts'

/** Presses the mouse button at the current position, over the element, and waits for the timers that this starts. */
export async function pressAndHold(
  page: Page,
  source: Locator,
  deadline: Deadline,
  button: MouseButton = 'left',
): Promise<void> {
  const waitForTimers = await source.evaluateHandle(watchTimers, undefined, playwrightOptions(deadline))
  await page.mouse.down({ button })
  await waitForTimers.evaluate((wait) => wait()).catch(() => {})
  await waitForTimers.dispose().catch(() => {})
}
