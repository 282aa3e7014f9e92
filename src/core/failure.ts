// All failures that a caller can act on, as one union of records. A failure has data only; its message with the next step is written in
// mcp/answers/failure-text.ts. An error that is not in this union is a bug and is thrown.

import type { Result } from './result.ts'
import type { LogPaths, StartFailureReason } from './dev-server.ts'

/** `waited` is in milliseconds; `quietMs` is set if the wait was ended early, because the page had been quiet for so long. */
export type Failure =
  | InvalidParameter
  | SeveralSessions
  | SessionNotFound
  | SessionExpired
  | { code: 'SESSION_CLOSED'; sessionId: string }
  | { code: 'SESSION_BUSY'; sessionId: string; waiting: number }
  | { code: 'MAX_SESSIONS_REACHED'; limit: number; active: number; own?: true }
  | { code: 'DIALOG_OPEN'; type: string; message: string; suggestion?: string }
  | { code: 'NAVIGATION_FAILED'; url: string; reason: string; redirects?: readonly string[]; waited?: number }
  | {
      code: 'ELEMENT_NOT_FOUND'
      target: string
      waited: number
      quietMs?: number
      stale?: boolean
      was?: string
      overlay?: ErrorOverlay
    }
  | {
      code: 'ELEMENT_NOT_CLICKABLE'
      target: string
      reason: Obstacle
      by?: string
      waited: number
      quietMs?: number
      overlay?: ErrorOverlay
    }
  | {
      code: 'ELEMENT_NOT_EDITABLE'
      target: string
      reason: Obstacle
      /** It was editable until the action used it. */
      became?: boolean
      by?: string
      waited: number
      quietMs?: number
      overlay?: ErrorOverlay
    }
  | {
      code: 'TIMEOUT'
      waitedFor: string
      waited: number
      quietMs?: number
      begun?: false
      /** What each condition of a wait was meanwhile. */
      observed?: readonly string[]
      overlay?: ErrorOverlay
    }
  | { code: 'SCRIPT_ERROR'; text: string; stack?: string }
  | { code: 'PAGE_CRASHED'; url: string; reason: 'crashed' | 'closed'; tab?: string }
  | { code: 'PAGE_HUNG'; url: string; waited: number; freed: boolean }
  | { code: 'BROWSER_ERROR'; text: string; next?: string }
  | { code: 'BROWSER_CRASHED'; browser: string }
  | { code: 'BROWSER_NOT_INSTALLED'; browser: string; looked: readonly string[]; install: string }
  | ServerStartFailed
  | { code: 'SERVER_SHUTDOWN_FAILED'; command: string; reason: string; stderr: readonly string[] }
  | { code: 'LOG_READ_FAILED'; path: string; reason: string }
  | AccessDenied
  | { code: 'RATE_LIMITED'; limit: string; retryAfterMs: number }
  | { code: 'COMMAND_NOT_ALLOWED'; command: string; allowed: readonly string[] }
  | { code: 'RESOURCE_EXHAUSTED'; resource: string; text: string; next?: string }
  | { code: 'CANCELLED' }
  | { code: 'INTERNAL'; id: string }

/** `field` is the path of the invalid parameter. */
export interface InvalidParameter {
  code: 'INVALID_PARAMETERS'
  field: string
  expected: string
  received: string
  hint?: string
}

/** A call that names no session while several are open: `sessions` are the oldest of them, `openCount` is the number of all. */
export interface SeveralSessions extends InvalidParameter {
  sessions: readonly SessionSummary[]
  openCount: number
}

export interface SessionSummary {
  readonly name: string
  readonly status: string
  readonly url?: string
}

/** `sessionId` is the unknown id or name; undefined if the call names no session and none is open. */
export interface SessionNotFound {
  code: 'SESSION_NOT_FOUND'
  sessionId?: string
}

/** `server`: a dev server was stopped with the session. */
export interface SessionExpired {
  code: 'SESSION_EXPIRED'
  sessionId: string
  name: string
  reason: 'idle' | 'lifetime'
  after: number
  server?: true
}

/** `host` and `port` are set if a host was denied; `promptable`: the user may be asked for permission. */
export interface AccessDenied {
  code: 'ACCESS_DENIED'
  subject: string
  rule: string
  allowed: string
  host?: string
  port?: number
  promptable?: boolean
}

/** `stdout` and `stderr` are the last lines; `ports` are those on which the server listens without a usable response. */
export interface ServerStartFailed {
  code: 'SERVER_START_FAILED'
  reason: StartFailureReason
  command: string
  text: string
  exitCode?: number
  signal?: string
  waited?: number
  ports?: readonly number[]
  stdout?: readonly string[]
  stderr?: readonly string[]
  logs?: LogPaths
}

/** Why an existing element cannot be used: `no_text`: it accepts no text, `outside`: it cannot be scrolled into view. */
export type Obstacle =
  'hidden' | 'disabled' | 'covered' | 'moving' | 'read_only' | 'no_text' | 'outside' | 'detached'

/** The error overlay that a dev server or a framework shows over the page. */
export interface ErrorOverlay {
  readonly name: string
  readonly message: string
  readonly file?: string
}

export type Outcome<T> = Result<T, Failure>
export type FailureCategory = 'protocol' | 'session' | 'browser' | 'server' | 'security' | 'system'

/** The failure for a parameter with an invalid form or value. */
export const invalidParameter = (
  field: string,
  expected: string,
  received: string,
  hint?: string,
): InvalidParameter => ({
  code: 'INVALID_PARAMETERS',
  field,
  expected,
  received,
  ...(hint !== undefined && { hint }),
})

const CATEGORIES: Record<Failure['code'], FailureCategory> = {
  INVALID_PARAMETERS: 'protocol',
  SESSION_NOT_FOUND: 'session',
  SESSION_EXPIRED: 'session',
  SESSION_CLOSED: 'session',
  SESSION_BUSY: 'session',
  MAX_SESSIONS_REACHED: 'session',
  DIALOG_OPEN: 'session',
  NAVIGATION_FAILED: 'browser',
  ELEMENT_NOT_FOUND: 'browser',
  ELEMENT_NOT_CLICKABLE: 'browser',
  ELEMENT_NOT_EDITABLE: 'browser',
  TIMEOUT: 'browser',
  SCRIPT_ERROR: 'browser',
  PAGE_CRASHED: 'browser',
  PAGE_HUNG: 'browser',
  BROWSER_ERROR: 'browser',
  BROWSER_CRASHED: 'browser',
  BROWSER_NOT_INSTALLED: 'browser',
  SERVER_START_FAILED: 'server',
  SERVER_SHUTDOWN_FAILED: 'server',
  LOG_READ_FAILED: 'server',
  ACCESS_DENIED: 'security',
  RATE_LIMITED: 'security',
  COMMAND_NOT_ALLOWED: 'security',
  RESOURCE_EXHAUSTED: 'system',
  CANCELLED: 'system',
  INTERNAL: 'system',
}

/** The category of a failure in the contract. */
export const categoryOf = (failure: Failure): FailureCategory => CATEGORIES[failure.code]

/** Whether evidence can be collected after this failure: only an action that started and failed in a browser leaves any. */
export const leavesEvidence = (failure: Failure): boolean =>
  categoryOf(failure) === 'browser' &&
  failure.code !== 'BROWSER_NOT_INSTALLED' &&
  !('begun' in failure && failure.begun === false)
