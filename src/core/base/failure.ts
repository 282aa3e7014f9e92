// All failures that a caller can act on, as one union of records; the larger ones are in failure-records.ts. A failure has data
// only; its message with the next step is written in core/mcp/answers/failure-text.ts. An error that is not in this union is a bug and is
// thrown.

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
} from './failure-records.ts'
import type { Result } from './result.ts'
import type { TestFailed, TestRunFailed } from './test-failure.ts'

/** Times, such as `waited`, are in milliseconds. */
export type Failure =
  | InvalidParameter
  | SeveralSessions
  | SessionNotFound
  | SessionExpired
  | { code: 'SESSION_CLOSED'; sessionId: string }
  /** `waiting` calls are in its queue, or a person has it. */
  | { code: 'SESSION_BUSY'; sessionId: string; reason: 'queue_full'; waiting: number }
  | { code: 'SESSION_BUSY'; sessionId: string; reason: 'person' }
  /** `grid`: the limit is that of the Grid whose browsers are used. `draining`: no further sessions are opened, because the process will end. */
  | {
      code: 'MAX_SESSIONS_REACHED'
      limit: number
      active: number
      own?: true
      draining?: true
      grid?: { readonly queued: number }
    }
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
  | { code: 'BROWSER_CRASHED'; browser: string; reason?: string }
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
  /** `words`: git's own. `status`: what it ended with. */
  | { code: 'GIT_FAILED'; question: string; words: string; status?: number; isMissing?: true }
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
): InvalidParameter => ({ code: 'INVALID_PARAMETERS', field, expected, received, hint })

/** The failure with the field that its caller knows it by; one that is not about a parameter stays as it is. */
export const inField = (failure: Failure, field: string): Failure =>
  failure.code === 'INVALID_PARAMETERS' ? { ...failure, field } : failure

export type FailureCategory = 'protocol' | 'session' | 'browser' | 'server' | 'security' | 'system'

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
  TEST_FAILED: 'browser',
  TEST_RUN_FAILED: 'browser',
  SERVER_START_FAILED: 'server',
  SERVER_SHUTDOWN_FAILED: 'server',
  LOG_READ_FAILED: 'server',
  ACCESS_DENIED: 'security',
  RATE_LIMITED: 'security',
  COMMAND_NOT_ALLOWED: 'security',
  GIT_FAILED: 'system',
  RESOURCE_EXHAUSTED: 'system',
  CANCELLED: 'system',
  INTERNAL: 'system',
}

// The tests of a project have pages of their own.
const withoutPage: ReadonlySet<Failure['code']> = new Set([
  'BROWSER_NOT_INSTALLED',
  'TEST_FAILED',
  'TEST_RUN_FAILED',
])

export const categoryOf = (failure: Failure): FailureCategory => CATEGORIES[failure.code]

/** Whether evidence can be collected after this failure: only an action that started and failed in a browser leaves any. */
export const leavesEvidence = (failure: Failure): boolean =>
  categoryOf(failure) === 'browser' &&
  !withoutPage.has(failure.code) &&
  !('begun' in failure && failure.begun === false)

// Rejects selectors that can never match, because Playwright would wait for them until the timeout.
/** The failure of an invalid selector, or undefined. */
export function checkSelector(selector: string): InvalidParameter | undefined {
  const invalid = (expected: string): InvalidParameter =>
    invalidParameter('selector', expected, JSON.stringify(selector))
  if (selector.trim() === '') return invalid('a non-empty CSS, XPath or Playwright selector')
  for (const part of selector.split('>>').map((text) => text.trim())) {
    if (/^nth=/.test(part) && !/^nth=-?\d+$/.test(part)) return invalid('an integer after nth=')
    if (/^aria-ref=/.test(part))
      return invalid('a selector; pass a ref from snapshot in the field "ref" instead')
  }
  const unclosed = TEXT_SELECTOR.test(selector) ? undefined : findUnclosed(selector)
  return unclosed === undefined
    ? undefined
    : invalid(`a valid CSS, XPath or Playwright selector; in it ${unclosed}`)
}

// A text, a regular expression or code, which may have any characters.
const TEXT_SELECTOR =
  /(^|>>)\s*(["']|(?!css=|xpath=)[\w:-]+=)|=\s*\/|^\s*(await\s|page\s*\.|getBy[A-Z]|locator\s*\(|frameLocator\s*\()/

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** The bracket or quote of a selector that is not closed, or that closes nothing; undefined if there is none. */
function findUnclosed(selector: string): string | undefined {
  const expected: string[] = []
  let quote: string | undefined
  for (let index = 0; index < selector.length; index += 1) {
    const character = selector.charAt(index)
    if (character === '\\') index += 1
    else if (quote !== undefined) quote = character === quote ? undefined : quote
    else if (character === '"' || character === "'") quote = character
    else if (character in CLOSING) expected.push(CLOSING[character] ?? '')
    else if (')]}'.includes(character) && expected.pop() !== character) return `${character} closes nothing`
  }
  if (quote !== undefined) return `${quote} is not closed`
  const missing = expected.at(-1)
  return missing === undefined ? undefined : `${missing} is missing`
}

/** The failure of the first invalid selector in the input of a call, at any depth. */
export function findSelectorProblem(input: unknown): InvalidParameter | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  for (const [name, value] of Object.entries(input)) {
    const isSelector = /^(selector|toSelector)$/.test(name) && typeof value === 'string'
    const problem = isSelector ? checkSelector(value) : findSelectorProblem(value)
    if (problem) return { ...problem, field: isSelector ? name : `${name}.${problem.field}` }
  }
  return undefined
}
