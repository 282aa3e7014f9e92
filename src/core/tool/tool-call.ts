// One call of a tool on a session, as a record: created once from the client, the tool and its input, and passed through every step with
// its session.

import type { Outcome } from '../base/failure.ts'
import type { Image } from '../base/image.ts'
import type { Origin } from '../base/network/host-rules.ts'
import type { Evidence } from './evidence.ts'

/** A question to the user: an origin and its current addresses. */
export interface HostQuestion extends Origin {
  readonly addresses: readonly string[]
}

/** Asks the user about a host for the named session; true only if the user accepts. */
export type AskUser = (question: HostQuestion, session: string) => Promise<boolean>

/** What a person is asked for, until `signal` aborts. */
export interface PersonRequest {
  readonly session: string
  readonly reason: string
  /** Milliseconds. */
  readonly timeout: number
  readonly signal: AbortSignal
}

/** Asks the user to act in a session; their note once they say that it is done, undefined if they decline. */
export type AskForPerson = (request: PersonRequest) => Promise<{ readonly note: string } | undefined>

/** The client of a call, and how to reach it. */
export interface Caller {
  readonly owner: string
  /** Aborts when the client cancels the call. */
  readonly signal: AbortSignal
  /** Reports the progress of a long call; does nothing if the client did not request progress. */
  readonly progress: (text: string) => void
  /** Undefined if the client does not support elicitation. */
  readonly ask: AskUser | undefined
  /** Asks the user to act in a session. Undefined if the client does not support elicitation. */
  readonly askForPerson?: AskForPerson | undefined
  /** Whether a success leaves out what changed on the page, because another call reports it. */
  readonly omitsChanges?: boolean
  /** Which calls have one answer together. */
  readonly group?: symbol
  /** Whether nobody sees the evidence of a failure, because an earlier one is the answer. */
  readonly omitsEvidence?: boolean
  /** Whether the sessions that it creates stay open until they are closed or the process ends. */
  readonly keepsSessions?: boolean
  /** Size limit of a failure's screenshot; undefined is no limit. */
  readonly maximumPixels?: number
}

export interface ToolCall extends Caller {
  /** Id or name of the session where that is not found yet; undefined is the owner's only session. */
  readonly sessionKey?: string | undefined
  /** What the call does, for the journal and for failures: `click #send`. */
  readonly description: string
  /** Whether its input names one element. */
  readonly hasTarget?: boolean
  /** Which default timeout applies if the call has none. */
  readonly timeoutKind: 'action' | 'navigation'
  /** Milliseconds, if the client set a timeout. */
  readonly requestedTimeout?: number
  /** Milliseconds after the timeout in which the body may still return its own failure. */
  readonly graceMs: number
  /** Whether it changes the page: evidence then starts with this call, and its result reports changes. */
  readonly changesPage: boolean
  /** Whether it reports what other calls changed: evidence does not start with it. */
  readonly reportsOthers?: boolean
  /** Whether it only reads: the timeline leaves out its success. */
  readonly isRead?: boolean
  /** Whether its success is no step on the page. */
  readonly isSilent?: boolean | undefined
  /** The texts that the call enters into fields: as new values of fields they are no news for the caller. */
  readonly enteredTexts?: readonly string[]
  /** Whether it may give another element the focus, which is a change then. */
  readonly movesFocus?: boolean
  /** Whether its result may contain output of the page, so that the page must report its secret fields first. */
  readonly readsPageOutput?: boolean
  /** The URL that it opens: the host rules are checked before its timeout starts. */
  readonly opensUrl?: string | undefined
}

/** The result of a tool: `data` as text, and as structured content if there are no images. */
export interface ToolResult {
  readonly data: object
  /** The URL of the page that the previous result reported. */
  readonly reportedUrl?: string
  /** The `changes` in `data` without the values that the caller entered. */
  readonly otherChanges?: string
  /** Whether the page may still change because of the call. */
  readonly mayChange?: boolean
  readonly images?: readonly Image[]
  /** Checks whether the page has what the call was for, while its effects are waited for; its notes become a part of `data`. */
  readonly check?: () => Promise<Outcome<readonly string[]>>
}

/** What a person has done with a session. */
export interface HandoverResult extends ToolResult {
  readonly data: {
    readonly success: boolean
    readonly changes?: string
    readonly url?: string
    readonly note?: string
  }
}

/** What `steps` did until one of its calls failed. */
export interface StepsReport {
  /** The number of the first call that failed, from 1, of `total`. */
  readonly step: number
  readonly total: number
  readonly tool: string
  /** One line of each call that ran. */
  readonly lines: readonly string[]
  /** The images of the calls that succeeded, the oldest first. */
  readonly images?: readonly Image[]
  readonly sessionKey: string | undefined
}

/** The outcome of a call, with what its answer needs to know of the session. */
export type ToolOutcome<T = ToolResult> = Outcome<T> & {
  /** Of a failure on a page, as the page was at the end of the call. */
  readonly evidence?: Evidence
  /** Of a failure of `steps`. */
  readonly steps?: StepsReport
}

export type FailedOutcome = Extract<ToolOutcome, { readonly ok: false }>
