// The sessions as tools see them.

import type { Candidate, PageOptions } from './browsers.ts'
import type { Artifact } from './files.ts'
import type { OpenSession } from './open-session.ts'
import type { Image } from './page.ts'
import type { Caller, PageBody, SessionBody, ToolCall, ToolResult } from './tool-call.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import type { ServerRequest } from '../../core/dev-server.ts'
import type { Redactor } from '../../core/redaction/redactor.ts'
import type { HostRule } from '../../core/network/host-rule.ts'
import type { Session } from '../../core/session/session.ts'

export interface SessionRequest extends PageOptions {
  readonly name?: string
  readonly actionTimeout?: number
  readonly sessionTimeout?: number
  readonly server?: ServerRequest
  readonly trace?: TraceMode
  /** The hosts that its pages may reach, beside what the process allows. */
  readonly allowedHosts?: readonly HostRule[]
}

/** `on`: one trace of the whole session; `on-failure`: one of what led to each failure. */
export type TraceMode = 'off' | 'on' | 'on-failure'

/** The sessions as tools see them. `key` is an id or a name; undefined means the owner's only session where that is allowed. Over HTTP
 * without authentication a full id is a handle that anyone may use; whose session it names is decided behind this port. */
export interface SessionManager {
  create(
    owner: string,
    request: SessionRequest,
    call: Pick<Caller, 'signal' | 'progress'>,
  ): Promise<Outcome<OpenSession>>
  /** Ends a session; the message says what became of its server. */
  close(owner: string, key: string | undefined): Promise<Outcome<{ id: string; message: string }>>
  list(owner: string): readonly Session[]
  /** How many sessions there are, of all owners. */
  count(): number
  /** How many calls run or wait for their turn. */
  calls(): number
  /** Calls `listener` when a session of this owner has opened or ended, until the returned function is called. */
  watch(owner: string, listener: () => void): () => void
  /** Runs a call on the page: in its turn, within its deadline. */
  runOnPage<T>(call: ToolCall, body: PageBody<T>): Promise<Outcome<T>>
  /** The same for a tool: its result also says what the page did, and what changed. */
  runPageTool(call: ToolCall, body: PageBody<ToolResult>): Promise<Outcome<ToolResult>>
  /** Runs a call that needs no page, and so waits for none. */
  runOnSession<T>(call: ToolCall, body: SessionBody<T>): Promise<Outcome<T>>
  /** Hides what must not be shown of this session, or of any where there is none. */
  redactor(owner: string, key: string | undefined): Redactor
  /** Evidence of a call's failure; undefined where there is nothing to look at. Of a call on a page it shows the page as the call left it.
   * The picture has at most `maximumPixels`. */
  evidence(
    owner: string,
    key: string | undefined,
    failure: Failure,
    maximumPixels: number,
  ): Promise<Evidence | undefined>
}

export interface ClosableSessionManager extends SessionManager {
  /** Closes every session; servers get `patience` milliseconds. Settles when all is released. */
  end(patience: number): Promise<void>
}

/** What there is nothing of is left out. */
export interface Evidence {
  /** Left out where it is the browser's own about an address without an answer. */
  readonly page?: { readonly url: string; readonly title?: string }
  /** How the dev server ended, if it did: usually the cause, and told first. */
  readonly serverEnded?: string
  readonly stderr?: readonly string[]
  /** Errors that it printed on stdout, as build tools do. */
  readonly stdout?: readonly string[]
  readonly console?: readonly string[]
  readonly requests?: readonly string[]
  readonly candidates?: readonly Candidate[]
  readonly timeline?: readonly string[]
  /** Why what is not there is not there. */
  readonly missing?: Readonly<Record<string, string>>
  readonly screenshot?: PictureFile
  /** What led here, for Playwright's trace viewer. */
  readonly trace?: Artifact
  /** What `screenshot` names, for clients that show the pictures of failures. */
  readonly image?: Image
}

export type PictureFile = Pick<Artifact, 'path' | 'resource'> & Pick<Image, 'width' | 'height'>
