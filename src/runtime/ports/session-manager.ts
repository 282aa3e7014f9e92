// The session manager as tools see it.

import type { Candidate } from './browsers.ts'
import type { Artifact } from './files.ts'
import type { OpenSession, SessionRequest } from './open-session.ts'
import type { Image } from './page-values.ts'
import type { Caller, PageBody, SessionBody, ToolCall, ToolResult } from './tool-call.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import type { Redactor } from '../../core/redaction/redactor.ts'
import type { Session } from '../../core/session/session.ts'

/** The sessions of all owners. `key` is an id or a name; undefined is the owner's only session. Over HTTP without
 * authentication any client may use a session by its full id; the implementation decides that. */
export interface SessionManager {
  create(
    owner: string,
    request: SessionRequest,
    call: Pick<Caller, 'signal' | 'progress'>,
  ): Promise<Outcome<OpenSession>>
  /** Closes a session; the message describes how its server was stopped. */
  close(owner: string, key: string | undefined): Promise<Outcome<{ name: string; message: string }>>
  list(owner: string): readonly Session[]
  /** The number of sessions of all owners. */
  count(): number
  /** The number of calls that run or wait for their turn. */
  calls(): number
  /** Calls `listener` when a session of this owner has opened or ended, until the returned function is called. */
  watch(owner: string, listener: () => void): () => void
  /** Runs a call on the page, in its turn and within its deadline. */
  runOnPage<T>(call: ToolCall, body: PageBody<T>): Promise<Outcome<T>>
  /** The same for a tool: its result also has page events and what changed. */
  runPageTool(call: ToolCall, body: PageBody<ToolResult>): Promise<Outcome<ToolResult>>
  /** Runs a call that needs no page, without waiting for its turn. */
  runOnSession<T>(call: ToolCall, body: SessionBody<T>): Promise<Outcome<T>>
  /** The redactor of a session, or that of the process if there is no such session; without a key, of all sessions of the owner. */
  redactor(owner: string, key: string | undefined): Redactor
  /** The evidence of a call's failure; undefined if there is none. For a call on a page it is that of the end of the call. The screenshot
   * has at most `maximumPixels`. */
  evidence(
    owner: string,
    key: string | undefined,
    failure: Failure,
    maximumPixels: number,
  ): Promise<Evidence | undefined>
}

export interface ClosableSessionManager extends SessionManager {
  /** Closes every session; dev servers get `graceMs` milliseconds to exit. Resolves when all resources are released. */
  end(graceMs: number): Promise<void>
}

/** The evidence of a failure. Empty parts are omitted. */
export interface Evidence {
  /** Omitted for the browser's own error page. */
  readonly page?: { readonly url: string; readonly title?: string }
  /** What the attempt of the call changed on the page since the last snapshot. */
  readonly changes?: string
  /** Whether a result has reported this page before: its text needs no line then. Not part of the answer. */
  readonly isPageReported?: true
  /** How the dev server exited, if it did: usually the cause, so it comes first. */
  readonly serverEnded?: string
  /** Why the page may not show the latest source files. */
  readonly freshness?: string
  readonly stderr?: readonly string[]
  /** Errors that it printed on stdout, as build tools do. */
  readonly stdout?: readonly string[]
  readonly console?: readonly string[]
  /** The source file and line of the newest error in `console`, and the lines around it. */
  readonly codeFrame?: string
  readonly requests?: readonly string[]
  /** The file, the line and the components of the element that the call acted on. */
  readonly source?: string
  /** `source`: its file and line. */
  readonly candidates?: readonly (Candidate & { readonly source?: string })[]
  /** What happened beside the lines of the other lists and the calls of the caller. */
  readonly timeline?: readonly string[]
  /** The reasons for missing parts. */
  readonly missing?: Readonly<Record<string, string>>
  readonly screenshot?: ScreenshotFile
  /** The trace up to the failure, for Playwright's trace viewer. */
  readonly trace?: Artifact
  /** The image in `screenshot`, for clients that show images of failures. */
  readonly image?: Image
}

export type ScreenshotFile = Pick<Artifact, 'path' | 'resource'> & Pick<Image, 'width' | 'height'>
