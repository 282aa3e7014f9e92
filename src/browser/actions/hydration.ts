// A server-rendered page shows its controls before its framework has attached their handlers: a click in between has no effect. While
// scripts of such a page load or have just loaded, a click waits until the framework has hydrated the element.

import type { Locator } from 'playwright'
import { waitForHydration, type HydrationState } from '../in-page/actions/hydration-state.ts'
import type { ScriptActivity } from '../network/pending-requests.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import { onElement } from '../playwright/element-functions.ts'
import type { ResolvedTarget } from '../playwright/locator.ts'
import type { Target } from '../../runtime/ports/page/target.ts'

// Time after the last script in which a page may attach its handlers.
const SCRIPT_EXECUTION_MS = 1000
// A framework that marks no elements counts as started after this time without a script.
const SCRIPT_IDLE_MS = 300
const CHECK_INTERVAL_MS = 250
const CHECK_TIMEOUT_MS = 500

const HYDRATION_NOTE =
  'The page was still loading its scripts or hydrating and may have ignored this action: check what it shows.'

/** Returns a note if the wait timed out. Returns at once on a page whose scripts have loaded. */
export async function waitForHydratedTarget(
  { locator, target, deadline }: ResolvedTarget,
  scripts: ScriptActivity,
): Promise<string> {
  const isBusy = () => scripts.pendingCount() > 0 || scripts.msSinceLastLoad() < SCRIPT_EXECUTION_MS
  let isWaiting = false
  while (isBusy() && !deadline.signal.aborted) {
    const state = await settleWithin(
      CHECK_INTERVAL_MS + CHECK_TIMEOUT_MS,
      readHydrationState(locator, target),
    )
    // A page that does not respond is executing scripts.
    if (state instanceof Error || state === 'ready') return ''
    isWaiting = state === 'waiting'
    if (state === 'unknown' && scripts.pendingCount() === 0 && scripts.msSinceLastLoad() > SCRIPT_IDLE_MS)
      return ''
    if (deadline.remaining() < deadline.timeout / 2) return HYDRATION_NOTE
  }
  return isWaiting ? HYDRATION_NOTE : ''
}

// Frameworks mark elements with properties, which only the page's main world has.
async function readHydrationState(locator: Locator, target: Target): Promise<HydrationState> {
  if ('selector' in target) return locator.evaluateAll(waitForHydration, CHECK_INTERVAL_MS)
  const element = await locator.elementHandle({ timeout: CHECK_INTERVAL_MS })
  if (!element) return 'ready'
  return element
    .evaluate(onElement(waitForHydration), CHECK_INTERVAL_MS)
    .finally(() => void element.dispose().catch(() => {}))
}
