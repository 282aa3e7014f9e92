// Calls of one session run one after the other. What is ahead of a call ends by deadlines of its own, so a call that failed costs those
// behind it nothing but time; only a call that names a shorter timeout than theirs does not wait so long.

import { race } from './deadline.ts'
import { createDeferred } from './deferred.ts'
import type { RunningCall } from './running-call.ts'
import { failureOfUnstarted } from './stop-failures.ts'
import type { Outcome } from '../../core/failure.ts'
import { err } from '../../core/result.ts'

const QUEUE_LIMIT = 100

/** The user has not answered yet: the call has left its turn and comes again with their answer. */
export interface Unanswered {
  readonly answer: Promise<Outcome<void>>
}

/** Runs `work` in the call's turn. A call that has to wait for the user lets those behind it go first. */
export async function waitForTurn<T>(
  running: RunningCall<T>,
  work: (running: RunningCall<T>) => Promise<Outcome<T> | Unanswered>,
): Promise<Outcome<T>> {
  const outcome = await runInQueue(running, work)
  if (!('answer' in outcome)) return outcome
  const answer = await outcome.answer
  const { opensUrl: _, ...call } = running.call
  return answer.ok ? waitForTurn({ ...running, call }, work) : answer
}

async function runInQueue<T>(
  running: RunningCall<T>,
  work: (running: RunningCall<T>) => Promise<Outcome<T> | Unanswered>,
): Promise<Outcome<T> | Unanswered> {
  const { record, call, ended, timeout, steps } = running
  const { queue } = steps
  const waiting = queue.size(record.id)
  if (waiting >= QUEUE_LIMIT) return err({ code: 'SESSION_BUSY', sessionId: record.id, waiting })
  const waitMs = queue.longest(record.id) > timeout ? call.timeout : undefined
  let state: 'waiting' | 'running' | 'gone' = 'waiting'
  const started = createDeferred()
  const job = async (): Promise<Outcome<T> | Unanswered> => {
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
  return err(failureOfUnstarted(raced.stopped, running, `${waiting} earlier calls of the same session`))
}
