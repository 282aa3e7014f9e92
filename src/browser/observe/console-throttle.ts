// A page that prints a hundred thousand lines keeps the browser so busy that every other session waits. So in Chromium the lines are
// thinned out where they are made, by a script that runs before the page's own: the first of a burst pass, a few a second after them,
// and the last ones of a moment; the rest is counted. What passes has the script on top of its stack, and Playwright names only the top
// of a stack as the place of a line, so console-events.ts takes it off.

import type { BrowserContext } from 'playwright'

/** What the functions of the script are called that pass a line on, at once or a moment later. */
export const TAKE = 'footlightConsoleLine'
export const LATER = 'footlightConsoleLater'
/** The line that tells how many were left out. */
export const NOTICE = '%d console lines exceeded the rate limit and were dropped'

/** Thins out what the pages of a context print. */
export const throttleConsole = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(thinOut, [TAKE, LATER, NOTICE] as const)

// --- internal ---

// Runs inside the page, so it may use nothing but its arguments and the DOM.
function thinOut([take, later, notice]: readonly [string, string, string]): void {
  // Lines of a burst, more of them with each moment, those kept of its end; milliseconds of a moment.
  const BURST = 600
  const MORE = 200
  const LAST = 50
  const MOMENT = 100
  type Method = (...values: unknown[]) => void
  const methods = console as unknown as Record<string, Method>
  const { apply } = Reflect
  const {
    setTimeout,
    console: { warn },
  } = window
  const now = performance.now.bind(performance)

  const thinned = () => {
    let free = BURST
    let until = 0
    let lost = 0
    const held: [Method, unknown, unknown[]][] = []
    const flush = {
      [later]: () => {
        if (lost > 0) warn(notice, lost)
        lost = 0
        for (const line of held.splice(0)) apply(...line)
      },
    }[later]!
    return {
      [take]: (method: Method, self: unknown, values: unknown[]) => {
        const time = now()
        if (time >= until) {
          flush()
          free = Math.min(BURST, free + MORE * Math.ceil((time - until) / MOMENT))
          until = time + MOMENT
        }
        if (free > 0) {
          free -= 1
          return apply(method, self, values)
        }
        if (held.length === 0) setTimeout(flush, MOMENT)
        if (held.push([method, self, values]) > LAST) lost += held.splice(0, 1).length
      },
    }[take]!
  }
  // So many lines of the one kind do not cost a line of the other.
  for (const kind of [
    ['error', 'assert', 'warn'],
    ['log', 'info', 'debug', 'trace', 'dir', 'dirxml', 'table'],
  ]) {
    const apply = thinned()
    for (const name of kind) if (methods[name]) methods[name] = new Proxy(methods[name], { apply })
  }
}
