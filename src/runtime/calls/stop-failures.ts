// The failure of a call that was stopped by its deadline, by its caller or by the end of its session.

import { race, type StopReason, type StoppedWork } from './deadline.ts'
import type { RunningCall } from './running-call.ts'
import type { OwnedPage } from '../ports/browsers.ts'
import type { Failure } from '../../core/failure.ts'

type Stoppable = Pick<RunningCall<never>, 'call' | 'record' | 'steps' | 'timeout'>

export function failureOfStopped(
  stop: StopReason,
  { record, steps, timeout }: Stoppable,
  waitedFor: string,
): Failure {
  if (stop === 'closed') return steps.endReasonOf(record)
  return stop === 'cancelled' ? { code: 'CANCELLED' } : { code: 'TIMEOUT', waitedFor, waited: timeout }
}

/** The same for a call whose body has not started. */
export function failureOfUnstarted(stop: StopReason, running: Stoppable, waitedFor: string): Failure {
  const failure = failureOfStopped(stop, running, waitedFor)
  return failure.code === 'TIMEOUT' ? { ...failure, begun: false } : failure
}

// A call that is cancelled immediately may not have reached the page yet.
const UNSENT_CALL_TIMEOUT_MS = 200

/** The same for a call whose body was running: a script that it left running would block the next call, so the page is recovered. */
export async function failureOfStoppedBody(
  { stopped: stop, rest }: StoppedWork,
  running: Stoppable,
  page: OwnedPage,
): Promise<Failure> {
  const { call, record, steps, timeout } = running
  if (stop === 'closed') return steps.endReasonOf(record)
  if (stop === 'cancelled') await race(UNSENT_CALL_TIMEOUT_MS, [], () => rest)
  const state = await page.recover()
  if (stop === 'cancelled' || state === 'answering') return failureOfStopped(stop, running, call.description)
  return { code: 'PAGE_HUNG', url: page.url(), waited: timeout, freed: state === 'freed' }
}
