// The messages of failed tests, and their lines for models.

import { blockLines, durationText, indent, linesOfField } from './plain-lines.ts'
import { describeCounts } from '../../core/test-run/run-summary.ts'
import type {
  FailedTest,
  TestFailed,
  TestRunFailed,
  TestRunFailureReason,
} from '../../core/test-run/test-failure.ts'

export function describeFailedTests({ failures, duration, ...counts }: TestFailed): string {
  const [, position] = /^(.+?:\d+) /.exec(failures[0]?.test ?? '') ?? []
  const again = position !== undefined ? ` and run it again with path ${JSON.stringify(position)}` : ''
  return `${describeCounts(counts)} in ${durationText(duration)}. Fix the cause${again}.`
}

export const describeFailedRun = ({ text, next, reason }: TestRunFailed): string =>
  `${text}. ${next ?? runSteps[reason]}`

/** The lines of each failed test, numbered. */
export const linesOfFailedTests = (tests: unknown): readonly string[] =>
  (tests as readonly FailedTest[]).flatMap(linesOfFailedTest)

// --- internal ---

const runSteps: Readonly<Record<TestRunFailureReason, string>> = {
  playwright_missing: 'Run npm install -D @playwright/test in the project.',
  runtime_missing: 'Install Node, or start footlight with a PATH that has it.',
  configuration: 'Fix playwright.config and call again.',
  loading: 'Fix the file and call again.',
  no_tests: 'Check path and grep; without them all tests run.',
  web_server:
    'Fix its command in webServer, or pass a longer webServer.timeout; its lines are in details.server.',
  error: 'Its messages are in details; fix the cause and call again.',
  timeout: 'Pass a longer timeout, or a path or grep with fewer tests.',
}

function linesOfFailedTest(test: FailedTest, index: number): readonly string[] {
  const { test: name, at, error, codeFrame, page, ...fields } = test
  const { snapshot, url = '', title = '' } = page ?? {}
  const pageLine = [url, title].filter(Boolean).join(' ')
  return [
    `${index + 1}) ${name}`,
    ...indent([
      error,
      ...(codeFrame === undefined
        ? []
        : [`${at ?? ''}:`.replace(/^:$/, ''), ...blockLines(codeFrame)].filter(Boolean)),
      ...(page ? [`page: ${pageLine}`] : []),
      ...(snapshot === undefined ? [] : blockLines(snapshot)),
      ...Object.entries(fields).flatMap(([field, value]) => linesOfField(field, value)),
    ]),
  ]
}
