// Runs tests of the user's project. start-test-run.ts implements it.

import type { Failure, Outcome } from '../../core/base/failure.ts'
import type { Secrets } from '../../core/base/redaction/secret-placeholders.ts'
import type { TestCounts } from '../../core/base/test-failure.ts'
import type { Caller } from '../../core/tool/tool-call.ts'

declare module '../../core/tool/tool.ts' {
  interface CallContext {
    /** Runs tests of the user's project. */
    readonly tests: TestRunner
    /** Has each run of them, where something wants to. */
    readonly testObserver?: TestRunObserver
  }
}

export interface TestRunRequest {
  /** The real path of a test file, of a folder, or of a configuration; undefined is all of the project in the workspace. */
  readonly path?: string
  /** Further test files of the same project. */
  readonly morePaths?: readonly string[]
  /** How many of them run at once; as the project says without it. */
  readonly workers?: number
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
  readonly observer?: TestRunObserver | undefined
}

export interface TestRunObserver {
  /** Begins to watch a run of a project's tests; undefined if nobody wants to know what they run. */
  begin(folder: string): Promise<RunObservation | undefined>
  /** The files of tests that the change of a work tree touches and that have not passed since, by real paths, the quickest first. Fails without a
   * repository or such a revision. */
  findTouched(folder: string, base: string | undefined): Promise<Outcome<readonly string[]>>
}

export interface RunObservation {
  /** What the run and the servers that it starts get beside these variables. */
  environmentFor(variables: Readonly<Record<string, string>>): Readonly<Record<string, string>>
  /** At which a test waits at its end until it is read what the servers ran; undefined where none is counted. */
  readonly socket?: string | undefined
  /** What the tests of the project found when they passed. */
  readonly elements: KnownElements
  /** Has the run at its end, before its files go. Returns what it knows of failed tests, a sentence each, by their ids. */
  observe(run: ObservedRun): Promise<ReadonlyMap<string, readonly string[]>>
  end(): Promise<void>
}

/** The marks of elements by the hashes of the selectors that found them, by tests: the real path of the file, and the name in the ledger. */
export type KnownElements = Readonly<Record<string, ElementMarks>>
type ElementMarks = Readonly<Record<string, readonly string[]>>

export interface ObservedRun {
  /** The folder of the project. */
  readonly folder: string
  /** The folder of the reports and of the texts that they name. */
  readonly coverage: string
  /** Unix milliseconds. */
  readonly startedAt: number
  /** Whether all tests of their files ran. */
  readonly isAll: boolean
  readonly tests: readonly ObservedTest[]
}

/** The last attempt of a test that passed or failed. */
export interface ObservedTest {
  readonly id: string
  /** Its real path. */
  readonly file: string
  readonly line: number
  readonly title: string
  readonly project: string
  readonly isPassed: boolean
  /** Milliseconds. */
  readonly duration: number
  /** The names of the reports of what its pages ran. */
  readonly reports: readonly string[]
  /** Whether these are all. */
  readonly isWhole: boolean
  /** What its locators found. */
  readonly elements: ElementMarks
  /** What the check that failed expected and got, as code. */
  readonly mismatch?: { readonly expected: string; readonly received: string }
}

export interface TestRunner {
  /** Why tests at this path cannot be run: COMMAND_NOT_ALLOWED, or TEST_RUN_FAILED without Playwright Test or Node; undefined if they can. */
  findObstacle(path: string): Failure | undefined
  /** The folder of the project whose Playwright Test runs a test file; undefined where there is none. */
  projectOf(path: string): string | undefined
  /** Runs the tests with the project's own Playwright Test. Fails with TEST_FAILED if one of them failed, with TEST_RUN_FAILED if they could not
   * be run to their end, and with BROWSER_NOT_INSTALLED, COMMAND_NOT_ALLOWED or CANCELLED. */
  run(request: TestRunRequest, call: TestRunCall): Promise<Outcome<TestRunReport>>
  /** Formats a written file with the project's own formatter. Does nothing where there is none, or where nothing of the project may run. */
  format(path: string): Promise<void>
}
