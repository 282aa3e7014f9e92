// The category of each failure in the contract.

import type { Failure } from '../failure.ts'

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

/** The category of a failure in the contract. */
export const categoryOf = (failure: Failure): FailureCategory => CATEGORIES[failure.code]

/** Whether evidence can be collected after this failure: only an action that started and failed in a browser leaves any. */
export const leavesEvidence = (failure: Failure): boolean =>
  categoryOf(failure) === 'browser' &&
  !withoutPage.has(failure.code) &&
  !('begun' in failure && failure.begun === false)
