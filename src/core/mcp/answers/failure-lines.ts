// The text of a failure: its code, its message with the next step, and what else a model can use. The record has the rest.

import type { Failure, FailureCategory } from '../../base/failure.ts'
import {
  describeCounts,
  type FailedTest,
  type TestFailed,
  type TestRunFailed,
  type TestRunFailureReason,
} from '../../base/test-failure.ts'
import { showPageText } from '../../base/text/invisible-characters.ts'
import type { Evidence } from '../../tool/evidence.ts'
import {
  blockLines,
  type Data,
  durationText,
  indent,
  isEcho,
  joinLines,
  linesOfField,
  pageLineOf,
  sinceLinesOf,
} from '../../tool/plain-lines.ts'

/** A failure as clients receive it. */
export interface FailureRecord {
  readonly errorCode: Failure['code']
  readonly category: FailureCategory
  readonly message: string
  readonly sessionId?: string
  readonly timestamp: number
  readonly details: Readonly<Record<string, unknown>>
  /** What `steps` did, one line of each call that ran. */
  readonly steps?: readonly string[]
  readonly evidence?: Omit<Evidence, 'image' | 'isPageReported' | 'targetBox'>
}

/** The text of a failure, without what the message, the `input` of the caller or an earlier result has already. */
export function failureLinesOf(record: FailureRecord, input: Data, isPageReported = false): string {
  const { errorCode, message, details, evidence = {}, ...rest } = record
  const { category: _, sessionId: __, timestamp: ___, ...others } = rest
  const isInMessage = (text: string) =>
    message.includes(text) || message.includes(showPageText(text, 'quoted'))
  const isKnown = (value: unknown) =>
    typeof value === 'boolean' ||
    [value].flat().every((item) => typeof item !== 'object' && isInMessage(String(item))) ||
    Object.values(input).some((sent) => isEcho(value, sent))
  const detailLines = Object.entries(details)
    .filter(([name, value]) => !omittedDetails.has(name) && (outputDetails.has(name) || !isKnown(value)))
    .flatMap(([name, value]) => detailTexts[name]?.(value) ?? linesOfField(name, value))
  const evidenceLines = Object.entries(evidence)
    .filter(([name, value]) => !isKnown(value) && !(isPageReported && name === 'page'))
    .flatMap(([name, value]) => evidenceTexts[name]?.(value, message) ?? linesOfField(name, value))
  const otherLines = Object.entries(others).flatMap(([name, value]) => linesOfField(name, value))
  return joinLines([`${errorCode}: ${message}`, ...otherLines, ...detailLines, ...evidenceLines])
}

/** The message says the same in words. */
const omittedDetails: ReadonlySet<string> = new Set([
  'reason',
  'waited',
  'quietMs',
  'overlay',
  'field',
  'hint',
  'port',
  'server',
  'npxCommand',
  'missingPackages',
  'holder',
  'question',
  'sessions',
  'duration',
  'passed',
  'failed',
  'flaky',
  'skipped',
  'notRun',
])

/** What a program has printed is shown although the same text stands in its command. */
const outputDetails: ReadonlySet<string> = new Set(['stdout', 'stderr'])

/** The lines of each failed test, numbered. */
const linesOfFailedTests = (tests: unknown): readonly string[] =>
  (tests as readonly FailedTest[]).flatMap(linesOfFailedTest)

const detailTexts: Readonly<Record<string, (value: unknown) => readonly string[]>> = {
  failures: linesOfFailedTests,
}

const evidenceTexts: Readonly<Record<string, (value: unknown, message: string) => readonly string[]>> = {
  page: (page) => [pageLineOf(page as Data)],
  since: (changes) => sinceLinesOf(String(changes)),
  // The closest match is in the message.
  candidates(candidates, message) {
    const texts = (candidates as NonNullable<Evidence['candidates']>)
      .filter(({ ref }) => !message.includes(`(ref ${ref})`) && !message.includes(`(ref ${ref}, `))
      .map(({ role, name, ref, source }) =>
        [role, showPageText(name, 'quoted'), `[${ref}]`, source].filter(Boolean).join(' '),
      )
    return texts.length > 0 ? [`candidates: ${texts.join(', ')}`] : []
  },
  // Several parts are often missing for the same reason.
  missing(reasons) {
    const entries = Object.entries(reasons as Data)
    return [...new Set(entries.map(([, reason]) => reason))].map((reason) => {
      const names = entries.filter((entry) => entry[1] === reason).map(([name]) => name)
      return `missing: ${names.join(', ')} (${String(reason)})`
    })
  },
  screenshot: (file) => [`screenshot: ${String((file as Data)['path'])}`],
  trace: (file) => [`trace: ${String((file as Data)['path'])}`],
}

// The messages of failed tests, and their lines for models.
export function describeFailedTests({ failures, duration, ...counts }: TestFailed): string {
  const [, position] = /^(.+?:\d+) /.exec(failures[0]?.test ?? '') ?? []
  const again = position !== undefined ? ` and run it again with path ${JSON.stringify(position)}` : ''
  return `${describeCounts(counts)} in ${durationText(duration)}. Fix the cause${again}.`
}

export const describeFailedRun = ({ text, next, reason }: TestRunFailed): string =>
  `${text}. ${next ?? runSteps[reason]}`

const runSteps: Readonly<Record<TestRunFailureReason, string>> = {
  playwright_missing: 'Run npm install -D @playwright/test in the project.',
  runtime_missing: 'Install Node, or start footlight with a PATH that has it.',
  configuration: 'Fix playwright.config and call again.',
  loading: 'Fix the file and call again.',
  no_tests: 'Check path and grep; without them all tests run.',
  variables: 'Pass it in env, or put it into the file of --secrets; footlight test takes it from its shell.',
  web_server:
    'Fix its command in webServer, or pass a longer webServer.timeout; its lines are in details.server.',
  error: 'Its messages are in details; fix the cause and call again.',
  timeout: 'Pass a longer timeout, or a path or grep with fewer tests.',
}

function linesOfFailedTest(test: FailedTest, index: number): readonly string[] {
  const { test: name, at, error, notes = [], codeFrame, page, ...fields } = test
  const { snapshot, url = '', title = '' } = page ?? {}
  const pageLine = [url, title].filter(Boolean).join(' ')
  return [
    `${index + 1}) ${name}`,
    ...indent([
      error,
      ...notes,
      ...(codeFrame === undefined
        ? []
        : [`${at ?? ''}:`.replace(/^:$/, ''), ...blockLines(codeFrame)].filter(Boolean)),
      ...(page ? [`page: ${pageLine}`] : []),
      ...(snapshot === undefined ? [] : blockLines(snapshot)),
      ...Object.entries(fields).flatMap(([field, value]) => linesOfField(field, value)),
    ]),
  ]
}
