// A call on a session on its way, and what its steps need from the session manager.

import type { Failure, Outcome } from '../../base/failure.ts'
import type { ProlongableDeadline } from '../../base/system/race-deadline.ts'
import type { Clock } from '../../base/system/timer.ts'
import type { Evidence } from '../../tool/evidence.ts'
import type { ToolCall } from '../../tool/tool-call.ts'
import type { JournalEntry } from '../journal/journal.ts'
import type { Session } from '../store/session.ts'
import type { OpeningSession, OwnedSession } from './owned-session.ts'
import type { Page } from './page.ts'
import type { SessionManager } from './session-manager.ts'

/** Calls with the same key run in order of arrival; calls with different keys run concurrently. */
export interface CallQueue {
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

export interface QueuedJob<T> {
  readonly result: Promise<T>
  /** Takes the job out of the queue, so that its result never settles. False if it has begun. */
  leave(): boolean
}

export interface JobOptions {
  /** The job's own timeout, in milliseconds. */
  readonly timeout?: number
  /** Whether it only reads the page. */
  readonly isRead?: boolean
}

/** A tool call with its session and the timeout that applies. */
export interface SessionCall extends ToolCall {
  readonly session: OpeningSession
  /** Milliseconds, from the start of its turn. */
  readonly timeout: number
}

/** What the steps of a call need from the session manager. */
export interface CallSteps {
  readonly resolveSession: SessionManager['resolve']
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

/** The state of a session before a call: the `seq` of the newest journal entry, and where the page was. */
export interface Position {
  readonly seq: number
  readonly url: string
  /** Unix milliseconds. */
  readonly at: number
}

export interface PageAfterCall {
  readonly page: Page
  readonly deadline: ProlongableDeadline
  readonly session: OwnedSession
  /** Milliseconds that the call itself has left; without a limit if its caller named no timeout. */
  readonly remaining: number
}

/** An action that succeeded. */
export interface FinishedAction extends PageAfterCall {
  readonly start: Position
  readonly call: Pick<ToolCall, 'timeoutKind'>
  /** What the console, the network and the server reported, once the page has settled and the result of the action is checked. */
  readonly newEntries: Promise<readonly JournalEntry[]>
}
