// All failures that a caller can act on, as one union of records; the larger ones are in failures/failure-records.ts. A failure has data
// only; its message with the next step is written in mcp/answers/failure-text.ts. An error that is not in this union is a bug and is
// thrown.

import type { Result } from './result.ts'
import type { TestFailed, TestRunFailed } from './test-run/test-failure.ts'
import type {
  AccessDenied,
  ElementNotClickable,
  ElementNotEditable,
  ElementNotFound,
  InvalidParameter,
  NavigationFailed,
  ServerStartFailed,
  SessionExpired,
  SessionNotFound,
  SeveralSessions,
  TimedOut,
} from './failures/failure-records.ts'

/** Times, such as `waited`, are in milliseconds. */
export type Failure =
  | InvalidParameter
  | SeveralSessions
  | SessionNotFound
  | SessionExpired
  | { code: 'SESSION_CLOSED'; sessionId: string }
  | { code: 'SESSION_BUSY'; sessionId: string; waiting: number }
  | { code: 'MAX_SESSIONS_REACHED'; limit: number; active: number; own?: true }
  | { code: 'DIALOG_OPEN'; type: string; message: string; suggestion?: string }
  | NavigationFailed
  | ElementNotFound
  | ElementNotClickable
  | ElementNotEditable
  | TimedOut
  | { code: 'SCRIPT_ERROR'; text: string; stack?: string }
  | { code: 'PAGE_CRASHED'; url: string; reason: 'crashed' | 'closed'; tab?: string }
  | { code: 'PAGE_HUNG'; url: string; waited: number; freed: boolean }
  /** `invalidField`: the field whose value the browser's form validation refused, with its message as the text. */
  | { code: 'BROWSER_ERROR'; text: string; next?: string; invalidField?: string }
  | { code: 'BROWSER_CRASHED'; browser: string }
  | {
      code: 'BROWSER_NOT_INSTALLED'
      browser: string
      looked: readonly string[]
      install: string
      /** What is wrong with the path that the user has named. */
      problem?: string
    }
  | TestFailed
  | TestRunFailed
  | ServerStartFailed
  | { code: 'SERVER_SHUTDOWN_FAILED'; command: string; reason: string; stderr: readonly string[] }
  | { code: 'LOG_READ_FAILED'; path: string; reason: string }
  | AccessDenied
  | { code: 'RATE_LIMITED'; limit: string; retryAfterMs: number }
  | { code: 'COMMAND_NOT_ALLOWED'; command: string; allowed: readonly string[] }
  | { code: 'RESOURCE_EXHAUSTED'; resource: string; text: string; next?: string }
  | { code: 'CANCELLED' }
  | { code: 'INTERNAL'; id: string }

export type Outcome<T> = Result<T, Failure>

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

/** The failure with the field that its caller knows it by; one that is not about a parameter stays as it is. */
export const inField = (failure: Failure, field: string): Failure =>
  failure.code === 'INVALID_PARAMETERS' ? { ...failure, field } : failure
