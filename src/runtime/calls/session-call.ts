import type { CallQueue } from './call-queue.ts'
import type { Clock } from '../clock.ts'
import type { ToolCall } from '../ports/tool-call.ts'
import type { SessionResources } from '../resources/session-resources.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import type { Session } from '../../core/session/session.ts'

/** A session with its resources; `endSignal` aborts when the session ends. */
export interface ResolvedSession {
  readonly record: Session
  readonly resources: SessionResources
  readonly endSignal: AbortSignal
}

/** A tool call whose session is resolved: the same record, with the session and the timeout that applies. */
export interface SessionCall extends ToolCall, ResolvedSession {
  /** Milliseconds, from the start of its turn. */
  readonly timeout: number
}

/** What the steps of a call need from the session manager. */
export interface CallSteps {
  resolveSession(call: ToolCall): Promise<Outcome<ResolvedSession>>
  /** Runs `work` while the call counts as activity of its session. */
  countCall<T>(session: ResolvedSession, work: (session: ResolvedSession) => Promise<T>): Promise<T>
  timeoutOf(session: Session, kind: ToolCall['timeoutKind']): number
  /** Returns a copy of the failure of a call, and caches its evidence. */
  explain(
    resources: SessionResources,
    failure: Failure,
    call: Pick<ToolCall, 'maximumPixels' | 'changesPage' | 'omitsChanges'>,
  ): Promise<Failure>
  endReasonOf(session: Session): Failure
  readonly queue: CallQueue
  readonly clock: Clock
}
