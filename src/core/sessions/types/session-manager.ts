// The session manager as tools see it.

import type { Outcome } from '../../base/failure.ts'
import type { Redactor } from '../../base/redaction/redactor.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import type { Caller, ToolCall, ToolOutcome, ToolResult } from '../../tool/tool-call.ts'
import type { Session } from '../store/session.ts'
import type { OpenSession, SessionRequest } from './open-session.ts'
import type { OpeningSession } from './owned-session.ts'
import type { Page } from './page.ts'

declare module '../../tool/tool.ts' {
  interface CallContext {
    readonly sessions: SessionManager
  }

  interface ToolContext {
    /** The session that was found when the call came. */
    readonly foundSession?: OpeningSession | undefined
  }
}

declare module '../../tool/tool-call.ts' {
  interface ToolCall {
    readonly session?: OpeningSession | undefined
  }
}

/** The sessions of all owners. `key` is an id or a name; undefined is the owner's only session. Over HTTP without
 * authentication any client may use a session by its full id; the implementation decides that. */
export interface SessionManager {
  create(
    owner: string,
    request: SessionRequest,
    call: Pick<Caller, 'signal' | 'progress'>,
  ): Promise<Outcome<OpenSession>>
  /** The session of a key, if there is one. */
  find(owner: string, key: string | undefined): OpeningSession | undefined
  /** The same, which may be created for this call. Fails as the session has ended, or with the list of several. */
  resolve(call: SessionSearch): Promise<ToolOutcome<OpeningSession>>
  /** Closes a session; the message describes how its server was stopped. */
  close(owner: string, key: string | undefined): Promise<ToolOutcome<{ name: string; message: string }>>
  list(owner: string): readonly Session[]
  /** The number of sessions of all owners. */
  count(): number
  /** The number of calls that run or wait for their turn. */
  calls(): number
  /** Calls `listener` when a session of this owner has opened or ended, until the returned function is called. */
  watch(owner: string, listener: () => void): () => void
  /** Runs a call on the page, in its turn and within its deadline. */
  runOnPage<T>(call: ToolCall, body: PageBody<T>): Promise<ToolOutcome<T>>
  /** The same for a tool: its result also has page events and what changed. */
  runPageTool(call: ToolCall, body: PageBody<ToolResult>): Promise<ToolOutcome>
  /** Runs a call that needs no page, without waiting for its turn. */
  runOnSession<T>(call: ToolCall, body: SessionBody<T>): Promise<ToolOutcome<T>>
  /** The redactor of a session, or that of the process if there is no such session; without a key, of all sessions of the owner. */
  redactor(owner: string, key: string | undefined): Redactor
}

export interface ClosableSessionManager extends SessionManager {
  /** Opens no further sessions. Resolves when the open ones have ended and their resources are released. */
  drain(): Promise<void>
  /** Closes every session; dev servers get `graceMs` milliseconds to exit. Resolves when all resources are released. */
  end(graceMs: number): Promise<void>
}

/** Who looks for which session. */
export type SessionSearch = Pick<ToolCall, 'owner' | 'sessionKey' | 'progress'>

export type PageBody<T> = (page: Page, deadline: Deadline, session: OpenSession) => Promise<Outcome<T>>

export type SessionBody<T> = (session: OpenSession) => Promise<Outcome<T>>
