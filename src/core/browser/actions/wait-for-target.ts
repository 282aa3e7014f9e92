// Ends the waiting for an element early where it cannot help: the caller named no timeout, the page is quiet, and the element is missing
// or has an obstacle that only a change of the page removes.

import type { Page } from 'playwright'
import { settleWithin } from '../../base/system/settle-within.ts'
import type { ActionabilityOptions } from '../in-page/actions/actionability.ts'
import { checkActionability } from '../in-page/generated.ts'
import { quietTimeout } from '../playwright/errors.ts'
import { evaluateTarget, type ResolvedTarget } from '../playwright/locator.ts'
import { readQuietTime } from '../tab/page-activity.ts'
import type { Obstacle } from '../../base/failure-records.ts'
import type { Deadline } from '../../base/system/deadline.ts'

/** What an action waits for: `attached` only for the element, the others also until they have no obstacle. */
export type AwaitedState = 'clickable' | 'editable' | 'selectable' | 'visible' | 'attached'

/** Time of waiting after which the page is observed, so that an action on a ready element costs nothing more. */
const WATCH_DELAY_MS = 100
const CHECK_INTERVAL_MS = 250
const MINIMUM_DELAY_MS = 10
const OBSTACLE_QUIET_MS = 2000
export const MISSING_QUIET_MS = 3000

const AWAITED_OBSTACLES: Readonly<Record<AwaitedState, readonly Obstacle[]>> = {
  clickable: ['hidden', 'disabled', 'inert', 'covered', 'clipped', 'passive', 'outside'],
  editable: ['hidden', 'disabled', 'inert', 'read_only'],
  selectable: ['hidden', 'disabled', 'inert'],
  visible: ['hidden'],
  attached: [],
}

/** Runs `wait`, which waits for the element and gets the deadline for that. Where waiting longer cannot help its signal is aborted, and the
 * error is a timeout whose `quietTimeOf` is known. */
export async function waitForTarget<T>(
  element: ResolvedTarget,
  state: AwaitedState,
  wait: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const { deadline, locator } = element
  return endWhenQuiet(locator.page(), deadline, () => neededQuietTime(element, state), wait)
}

/** The same for a wait for anything else on a page. `neededTime` is asked once the page has been quiet for a while. */
export async function endWhenQuiet<T>(
  page: Page,
  deadline: Deadline,
  neededTime: () => Promise<number>,
  wait: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  if (!deadline.isDefault) return wait(deadline)
  const stop = new AbortController()
  const waiting = wait({ ...deadline, signal: AbortSignal.any([deadline.signal, stop.signal]) })
  const waitEnd = waiting.then(
    () => true,
    () => true,
  )
  let quietMs: number | undefined
  const endWait = (ms: number | undefined) => {
    quietMs = ms
    if (ms !== undefined) stop.abort()
  }
  // A page that cannot be watched is waited for.
  waitForQuietPage(page, neededTime, waitEnd).then(endWait, () => {})
  return waiting.catch((error: Error) => {
    throw quietMs === undefined || deadline.signal.aborted ? error : quietTimeout(error, quietMs)
  })
}

// --- internal ---

// The milliseconds in which the page was quiet, once waiting longer cannot help; undefined when the waiting has ended before.
async function waitForQuietPage(
  page: Page,
  neededTime: () => Promise<number>,
  waitEnd: Promise<boolean>,
): Promise<number | undefined> {
  let delayMs = WATCH_DELAY_MS
  let isFirst = true
  while (!(await settleWithin(delayMs, waitEnd))) {
    const quietMs = await readQuietTime(page, isFirst)
    isFirst = false
    const neededMs = quietMs < OBSTACLE_QUIET_MS ? OBSTACLE_QUIET_MS : await neededTime()
    if (quietMs >= neededMs) return quietMs
    delayMs = Math.min(CHECK_INTERVAL_MS, Math.max(MINIMUM_DELAY_MS, neededMs - quietMs))
  }
  return undefined
}

async function neededQuietTime(element: ResolvedTarget, state: AwaitedState): Promise<number> {
  const options: ActionabilityOptions = {
    action: state === 'editable' ? 'type' : 'click',
    timeoutMs: 0,
    keepCaret: true,
  }
  const count = await evaluateTarget(element, (elements) => elements.length, undefined).catch(() => Infinity)
  if (count === 0) return MISSING_QUIET_MS
  const { obstacle } = await evaluateTarget(element, checkActionability, options).catch(
    (): { obstacle?: Obstacle } => ({}),
  )
  return obstacle && AWAITED_OBSTACLES[state].includes(obstacle) ? OBSTACLE_QUIET_MS : Infinity
}
