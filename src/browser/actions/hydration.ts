// A page that a server rendered shows its controls before its framework has attached their handlers: a click in between is lost. While
// scripts of such a page load or have just been loaded, a click waits until the element is known to the framework.

import type { Locator } from 'playwright'
import { waitForHydration, type HydrationState } from '../in-page/actions/hydration-state.ts'
import type { ScriptActivity } from '../network/pending-requests.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import { onElement } from '../playwright/element-functions.ts'
import { remainingTime, type ResolvedTarget } from '../playwright/locator.ts'
import type { Target } from '../../runtime/ports/page.ts'

// After its last script a page may attach its handlers for this time.
const EXECUTION_MS = 1000
// Where the framework leaves no mark, it counts as started after this time without a script.
const SCRIPT_QUIET_MS = 300
const CHECK_INTERVAL_MS = 250
const CHECK_TIMEOUT_MS = 500

const HYDRATION_NOTE =
  'The page was still loading its scripts or hydrating and may have ignored this action: check what it shows.'

/** Returns a note where the wait timed out. Costs nothing on a page whose scripts are done. */
export async function waitForHydratedTarget(
  { locator, target, call }: ResolvedTarget,
  scripts: ScriptActivity,
): Promise<string> {
  const since = performance.now()
  const isBusy = () => scripts.pendingCount() > 0 || scripts.msSinceLastLoad() < EXECUTION_MS
  let isWaiting = false
  while (isBusy() && !call.signal.aborted) {
    const state = await settleWithin(
      CHECK_INTERVAL_MS + CHECK_TIMEOUT_MS,
      readHydrationState(locator, target),
    )
    // Without an answer it is busy executing.
    if (state instanceof Error || state === 'ready') return ''
    isWaiting = state === 'waiting'
    if (state === 'unknown' && scripts.pendingCount() === 0 && scripts.msSinceLastLoad() > SCRIPT_QUIET_MS)
      return ''
    if (remainingTime(call, since) < call.timeout / 2) return HYDRATION_NOTE
  }
  return isWaiting ? HYDRATION_NOTE : ''
}

// The marks of frameworks are properties of elements, which only the page's own world has.
async function readHydrationState(locator: Locator, target: Target): Promise<HydrationState> {
  if ('selector' in target) return locator.evaluateAll(waitForHydration, CHECK_INTERVAL_MS)
  const element = await locator.elementHandle({ timeout: CHECK_INTERVAL_MS })
  if (!element) return 'ready'
  return element
    .evaluate(onElement(waitForHydration), CHECK_INTERVAL_MS)
    .finally(() => void element.dispose().catch(() => {}))
}
