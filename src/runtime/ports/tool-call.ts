// One call of a tool on a session, as a record: made once from the tool's data and its input, and carried through every step.

import type { OpenSession } from './open-session.ts'
import type { Deadline, Image, Page } from './page.ts'
import type { Outcome } from '../../core/failure.ts'
import type { Origin } from '../../core/network/host-rules.ts'

/** What the user is asked about: an origin, and where its name leads now. */
export interface HostQuestion extends Origin {
  readonly addresses: readonly string[]
}

/** Asks the user about a host for the named session; only a clear yes is true. */
export type AskUser = (question: HostQuestion, session: string) => Promise<boolean>

/** Who calls, and how to reach them. */
export interface Caller {
  readonly owner: string
  /** Aborts when the caller takes the call back. */
  readonly signal: AbortSignal
  /** Reports what a long call waits for; does nothing where the client did not ask for progress. */
  readonly progress: (text: string) => void
  /** Undefined where nobody can be asked. */
  readonly ask: AskUser | undefined
  /** Size limit of a failure's picture; undefined is no limit. */
  readonly maximumPixels?: number
}

export interface ToolCall extends Caller {
  /** Id or name of the session; undefined is the owner's only session, where that is allowed. */
  readonly sessionKey: string | undefined
  /** What the call does, for the journal and for failures: `click #send`. */
  readonly description: string
  /** Which default timeout holds where the caller names none. */
  readonly timeoutKind: 'action' | 'navigation'
  /** Milliseconds, named by the caller. */
  readonly timeout?: number
  /** Milliseconds after the timeout in which the page may still explain itself. */
  readonly graceMs: number
  /** Whether it changes the page, so that evidence begins anew with it and its answer reports changes. */
  readonly changesPage: boolean
  /** Whether it shows what the page made others say, so that the page's secrets must be known first. */
  readonly readsPageOutput?: boolean
  /** The address that it opens: the host rules are asked before its time begins. */
  readonly opensUrl?: string | undefined
}

/** What a tool answers: `data` as text, and as structured content where no images follow it. */
export interface ToolResult {
  readonly data: object
  readonly images?: readonly Image[]
}

export type PageBody<T> = (page: Page, deadline: Deadline, session: OpenSession) => Promise<Outcome<T>>

export type SessionBody<T> = (session: OpenSession) => Promise<Outcome<T>>
