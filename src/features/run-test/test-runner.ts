// Runs tests of the user's project. start-test-run.ts implements it.

import type { Failure, Outcome } from '../../core/base/failure.ts'
import type { Secrets } from '../../core/base/redaction/secret-placeholders.ts'
import type { TestCounts } from '../../core/base/test-failure.ts'
import type { Caller } from '../../core/tool/tool-call.ts'
import type { TestResult } from './render-junit.ts'

declare module '../../core/tool/tool.ts' {
  interface CallContext {
    /** Runs tests of the user's project. */
    readonly tests: TestRunner
  }
}

export interface TestRunRequest {
  /** The real path of a test file, of a folder, or of a configuration; undefined is all of the project in the workspace. */
  readonly path?: string
  /** Only the test at this line of the file. */
  readonly line?: number
  /** A regular expression: only tests whose titles match. */
  readonly grep?: string
  /** Milliseconds for the whole run. */
  readonly timeout: number
  /** Environment variables that the tests read. */
  readonly env?: Readonly<Record<string, string>>
  /** Values by their names; the tests get those that they name. */
  readonly secrets?: Secrets
}

/** A run without a failed test. */
export interface TestRunReport extends TestCounts {
  /** Milliseconds. */
  readonly duration: number
  /** Tests that passed at a further attempt. */
  readonly flakyTitles: readonly string[]
  /** What was left out or replaced, a sentence each. */
  readonly notes: readonly string[]
}

interface TestRunCall extends Pick<Caller, 'signal' | 'progress'> {
  /** Gets the tests that ran, however the run ends. */
  readonly onResults?: (results: readonly TestResult[]) => void
}

export interface TestRunner {
  /** Why tests at this path cannot be run: COMMAND_NOT_ALLOWED, or TEST_RUN_FAILED without Playwright Test or Node; undefined if they can. */
  findObstacle(path: string): Failure | undefined
  /** Runs the tests with the project's own Playwright Test. Fails with TEST_FAILED if one of them failed, with TEST_RUN_FAILED if they could not
   * be run to their end, and with BROWSER_NOT_INSTALLED, COMMAND_NOT_ALLOWED or CANCELLED. */
  run(request: TestRunRequest, call: TestRunCall): Promise<Outcome<TestRunReport>>
  /** Formats a written file with the project's own formatter. Does nothing where there is none, or where nothing of the project may run. */
  format(path: string): Promise<void>
}
