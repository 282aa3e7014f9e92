// Calls of one session run one after the other. Every call has its own deadline, so waiting is bounded without a timeout; only a call with
// a shorter timeout than those before it waits no longer than that.

import { race } from '../system/deadline.ts'
import { createDeferred } from '../system/settle-within.ts'
import type { CallSteps, SessionCall } from './call-queue.ts'
import type { OpeningSession } from './owned-session.ts'
import type { ToolOutcome } from '../ports/tool-call.ts'
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
  steps: CallSteps,
  call: SessionCall,
  work: (call: SessionCall) => Promise<ToolOutcome<T> | PendingAnswer>,
): Promise<ToolOutcome<T>> {
  const outcome = await runInQueue(steps, call, work)
  if (!('answer' in outcome)) return outcome
  const answer = await outcome.answer
  const { opensUrl: _, ...permittedCall } = call
  return answer.ok ? waitForTurn(steps, permittedCall, work) : answer
}

async function runInQueue<T>(
  steps: CallSteps,
  call: SessionCall,
  work: (call: SessionCall) => Promise<ToolOutcome<T> | PendingAnswer>,
): Promise<ToolOutcome<T> | PendingAnswer> {
  const { timeout } = call
  const { record, endSignal } = call.session
  const { queue } = steps
  const queuedCount = queue.size(record.id)
  if (queuedCount >= QUEUE_LIMIT)
    return err({ code: 'SESSION_BUSY', sessionId: record.id, waiting: queuedCount })
  const waitMs = queue.maximumTimeout(record.id) > timeout ? call.requestedTimeout : undefined
  const start = createDeferred()
  const job = async (): Promise<ToolOutcome<T> | PendingAnswer> => {
    start.resolve()
    return work(call)
  }
  if (leavesDocument(call) && queue.isReading(record.id)) freePage(call.session).catch(() => {})
  const queuedJob = queue.add(record.id, job, { timeout, isRead: call.isRead ?? false })
  const waitResult = await race(waitMs, [call.signal, endSignal], () => start.promise)
  if ('value' in waitResult || !queuedJob.leave()) return queuedJob.result
  return err(
    failureOfUnstarted(
      steps,
      waitResult.stopReason,
      call,
      `${queuedCount} earlier calls of the same session`,
    ),
  )
}

const leavesDocument = ({ opensUrl }: SessionCall): boolean =>
  opensUrl !== undefined && !opensUrl.includes('#')

// A page whose script never ends would hold up what reads it until that has timed out, and then what leaves it.
async function freePage({ ready }: OpeningSession): Promise<void> {
  const openResult = await ready
  if (openResult.ok) await openResult.value.page.recover()
}
