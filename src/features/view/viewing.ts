// What people see of sessions, and do in them, through the view. session-views.ts implements it; serve-view.ts serves it.

import type { Outcome } from '../../core/base/failure.ts'
import type { Point } from '../../core/base/geometry.ts'
import type { Frame, PersonInput } from '../../core/sessions/types/person.ts'
import type { HandoverResult, PersonRequest, ToolCall, ToolOutcome } from '../../core/tool/tool-call.ts'
import type {
  CommentedElement,
  PointedElement,
  ShownElement,
  ViewedEntry,
  ViewedPin,
  ViewedSession,
} from './in-page/viewed-session.ts'

declare module '../../core/sessions/types/session-manager.ts' {
  interface SessionManager {
    /** Lends the session to a person and waits until they return it. */
    handOver(
      call: ToolCall,
      request: Pick<PersonRequest, 'reason' | 'timeout'>,
    ): Promise<ToolOutcome<HandoverResult>>
  }

  interface ClosableSessionManager {
    /** The sessions of an owner, or of all, for people. */
    viewsOf(owner?: string): SessionViews
  }
}

/** What viewers ask for. `viewer` names one open page of the view; what it holds ends 10 s after its last request. */
export interface SessionViews {
  list(viewer: string): Promise<readonly ViewedSession[]>
  /** The timeline of a session after an entry, oldest first; `dropped` counts older ones that are gone. */
  read(
    session: string,
    after: number,
  ): Promise<Outcome<{ readonly entries: readonly ViewedEntry[]; readonly dropped: number }>>
  /** The first picture that is newer than `after`; undefined if nothing changes within 10 s. */
  nextFrame(session: string, after: number, signal: AbortSignal): Promise<Outcome<Frame | undefined>>
  /** The person takes the session, once the call that runs has ended. */
  takeOver(viewer: string, session: string): Promise<Outcome<void>>
  giveBack(viewer: string, session: string, note: string): Promise<Outcome<void>>
  /** Fails with SESSION_BUSY unless the viewer has the session. */
  sendInput(viewer: string, session: string, inputs: readonly PersonInput[]): Promise<Outcome<void>>
  elementAt(session: string, point: Point): Promise<Outcome<PointedElement | undefined>>
  /** The elements that the page shows, to move through. */
  elements(session: string): Promise<Outcome<readonly ShownElement[]>>
  /** One of these, with its source. */
  elementOf(session: string, ref: string): Promise<Outcome<PointedElement | undefined>>
  pins(session: string): Promise<Outcome<readonly ViewedPin[]>>
  /** Keeps what a person says about an element that `elementAt` or `elementOf` returned when they chose it. */
  addPin(session: string, element: CommentedElement, note: string): Promise<Outcome<void>>
  /** It is sent again with the others. */
  editPin(session: string, pin: number, note: string): Promise<Outcome<void>>
  removePin(session: string, pin: number): Promise<Outcome<void>>
  /** Tells the agent all that was not sent, together. */
  sendPins(session: string): Promise<Outcome<void>>
}
