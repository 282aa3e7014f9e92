// The failures of a test run. Their texts may be long, so the shell limits them before they are put here.

/** What is known of one failed test. The paths of sources are relative to the workspace. */
export interface FailedTest {
  /** File and line, titles and project: `tests/cart.spec.ts:7 cart › adds an item [chromium]`. */
  readonly test: string
  /** The line that failed: `tests/cart.spec.ts:11`. */
  readonly at?: string
  readonly error: string
  /** What is known of it besides, a sentence each. */
  readonly notes?: readonly string[] | undefined
  /** The failing line between its neighbours. */
  readonly codeFrame?: string
  /** The page at the failure: its elements as an accessibility snapshot, or as text where Playwright writes none. */
  readonly page?: { readonly url?: string; readonly title?: string; readonly snapshot?: string }
  /** The last action and its log, where the message has none. */
  readonly action?: string
  readonly console?: readonly string[]
  readonly requests?: readonly string[]
  /** Lines of the web server since the test began. */
  readonly server?: readonly string[]
  /** What the test printed. */
  readonly output?: readonly string[]
  /** Files, which exist until the next run. */
  readonly screenshot?: string
  readonly trace?: string
}

export interface TestCounts {
  readonly passed: number
  readonly failed: number
  readonly flaky: number
  readonly skipped: number
  /** Tests that were selected and have no result. */
  readonly notRun: number
}

/** Tests have failed. `duration` is in milliseconds. */
export interface TestFailed extends TestCounts {
  code: 'TEST_FAILED'
  duration: number
  /** The first ones with evidence. */
  failures: readonly FailedTest[]
  alsoFailed?: readonly string[]
  notes?: readonly string[]
}

export type TestRunFailureReason =
  | 'playwright_missing'
  | 'runtime_missing'
  | 'configuration'
  | 'loading'
  | 'no_tests'
  | 'web_server'
  | 'variables'
  | 'error'
  | 'timeout'

/** The tests could not be run, or not to their end. */
export interface TestRunFailed extends Partial<TestCounts> {
  code: 'TEST_RUN_FAILED'
  reason: TestRunFailureReason
  /** What happened, as a sentence without a full stop. */
  text: string
  next?: string
  /** Messages of errors outside of tests. */
  errors?: readonly string[]
  /** The lines of the source around the first error. */
  codeFrame?: string
  /** The tests that there are, if none matches. */
  available?: readonly string[]
  server?: readonly string[]
  /** The last lines that the run printed. */
  output?: readonly string[]
  failures?: readonly FailedTest[]
  alsoFailed?: readonly string[]
  notes?: readonly string[]
}

/** `12 passed, 1 flaky, 2 skipped`; parts that are zero are left out. */
export function describeCounts({ passed, failed, flaky, skipped, notRun }: TestCounts): string {
  const parts: readonly (readonly [number, string])[] = [
    [failed, 'failed'],
    [passed, 'passed'],
    [flaky, 'flaky'],
    [skipped, 'skipped'],
    [notRun, 'not run'],
  ]
  const texts = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`)
  return texts.join(', ') || 'no test has run'
}
