// Actions on one element, and why they failed: one check in the page finds the obstacle; if it is gone by then, Playwright's log contains what
// it last waited for.

import { attempt, isTimeout, stripColors, waitedTimeOf } from '../playwright/errors.ts'
import { playwrightOptions, type PlaywrightOptions } from '../playwright/engine.ts'
import { waitForTarget, type AwaitedState } from './wait-for-target.ts'
import { checkActionability } from '../in-page/generated.ts'
import type { Actionability } from '../in-page/actions/actionability.ts'
import {
  evaluateTarget,
  explainRejection,
  explainTimeout,
  describeTarget,
  targetFailure,
  type ResolvedTarget,
} from '../playwright/locator.ts'
import { clip } from '../../base/text/clip.ts'
import type { Failure, Outcome } from '../../base/failure.ts'
import type { Deadline } from '../../base/system/deadline.ts'

const FAILURE_CODES = { click: 'ELEMENT_NOT_CLICKABLE', type: 'ELEMENT_NOT_EDITABLE' } as const

/** Runs `work` on an element once that is in the state. `actionName` is its name in a failure, such as "the hover". */
export const act = <T>(
  element: ResolvedTarget,
  state: AwaitedState,
  actionName: string,
  work: (options: PlaywrightOptions, limit: Deadline) => Promise<T>,
): Promise<Outcome<T>> =>
  attempt(
    waitForTarget(element, state, (limit) => work(playwrightOptions(limit), limit)),
    (error) => explainRefusal(element, error, state === 'editable' ? 'type' : 'click', actionName),
  )

/** Runs `work` on an element once there is one, whatever state it is in. */
export const actOnAny = <T>(
  element: ResolvedTarget,
  work: (options: PlaywrightOptions) => Promise<T>,
): Promise<Outcome<T>> =>
  attempt(
    waitForTarget(element, 'attached', (limit) => work(playwrightOptions(limit))),
    (error) => explainRejection(element, error),
  )

/** The failure of a rejected action. `actionName` is its name in the message, such as "the click". */
export async function explainRefusal(
  element: ResolvedTarget,
  error: Error,
  action: 'click' | 'type',
  actionName: string,
): Promise<Failure> {
  const target = describeTarget(element.target)
  if (!isTimeout(error)) return targetFailure(error, element.target)
  // One message, because the page has little time to answer.
  const options = { action, timeoutMs: 0 } as const
  const state = await evaluateTarget(element, checkActionability, options).catch((): Actionability => ({
    isAmbiguous: true,
  }))
  if (state.isAmbiguous) {
    const timeoutFailure = await explainTimeout(element, error)
    if (timeoutFailure.code === 'ELEMENT_NOT_FOUND') return timeoutFailure
  }
  const { obstacle: reason, by } = state.obstacle ? state : obstacleFromLog(stripColors(error.message))
  const waited = waitedTimeOf(error, element.deadline)
  return reason
    ? { code: FAILURE_CODES[action], target, reason, ...waited, ...(by && { by }) }
    : { code: 'TIMEOUT', waitedFor: `${actionName} on ${target} to complete`, ...waited }
}

function obstacleFromLog(log: string): Actionability {
  const lastLine =
    log
      .split('\n')
      .findLast((line) => /element is not|intercepts pointer|outside of the viewport/.test(line)) ?? ''
  const [from, to] = [lastLine.indexOf('- <'), lastLine.lastIndexOf(' intercepts pointer events')]
  if (from >= 0 && from < to) return { obstacle: 'covered', by: clip(lastLine.slice(from + 2, to), 120) }
  if (/not visible/.test(lastLine)) return { obstacle: 'hidden' }
  if (/not enabled/.test(lastLine)) return { obstacle: 'disabled' }
  if (/not editable/.test(lastLine)) return { obstacle: 'read_only' }
  if (/viewport/.test(lastLine)) return { obstacle: 'outside' }
  return /not stable/.test(lastLine) ? { obstacle: 'moving' } : {}
}
