// The text of a failure: its code, its message with the next step, and what else a model can use. The record has the rest.

import { isEcho } from './echo.ts'
import { joinLines, linesOfField, pageLineOf, type Data } from './plain-lines.ts'
import { linesOfFailedTests } from './test-failure-lines.ts'
import { showPageText } from '../../core/text/page-text.ts'
import type { Failure } from '../../core/failure.ts'
import type { FailureCategory } from '../../core/failures/failure-categories.ts'
import type { Evidence } from '../../runtime/ports/session-manager.ts'

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
  readonly evidence?: Omit<Evidence, 'image' | 'isPageReported'>
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
    .filter(([name, value]) => !omittedDetails.has(name) && !isKnown(value))
    .flatMap(([name, value]) => detailTexts[name]?.(value) ?? linesOfField(name, value))
  const evidenceLines = Object.entries(evidence)
    .filter(([name, value]) => !isKnown(value) && !(isPageReported && name === 'page'))
    .flatMap(([name, value]) => evidenceTexts[name]?.(value, message) ?? linesOfField(name, value))
  const otherLines = Object.entries(others).flatMap(([name, value]) => linesOfField(name, value))
  return joinLines([`${errorCode}: ${message}`, ...otherLines, ...detailLines, ...evidenceLines])
}

// --- internal ---

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
  'sessions',
  'duration',
  'passed',
  'failed',
  'flaky',
  'skipped',
  'notRun',
])

const detailTexts: Readonly<Record<string, (value: unknown) => readonly string[]>> = {
  failures: linesOfFailedTests,
}

const evidenceTexts: Readonly<Record<string, (value: unknown, message: string) => readonly string[]>> = {
  page: (page) => [pageLineOf(page as Data)],
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
