// What features add to sessions. Each declares the members of a session that it makes, in the file that makes them.

import type { Action } from '../../base/action.ts'
import type { Failure, Outcome } from '../../base/failure.ts'
import type { Artifact } from '../../base/files/files.ts'
import type { Evidence } from '../../tool/evidence.ts'
import type { ToolCall, ToolResult } from '../../tool/tool-call.ts'
import type { JournalEntry } from '../journal/journal.ts'
import type { RequestStart } from '../journal/network-log.ts'
import type { OwnedPage, PageHooks } from './browsers.ts'
import type { CallSteps, FinishedAction, PageAfterCall } from './call-steps.ts'
import type { EgressProxy } from './egress-proxy.ts'
import type { SessionRequest, SessionSummary } from './open-session.ts'
import type { OpeningSession, OwnedSession, SessionPorts } from './owned-session.ts'
import type { ServerRequest } from './servers.ts'
import type { ClosableSessionManager } from './session-manager.ts'
import type { SessionManagerOptions } from './session-options.ts'

declare module '../../tool/feature.ts' {
  interface FeatureParts {
    readonly session?: AddToSession
    /** Why there can be no such session. */
    readonly refuseSession?: (
      request: SessionRequest,
      ports: Pick<SessionPorts, 'proxies'>,
    ) => Failure | undefined
    /** Its members of the session manager. */
    readonly manager?: (parts: ManagerParts) => Partial<ClosableSessionManager>
  }

  interface StartedFeature {
    readonly session?: AddToSession
  }
}

declare module './owned-session.ts' {
  interface OwnedSession {
    readonly features: readonly SessionFeature[]
  }

  interface OpeningSession {
    readonly features: readonly SessionFeature[]
  }
}

/** What a feature adds to a session. Called once for each, before anything of it opens. */
type AddToSession = (session: NewSession) => SessionFeature | readonly SessionFeature[]

/** A session before anything of it opens. */
export interface NewSession extends Pick<
  OwnedSession,
  'record' | 'request' | 'namedState' | 'redactor' | 'folder' | 'journal' | 'network' | 'lastSnapshot'
> {
  readonly ports: SessionPorts
  readonly options: SessionManagerOptions
  readonly proxy: Promise<EgressProxy | undefined>
  /** Settles when page and server are open, or one has failed. Nothing that the session waits for may wait for it. */
  readonly ready: Promise<Outcome<OwnedSession>>
  readonly endSignal: AbortSignal
}

/** In each hook the features take their turns in the order of the list. */
export interface SessionFeature {
  /** Its members of the session, from its admission on. */
  readonly members?: Partial<OwnedSession>
  readonly pageHooks?: Partial<PageHooks>
  /** Variables for a start of the session's dev server, beside its own. */
  serverVariables?(server: ServerRequest): Promise<Readonly<Record<string, string>>>
  /** Its members that need the whole session. */
  open?(session: OwnedSession): Partial<OwnedSession>
  onEntry?(entry: Omit<JournalEntry, 'seq'>): void
  /** Has the page as soon as that is open. The session fails as it does. */
  startPage?(page: OwnedPage): Promise<Outcome<unknown>>
  /** Its browser has crashed. */
  onCrash?(failure: Failure): void
  onRequest?(request: RequestStart & { readonly seq: number; readonly at: number }): void
  /** Replaces positions in scripts by those in source files, within `timeoutMs`. */
  locateEntries?(entries: readonly JournalEntry[], timeoutMs?: number): Promise<readonly JournalEntry[]>
  /** Why a call may not begin, before it waits for its turn and when that has come. */
  refuseCall?(): Failure | undefined
  /** Has a call whose turn has come. What is returned runs at its end, before it is described. */
  beforeCall?(call: ToolCall, startedAt: number): (() => void) | undefined
  /** Performs an action around `next`, which performs it further within. */
  perform?(action: Action, next: PerformNext, call: PerformedCall): Promise<Outcome<unknown>>
  /** Waits for what answers the requests of an action. Returns those that are without a response then. */
  settle?(unanswered: readonly string[], after: FinishedAction): Promise<readonly string[]>
  /** Lines of the answer about an action that succeeded. Called while the page settles. */
  describeAction?(action: FinishedAction): Promise<readonly string[]>
  /** What the answer of each call on the page has besides, or in place of what is in `data`. `isChange`: someone else has changed the page. */
  describeCall?(
    after: PageAfterCall,
    data: ToolResult['data'],
  ): CallAddition | Promise<CallAddition | undefined> | undefined
  /** Has an action that succeeded, with its result, before the next call begins. */
  afterAction?(action: SucceededAction): Promise<void>
  /** The evidence of a failure; `evidence` is that of the features before. */
  afterFailure?(failed: FailedCall): Promise<Evidence | undefined>
  /** Writes the trace up to a failure; `late`: not in time. */
  traceFailure?(page: OwnedPage, timeoutMs: number): Promise<Artifact | 'late' | undefined>
  /** A line about what the session did, for its status and its report. */
  summarize?(): Promise<SessionSummary | undefined>
  /** Saves what the page has, before it is released. A sentence for the answer, or an empty string. */
  beforeRelease?(page: OwnedPage): Promise<string>
  /** Reads what must be read while page and server run. What is returned ends it after them, with a sentence for the answer. */
  beforeClose?(): Promise<() => Promise<string> | string>
}

interface CallAddition {
  readonly data: ToolResult['data']
  readonly isChange?: boolean
}

export type PerformNext = () => Promise<Outcome<unknown>>

export interface PerformedCall {
  readonly session: OwnedSession
  readonly deadline: Parameters<OwnedSession['page']['perform']>[1]
}

interface SucceededAction {
  /** Of its entry in the journal. */
  readonly seq: number
  readonly result: unknown
  readonly call: ToolCall
}

export interface FailedCall {
  readonly session: OpeningSession
  readonly failure: Failure
  readonly call: Pick<ToolCall, 'maximumPixels' | 'changesPage' | 'omitsEvidence'> & Partial<ToolCall>
  readonly evidence: Evidence | undefined
}

export interface ManagerParts {
  readonly steps: CallSteps
  readonly onEvent: SessionManagerOptions['onEvent']
  /** The sessions that are open, of an owner or of all. */
  readonly openings: (owner?: string) => {
    find(id: string): OpeningSession | undefined
    list(): readonly OpeningSession[]
  }
}
