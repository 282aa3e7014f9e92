// The failure of a call that was stopped by its deadline, by its caller or by the end of its session, or that waited for a page that hangs.

import type { Failure, Outcome } from '../../base/failure.ts'
import { err } from '../../base/result.ts'
import { race, type StoppedWork, type StopReason } from '../../base/system/race-deadline.ts'
import type { OwnedPage } from '../types/browsers.ts'
import type { CallSteps, SessionCall } from '../types/call-steps.ts'

export function failureOfStopped(
  steps: CallSteps,
  stopReason: StopReason,
  { session, timeout }: SessionCall,
  waitedFor: string,
): Failure {
  if (stopReason === 'closed') return steps.endReasonOf(session.record)
  return stopReason === 'cancelled' ? { code: 'CANCELLED' } : { code: 'TIMEOUT', waitedFor, waited: timeout }
}

/** The same for a call whose body has not started. */
export function failureOfUnstarted(
  steps: CallSteps,
  stopReason: StopReason,
  call: SessionCall,
  waitedFor: string,
): Failure {
  const failure = failureOfStopped(steps, stopReason, call, waitedFor)
  return failure.code === 'TIMEOUT' ? { ...failure, begun: false } : failure
}

// A call that is cancelled immediately may not have reached the page yet.
const UNSENT_CALL_TIMEOUT_MS = 200

/** The same for a call whose body was running: a script that it left running would block the next call, so the page is recovered. */
export async function failureOfStoppedBody(
  steps: CallSteps,
  { stopReason, rest }: StoppedWork,
  call: SessionCall,
  page: OwnedPage,
): Promise<Failure> {
  if (stopReason === 'closed') return steps.endReasonOf(call.session.record)
  if (stopReason === 'cancelled') await race(UNSENT_CALL_TIMEOUT_MS, [], () => rest)
  const state = await page.recover()
  const failure = failureOfStopped(steps, stopReason, call, call.description)
  if (failure.code !== 'TIMEOUT' || state === 'answering') return failure
  return state === 'silent' ? { ...failure, responding: false } : pageHung(page, call.timeout, state)
}

// A page may be busy for some time, and loses what its script was doing if it is freed.
const HANG_MIN_WAIT_MS = 4500

/** The outcome of a body that ended by itself. If it failed after a long wait and the page does not respond, that was the cause, whatever
 * the body made of it; the page is freed. */
export async function recoverAfterWait<T>(
  outcome: Outcome<T>,
  page: OwnedPage,
  waitedMs: number,
): Promise<Outcome<T>> {
  if (outcome.ok || waitedMs < HANG_MIN_WAIT_MS) return outcome
  const state = await page.recover()
  return state === 'answering' || state === 'silent'
    ? outcome
    : err(pageHung(page, Math.round(waitedMs), state))
}

const pageHung = (page: OwnedPage, waited: number, state: 'freed' | 'stuck'): Failure => ({
  code: 'PAGE_HUNG',
  url: page.url(),
  waited,
  freed: state === 'freed',
})
