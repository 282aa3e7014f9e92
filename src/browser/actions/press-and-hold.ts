// Pressing the mouse on what is to be dragged. Libraries that start a drag only after the button was held set a timer when it goes down, and
// give up when the mouse moves before: so the press waits for the timers that it has set off, if there are any.

import type { Locator, Page } from 'playwright'
import type { Call } from '../../runtime/ports/page.ts'

/** Presses where the mouse is, over the element, and holds it as long as the page makes it wait. */
export async function pressAndHold(page: Page, source: Locator, call: Call): Promise<void> {
  const watched = await source.evaluateHandle(watchTimers, undefined, { ...call })
  await page.mouse.down()
  await watched.evaluate((held) => held()).catch(() => {})
  await watched.dispose().catch(() => {})
}

// Runs inside the page, in its own world; the answer waits until the timers are over that were set since.
function watchTimers(): () => Promise<void> {
  const [SHORTEST_MS, LONGEST_MS] = [20, 1500]
  const { setTimeout: set, clearTimeout: clear } = window
  const open = new Set<unknown>()
  let last = 0
  let wake = () => {}
  const end = (id: unknown) => {
    open.delete(id)
    if (open.size === 0) wake()
  }
  const watching = (run: TimerHandler, ms = 0, ...given: unknown[]): number => {
    if (typeof run !== 'function' || ms < SHORTEST_MS || ms > LONGEST_MS) return set(run, ms, ...given)
    const id: number = set(() => {
      end(id)
      run(...given)
    }, ms)
    open.add(id)
    last = Math.max(last, ms)
    return id
  }
  const clearing = (id?: number): void => {
    clear(id)
    end(id)
  }
  Object.assign(window, { setTimeout: watching, clearTimeout: clearing })
  return async () => {
    if (window.setTimeout === (watching as unknown)) window.setTimeout = set
    const over = new Promise<void>((resolve) => (wake = resolve))
    if (open.size > 0) await Promise.race([over, new Promise((resolve) => set(resolve, last + SHORTEST_MS))])
    if (window.clearTimeout === clearing) window.clearTimeout = clear
  }
}
