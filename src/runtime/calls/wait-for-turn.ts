// Calls of one session run one after the other. Every call has its own deadline, so waiting is bounded without a timeout; only a call with
// a shorter timeout than those before it waits no longer than that.

import { race } from './deadline.ts'
import { createDeferred } from './deferred.ts'
import type { RunningCall } from './running-call.ts'
import { failureOfUnstarted } from './stop-failures.ts'
import type { Outcome } from '../../core/failure.ts'
import { err } from '../../core/result.ts'

const QUEUE_LIMIT = 100

/** The user has not answered yet: the call has left its turn and is queued again after the answer. */
export interface PendingAnswer {
  readonly answer: Promise<Outcome<void>>
}

/** Runs `work` in the call's turn. A call that waits for the user leaves the queue meanwhile. */
export async function waitForTurn<T>(
  running: RunningCall<T>,
  work: (running: RunningCall<T>) => Promise<Outcome<T> | PendingAnswer>,
): Promise<Outcome<T>> {
  const outcome = await runInQueue(running, work)
  if (!('answer' in outcome)) return outcome
  const answer = await outcome.answer
  const { opensUrl: _, ...call } = running.call
  return answer.ok ? waitForTurn({ ...running, call }, work) : answer
}

async function runInQueue<T>(
  running: RunningCall<T>,
  work: (running: RunningCall<T>) => Promise<Outcome<T> | PendingAnswer>,
): Promise<Outcome<T> | PendingAnswer> {
  const { record, call, ended, timeout, steps } = running
  const { queue } = steps
  const queuedCount = queue.size(record.id)
  if (queuedCount >= QUEUE_LIMIT)
    return err({ code: 'SESSION_BUSY', sessionId: record.id, waiting: queuedCount })
  const waitMs = queue.maximumTimeout(record.id) > timeout ? call.timeout : undefined
  let state: 'waiting' | 'running' | 'gone' = 'waiting'
  const started = createDeferred()
  const job = async (): Promise<Outcome<T> | PendingAnswer> => {
    if (state === 'gone') return err({ code: 'CANCELLED' })
    state = 'running'
    started.resolve()
    return work(running)
  }
  const result = queue.run(record.id, job, timeout)
  const raced = await race(waitMs, [call.signal, ended], () => started.promise)
  if ('value' in raced || state !== 'waiting') return result
  state = 'gone'
  result.catch(() => {})
  return err(failureOfUnstarted(raced.stopped, running, `${queuedCount} earlier calls of the same session`))
}
