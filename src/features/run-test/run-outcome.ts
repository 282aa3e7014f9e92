// The meaning of a run of Playwright Test that did not end with failed tests alone.

import type { Failure } from '../../core/base/failure.ts'
import {
  describeCounts,
  type TestCounts,
  type TestRunFailed,
  type TestRunFailureReason,
} from '../../core/base/test-failure.ts'
import { clip } from '../../core/base/text/clip.ts'
import { isErrorLine, isStackFrame } from '../../core/base/text/error-lines.ts'
import type { ProjectSummary, ReportedError, TestEndEvent } from './in-playwright/run-event.ts'
import { cleanText, limitNames, selectLines } from './limit-evidence.ts'
import type { RunSummary } from './run-summary.ts'

export interface RunEnd {
  readonly summary: RunSummary
  readonly exitCode: number | null
  readonly lines: readonly string[]
  readonly server: readonly string[]
  /** The position of an error, as it is shown. */
  readonly placeOf: (error: ReportedError) => string
}

/** The failure of a run that ended by itself without failed tests; undefined if all is well. */
export function judgeRun(end: RunEnd): TestRunFailed | undefined {
  const { summary, exitCode, lines } = end
  const { errors, begin } = summary
  const messages = errors.map((error) => describeError(error, end.placeOf))
  const [first = ''] = messages
  const reason = reasonOf(first)
  if (reason === 'no_tests') return { code: 'TEST_RUN_FAILED', reason, text: 'No test matches' }
  if (errors.length > 0)
    return {
      code: 'TEST_RUN_FAILED',
      reason,
      text: `${REASON_TEXTS[reason]}: ${firstLineOf(first)}`,
      ...(summary.passed + summary.flaky + summary.skipped > 0 && countsOf(summary)),
      errors: messages.slice(0, ERROR_LIMIT),
      ...serverOf(end),
    }
  // Without its end nothing is known, whatever the exit code says.
  if (exitCode === 0 && summary.finish) return undefined
  const output = selectOutput(lines)
  if (!begin && exitCode !== 0)
    return {
      code: 'TEST_RUN_FAILED',
      reason: 'configuration',
      text: `${REASON_TEXTS.configuration}: ${clip(output[0] ?? `exit code ${exitCode}`, FIRST_LINE_LIMIT_CHARS)}`,
      output: output.map((line) => clip(line, LINE_LIMIT_CHARS)),
    }
  return {
    code: 'TEST_RUN_FAILED',
    reason: 'error',
    text: `Playwright Test exited with ${exitCode ?? 'a signal'} ${summary.finish ? 'although no test failed' : 'before the end of its tests'} (${describeCounts(summary)})`,
    ...countsOf(summary),
    output: output.map((line) => clip(line, LINE_LIMIT_CHARS)),
    ...serverOf(end),
  }
}

/** The failure of a run that did not end within `timeout` milliseconds. */
export function describeTimeout(end: RunEnd, timeout: number): TestRunFailed {
  const { summary } = end
  const titles = [...summary.interruptedTests.map(({ title }) => title), ...summary.runningTitles]
  const running = titles.map((title) => clip(title, FIRST_LINE_LIMIT_CHARS))
  const counts = summary.begin ? describeCounts(summary) : 'the tests were not loaded yet'
  const runningText = running.length > 0 ? `; running: ${limitNames(running).join(', ')}` : ''
  return {
    code: 'TEST_RUN_FAILED',
    reason: 'timeout',
    text: `The tests did not end within ${timeout} ms (${counts}${runningText})`,
    ...countsOf(summary),
    ...(summary.errors.length > 0 && {
      errors: summary.errors.slice(0, ERROR_LIMIT).map((error) => describeError(error, end.placeOf)),
    }),
    ...serverOf(end),
  }
}

export const countsOf = ({ passed, failed, flaky, skipped, notRun }: TestCounts): TestCounts => ({
  passed,
  failed,
  flaky,
  skipped,
  notRun,
})

