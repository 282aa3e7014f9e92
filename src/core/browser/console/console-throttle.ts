// A page that prints a hundred thousand lines keeps the browser so busy that every other session waits. So in Chromium the lines are
// thinned out where they are made, by a script that runs before the page's own: the first of a burst pass, a few a second after them,
// and the last ones of a moment; the rest is counted. What passes has the script on top of its stack, and Playwright names only the top
// of a stack as the place of a line, so console-messages.ts removes it.

import type { BrowserContext } from 'playwright'
import { throttleConsoleInPage } from '../in-page/generated.ts'

/** The names of the functions of the script that pass a line on, at once or a moment later. */
export const EMIT_FUNCTION_NAME = 'footlightConsoleLine'
export const FLUSH_FUNCTION_NAME = 'footlightConsoleLater'
/** The line that tells how many were left out. */
export const OMITTED_LINES_NOTICE = '%d console lines exceeded the rate limit and were dropped'

/** Thins out what the pages of a context print. */
export const throttleConsole = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(throttleConsoleInPage, NAMES)

const NAMES = [EMIT_FUNCTION_NAME, FLUSH_FUNCTION_NAME, OMITTED_LINES_NOTICE] as const

/** The same for a worker, which has no window, and no timers before it begins. */
export const WORKER_THROTTLE = `((window) => (${String(throttleConsoleInPage)})(${JSON.stringify(NAMES)}))({
  console,
  MessageChannel,
  setTimeout: (...values) => setTimeout(...values),
})`
