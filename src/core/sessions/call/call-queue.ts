// Calls with the same key run in order of arrival; calls with different keys run concurrently.

import type { Failure, Outcome } from '../../base/failure.ts'
import type { Clock } from '../../base/system/timer.ts'
import type { Evidence } from '../../tool/evidence.ts'
import type { ToolCall, ToolOutcome } from '../../tool/tool-call.ts'
import type { Session } from '../store/session.ts'
import type { OpeningSession } from '../types/owned-session.ts'

interface CallQueue {
  /** The number of calls with this key that wait or run. */
  size(key: string): number
  /** The maximum timeout in milliseconds of the calls with this key that wait or run; 0 if there are none. */
  maximumTimeout(key: string): number
  /** The number of calls with any key that wait or run. */
  total(): number
  /** Whether the call with this key that runs only reads. */
  isReading(key: string): boolean
  /** Runs `job` after every earlier job with the same key has settled, even if one of them failed. */
  add<T>(key: string, job: () => Promise<T>, options?: JobOptions): QueuedJob<T>
}

interface QueuedJob<T> {
  readonly result: Promise<T>
  /** Takes the job out of the queue, so that its result never settles. False if it has begun. */
  leave(): boolean
}

interface JobOptions {
  /** The job's own timeout, in milliseconds. */
  readonly timeout?: number
  /** Whether it only reads the page. */
  readonly isRead?: boolean
}

interface QueueEntry extends Required<JobOptions> {
  start(): void
}

export function createCallQueue(): CallQueue {
  // The first entry of a queue is the one that runs.
  const queues = new Map<string, QueueEntry[]>()
  const entriesOf = (key: string): readonly QueueEntry[] => queues.get(key) ?? []

  function startNext(key: string, queue: QueueEntry[]): void {
    queue.shift()
    if (queue[0]) queue[0].start()
    else queues.delete(key)
  }

  return {
    size: (key) => entriesOf(key).length,
    maximumTimeout: (key) => Math.max(0, ...entriesOf(key).map(({ timeout }) => timeout)),
    isReading: (key) => entriesOf(key)[0]?.isRead ?? false,
    total: () => [...queues.values()].reduce((sum, queue) => sum + queue.length, 0),
    add<T>(
      key: string,
      job: () => Promise<T>,
      { timeout = 0, isRead = false }: JobOptions = {},
    ): QueuedJob<T> {
      const queue = queues.get(key) ?? []
      queues.set(key, queue)
      let start = () => {}
      const result = new Promise<T>((resolve, reject) => {
        start = () =>
          void job()
            .then(resolve, reject)
            .then(() => startNext(key, queue))
      })
      const entry: QueueEntry = { timeout, isRead, start }
      queue.push(entry)
      if (queue.length === 1) start()
      return {
        result,
        leave() {
          const index = queue.indexOf(entry)
          if (index > 0) queue.splice(index, 1)
          return index > 0
        },
      }
    },
  }
}

/** A tool call whose session is resolved: the same record, with the session and the timeout that applies. */
export interface SessionCall extends ToolCall {
  readonly session: OpeningSession
  /** Milliseconds, from the start of its turn. */
  readonly timeout: number
}

/** What the steps of a call need from the session manager. */
export interface CallSteps {
  resolveSession(call: ToolCall): Promise<ToolOutcome<OpeningSession>>
  /** Runs `work` while the call counts as activity of its session. */
  countCall<T>(session: OpeningSession, work: () => Promise<T>): Promise<T>
  timeoutOf(session: Session, kind: ToolCall['timeoutKind']): number
  /** The evidence of a failure that has just happened on a page; undefined if there is none. */
  gatherEvidence(
    session: OpeningSession,
    failure: Failure,
    call: Pick<ToolCall, 'maximumPixels' | 'changesPage' | 'omitsEvidence'> & Partial<ToolCall>,
  ): Promise<Evidence | undefined>
  endReasonOf(session: Session): Failure
  readonly queue: CallQueue
  readonly clock: Clock
}

/** The user has not answered yet: the call has left its turn and is queued again after the answer. */
export interface PendingAnswer {
  readonly answer: Promise<Outcome<void>>
}
