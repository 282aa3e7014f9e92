// A page that a server rendered shows its controls before its framework has attached their handlers: a click in between is lost. While
// scripts of such a page load or have just been loaded, a click waits until the element is known to the framework.

import type { Locator } from 'playwright'
import { waitForHydration, type HydrationState } from '../in-page/actions/hydration-state.ts'
import type { ScriptActivity } from '../network/network-requests.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import { onElement } from '../playwright/element-functions.ts'
import { remainingTime, type ResolvedTarget } from '../playwright/locator.ts'
import type { Target } from '../../runtime/ports/page.ts'

// Milliseconds after its last script in which a page may still be attaching its handlers.
const EXECUTION_MS = 1000
// Where the framework leaves no mark, milliseconds without a script after which it is taken for started.
const QUIET_MS = 300
const ROUND_MS = 250
const ANSWER_MS = 500

const NOTE =
  'The page was still loading its scripts or hydrating and may have ignored this action: check what it shows.'

/** Waits, and answers a note where the wait was given up. Costs nothing on a page whose scripts are done. */
export async function awaitHydration(
  { locator, target, call }: ResolvedTarget,
  scripts: ScriptActivity,
): Promise<string> {
  const since = performance.now()
  const isBusy = () => scripts.pendingCount() > 0 || scripts.msSinceLastLoad() < EXECUTION_MS
  let isWaiting = false
  while (isBusy() && !call.signal.aborted) {
    const state = await settleWithin(ROUND_MS + ANSWER_MS, ask(locator, target))
    // Without an answer it is busy executing.
    if (state instanceof Error || state === 'ready') return ''
    isWaiting = state === 'waiting'
    if (state === 'unknown' && scripts.pendingCount() === 0 && scripts.msSinceLastLoad() > QUIET_MS) return ''
    if (remainingTime(call, since) < call.timeout / 2) return NOTE
  }
  return isWaiting ? NOTE : ''
}

// The marks of frameworks are properties of elements, which only the page's own world has.
async function ask(locator: Locator, target: Target): Promise<HydrationState> {
  if ('selector' in target) return locator.evaluateAll(waitForHydration, ROUND_MS)
  const element = await locator.elementHandle({ timeout: ROUND_MS })
  if (!element) return 'ready'
  return element
    .evaluate(onElement(waitForHydration), ROUND_MS)
    .finally(() => void element.dispose().catch(() => {}))
}
