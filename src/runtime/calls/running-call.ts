import type { CallQueue } from './call-queue.ts'
import type { PageAfterCall, Position } from './describe-changes.ts'
import type { Clock } from '../clock.ts'
import type { PageBody, ToolCall } from '../ports/tool-call.ts'
import type { SessionResources } from '../resources/session-resources.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import type { Session } from '../../core/session/session.ts'

/** A session with what it holds; `ended` aborts when it ends. */
export interface HeldSession {
  readonly record: Session
  readonly resources: SessionResources
  readonly ended: AbortSignal
}

/** What the steps need of the session manager. */
export interface CallSteps {
  resolveSession(call: ToolCall): Promise<Outcome<HeldSession>>
  /** Runs `work` while the call counts as activity of its session. */
  countCall<T>(session: HeldSession, work: (session: HeldSession) => Promise<T>): Promise<T>
  timeoutOf(session: Session, kind: ToolCall['timeoutKind']): number
  /** The failure as a record of its own, with its evidence kept beside it. */
  explain(resources: SessionResources, failure: Failure, maximumPixels?: number): Promise<Failure>
  whyEnded(session: Session): Failure
  readonly queue: CallQueue
  readonly clock: Clock
}

/** A call whose session is known; it goes through the steps that are left. */
export interface RunningCall<T> extends HeldSession {
  readonly call: ToolCall
  readonly steps: CallSteps
  /** Milliseconds from when its turn begins. */
  readonly timeout: number
  readonly body: PageBody<T>
  readonly describe?: (result: T, start: Position, after: PageAfterCall) => Promise<T>
}
