// The failure of a call that was stopped: its deadline passed, its caller took it back, or its session ended.

import { race, type Stop, type Stopped } from './deadline.ts'
import type { RunningCall } from './running-call.ts'
import type { OwnedPage } from '../ports/browsers.ts'
import type { Failure } from '../../core/failure.ts'

type Stoppable = Pick<RunningCall<never>, 'call' | 'record' | 'steps' | 'timeout'>

export function failureOfStopped(
  stop: Stop,
  { record, steps, timeout }: Stoppable,
  waitedFor: string,
): Failure {
  if (stop === 'closed') return steps.whyEnded(record)
  return stop === 'cancelled' ? { code: 'CANCELLED' } : { code: 'TIMEOUT', waitedFor, waited: timeout }
}

/** The same for a call whose body did not begin. */
export function failureOfUnstarted(stop: Stop, running: Stoppable, waitedFor: string): Failure {
  const failure = failureOfStopped(stop, running, waitedFor)
  return failure.code === 'TIMEOUT' ? { ...failure, begun: false } : failure
}

// A call that is cancelled at once may not have reached the page yet.
const UNSENT_CALL_TIMEOUT_MS = 200

/** The same for a call whose body was running: it may have left a script behind that would keep the next call out, so the page is freed. */
export async function failureOfOverdue(
  { stopped: stop, rest }: Stopped,
  running: Stoppable,
  page: OwnedPage,
): Promise<Failure> {
  const { call, record, steps, timeout } = running
  if (stop === 'closed') return steps.whyEnded(record)
  if (stop === 'cancelled') await race(UNSENT_CALL_TIMEOUT_MS, [], () => rest)
  const state = await page.recover()
  if (stop === 'cancelled' || state === 'answering') return failureOfStopped(stop, running, call.description)
  return { code: 'PAGE_HUNG', url: page.url(), waited: timeout, freed: state === 'freed' }
}