const ERROR_LIMIT = 3
const OUTPUT_LIMIT = 10
const SERVER_LIMIT = 10
const FIRST_LINE_LIMIT_CHARS = 300
const LINE_LIMIT_CHARS = 300
const ERROR_LIMIT_CHARS = 900

const REASON_TEXTS: Readonly<Record<TestRunFailureReason, string>> = {
  playwright_missing: 'Playwright Test is missing',
  runtime_missing: 'Node is missing',
  configuration: 'Playwright Test failed to read its configuration',
  loading: 'A test file could not be loaded',
  no_tests: 'No test matches',
  variables: 'A variable is not set',
  web_server: 'The web server of the configuration failed to start',
  error: 'The run failed outside of its tests',
  timeout: 'The tests took too long',
}

function reasonOf(message: string): TestRunFailureReason {
  if (/\bNo tests found/.test(message)) return 'no_tests'
  if (/config\.webServer/.test(message)) return 'web_server'
  if (/SyntaxError|Cannot find (module|package)|ReferenceError|TypeError/.test(message)) return 'loading'
  return 'error'
}

function describeError(error: ReportedError, placeOf: RunEnd['placeOf']): string {
  const place = error.file === undefined ? '' : `${placeOf(error)}: `
  return clip(place + cleanText(error.message), ERROR_LIMIT_CHARS)
}

// From the first error on, without the frames of Node and Playwright.
function selectOutput(lines: readonly string[]): readonly string[] {
  const ownLines = cleanText(lines.join('\n'))
    .split('\n')
    .filter((line) => line !== '' && !(isStackFrame(line) && /\bnode:|node_modules/.test(line)))
  return ownLines.slice(Math.max(0, ownLines.findIndex(isErrorLine))).slice(0, OUTPUT_LIMIT)
}

const firstLineOf = (text: string): string => clip(text.split('\n')[0] ?? '', FIRST_LINE_LIMIT_CHARS)

function serverOf({ server }: RunEnd): Pick<TestRunFailed, 'server'> {
  const lines = selectLines(server, SERVER_LIMIT).map((line) => clip(line, LINE_LIMIT_CHARS))
  return lines.length > 0 ? { server: lines } : {}
}

/** What was left out of a run, and what ran in place of something else, a sentence each. `omitted` are the projects without a browser. */
export function describeRun(
  { substitutes, testsWithoutBrowser }: RunSummary,
  omitted: readonly ProjectSummary[],
  isBun: boolean,
): readonly string[] {
  const [first] = testsWithoutBrowser
  return [
    ...(isBun ? ['Ran with Bun, because there is no node on PATH.'] : []),
    ...omitted.map(
      ({ name, browser, testCount }) =>
        `Project ${name} was left out (tests: ${testCount}): Playwright's ${browser} is not installed.`,
    ),
    // The Chromium of this machine in place of Playwright's is what a user expects.
    ...[...substitutes].flatMap(([missing, path]) =>
      missing.includes(' distribution ') ? [`${missing}: ran with ${path}.`] : [],
    ),
    ...(first
      ? [`Tests without a browser here: ${testsWithoutBrowser.length}, the first is ${first.title}.`]
      : []),
  ]
}

/** The failure of a run whose tests lack these browsers. */
export const missingBrowser = (browsers: readonly string[]): Failure => {
  const names = [...new Set(browsers)]
  return {
    code: 'BROWSER_NOT_INSTALLED',
    browser: names.join(' and '),
    looked: [],
    install: `npx playwright install ${names.join(' ')}`,
  }
}

/** The name of the browser that a test did not find, by its message. */
export function missingBrowserOf({ errors }: TestEndEvent): string {
  const [path = ''] = errors.flatMap(({ message }) => /Executable doesn't exist at .*/.exec(message) ?? [])
  if (/firefox/i.test(path)) return 'firefox'
  return /webkit|pw_run/i.test(path) ? 'webkit' : 'chromium'
}
