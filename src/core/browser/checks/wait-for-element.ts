import type { Locator, Page } from 'playwright'
import { MISSING_QUIET_MS } from '../actions/wait-for-target.ts'
import { readQuietTime } from '../tab/page-activity.ts'
import type { TimedOut } from '../../base/failure-records.ts'
import { pollAria, type ReadTree, type UnmetAria } from './poll-aria.ts'
import { attempt, isContextDestroyed, isFrameDetached } from '../playwright/errors.ts'
import { describeTarget, locatorOf, targetFailure } from '../playwright/locator.ts'
import {
  describeChecks,
  isNegative,
  expectationOf,
  type Observation,
  addObservation,
  describeLog,
  EMPTY_LOG,
  latestText,
  type ObservationLog,
} from '../../snapshot/element-check.ts'
import type { Failure, Outcome } from '../../base/failure.ts'
import { err, ok } from '../../base/result.ts'
import { settleWithin } from '../../base/system/settle-within.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import type { ElementCondition, Target, ElementCheck } from '../../base/action.ts'
import { pollChecks, readFieldState } from '../in-page/generated.ts'
import type { PollOptions, PollReport } from '../in-page/snapshot/poll-checks.ts'
import { evaluateInternally } from '../playwright/internals.ts'
import { isSecretField, type FieldDescription } from '../../base/redaction/secret-names.ts'
import { REDACTED } from '../../base/redaction/spans.ts'
import { clip } from '../../base/text/clip.ts'

/** The element is resolved again this often, because its frame may be replaced. */
const POLL_DURATION_MS = 1000
/** How long a missing element must stay missing. */
const CONFIRMATION_MS = 100
const NEW_DOCUMENT_INTERVAL_MS = 50

/** Waits until an element meets all conditions at the same time. Fails with TIMEOUT and what was seen on the way, or with ELEMENT_NOT_FOUND
 * if a ref is gone and the conditions are about its element. */
export async function waitForElement(
  page: Page,
  condition: ElementCondition,
  deadline: Deadline,
  readTree: ReadTree,
): Promise<Outcome<void>> {
  const { target, aria, not } = condition
  const locator = target ? await locatorOf(page, target) : ok(undefined)
  if (!locator.ok) return locator
  const log = createWaitLog(condition)
  let isFirst = true
  for (;;) {
    if (deadline.signal.aborted) return err({ code: 'CANCELLED' })
    const state = locator.value ? await pollOnce(locator.value, condition, deadline, log) : ok('met' as const)
    if (!state.ok) return state
    if (state.value === 'gone' && target && 'ref' in target) return err(staleFailure(target, log))
    if (state.value === 'met') {
      const unmet = aria ? await pollAria(page, { expected: aria, not, deadline, readTree }) : ok(undefined)
      if (!unmet.ok) return unmet
      if (!unmet.value) return ok(undefined)
      log.setAria(unmet.value)
    }
    if (deadline.remaining() <= 1) return err(timeoutOf(condition, log, deadline))
    const quietMs = deadline.isDefault ? await readQuietTime(page, isFirst) : 0
    isFirst = false
    if (quietMs >= MISSING_QUIET_MS)
      return err({ ...timeoutOf(condition, log, deadline), waited: log.elapsed(), quietMs })
  }
}

/** `gone`: there was no element all the time. */
type ElementState = 'met' | 'unmet' | 'gone'

async function pollOnce(
  locator: Locator,
  { target, checks, not }: ElementCondition,
  deadline: Deadline,
  log: WaitLog,
): Promise<Outcome<ElementState>> {
  const startedAt = log.elapsed()
  const confirmationMs = checks.some((check) => isNegative(check, not)) ? CONFIRMATION_MS : 0
  const durationMs = Math.min(POLL_DURATION_MS, deadline.remaining())
  const polled = await attempt(
    pollElement(locator, { checks, not, durationMs, confirmationMs }),
    (error) => error,
  )
  if (!polled.ok) {
    if (!isDocumentReplaced(polled.error)) return err(targetFailure(polled.error, target as Target))
    await settleWithin(NEW_DOCUMENT_INTERVAL_MS, new Promise(() => {}))
    return ok('unmet')
  }
  log.addReport(polled.value, startedAt)
  if (polled.value.isMet) return ok('met')
  const isGone = polled.value.count === 0 && polled.value.observations.every(({ length }) => length === 1)
  return ok(isGone ? 'gone' : 'unmet')
}

const isDocumentReplaced = (error: Error): boolean => isContextDestroyed(error) || isFrameDetached(error)

const staleFailure = (target: Target, log: WaitLog): Failure => ({
  code: 'ELEMENT_NOT_FOUND',
  target: describeTarget(target),
  waited: log.elapsed(),
  stale: true,
})

function timeoutOf(
  { target, checks, aria, not }: ElementCondition,
  log: WaitLog,
  deadline: Deadline,
): TimedOut {
  const expected = [
    ...(checks.length > 0 ? [describeChecks(checks, not)] : []),
    ...(aria ? [`${not ? 'not ' : ''}to have the lines in aria`] : []),
  ]
  const subject = target ? describeTarget(target) : 'the page'
  return {
    code: 'TIMEOUT',
    waitedFor: `${subject} ${expected.join(' and ')}`,
    waited: deadline.timeout,
    observed: log.lines(),
  }
}

/** Polls the checks inside the page; with Playwright's client where the page cannot be reached otherwise, or the frame of the element is
 * missing. Values of secret fields are not in the report. */
async function pollElement(locator: Locator, options: PollOptions): Promise<PollReport> {
  const internal = await evaluateInternally(locator, pollChecks, options)
  const report = internal ? await internal.result : await pollWithClient(locator, options)
  return report.field && isSecretField(report.field) ? withoutValues(report) : report
}

const withoutValues = (report: PollReport): PollReport => ({
  ...report,
  observations: report.observations.map((changes) =>
    changes.map(({ at, text }) => ({ at, text: text.startsWith('"') ? REDACTED : text })),
  ),
})

// The checks as assertions of Playwright's client, which its test runner uses. They are not in its types, but in its protocol, so a browser
// of another machine has them too.
interface Assertion {
  readonly matches: boolean
  readonly received?: { readonly value?: unknown }
  readonly errorMessage?: string
}

const LOOK_INTERVAL_MS = 100

/** One look costs several messages, so there is one for each call, and more only while something is confirmed. */
export async function pollWithClient(
  locator: Locator,
  { checks, not, durationMs, confirmationMs }: PollOptions,
): Promise<PollReport> {
  const startedAt = performance.now()
  const observations: Observation[][] = checks.map(() => [])
  const look = async () => {
    const at = performance.now() - startedAt
    const assertions = await Promise.all(checks.map((check) => assert(locator, check, not)))
    for (const [index, check] of checks.entries())
      observations[index]?.push({ at, text: textOf(check, not, assertions[index] as Assertion) })
    return assertions.every(({ matches }) => matches !== not)
  }
  let isMet = await look()
  while (isMet && performance.now() - startedAt < confirmationMs) isMet = await look()
  if (isMet) return { isMet, count: 0, observations }
  const field = await readField(locator)
  await settleWithin(Math.min(durationMs, LOOK_INTERVAL_MS), new Promise(() => {}))
  return { isMet, count: await locator.count(), observations, field }
}

// The first look of an assertion is complete whatever its timeout.
const ASSERTION_TIMEOUT_MS = 1

const FIELD_TIMEOUT_MS = 300
const UNKNOWN_FIELD = { type: 'password', name: '', id: '', autocomplete: '' }

// A field that cannot be read counts as secret.
const readField = (locator: Locator): Promise<FieldDescription> =>
  locator
    .first()
    .evaluate(readFieldState, undefined, { timeout: FIELD_TIMEOUT_MS })
    .then(({ field }) => field)
    .catch(() => UNKNOWN_FIELD)

function assert(locator: Locator, check: ElementCheck, isNot: boolean): Promise<Assertion> {
  const [expression, expected] = assertionOf(check)
  const target =
    check.kind === 'text' || (check.kind === 'state' && check.isFirst) ? locator.first() : locator
  const options = { isNot, timeout: ASSERTION_TIMEOUT_MS, ...expected }
  const { _expect: expect } = target as unknown as {
    _expect(expression: string, options: object): Promise<Assertion>
  }
  return expect.call(target, expression, options)
}

function assertionOf(check: ElementCheck): [expression: string, expected?: Record<string, unknown>] {
  if (check.kind === 'count') return ['to.have.count', { expectedNumber: check.count }]
  if (check.kind === 'value') return ['to.have.value', { expectedText: [{ string: check.value }] }]
  if (check.kind === 'text') {
    const string = { string: check.text, matchSubstring: true, ignoreCase: true, normalizeWhiteSpace: true }
    return ['to.have.text', { expectedText: [string] }]
  }
  if (check.state !== 'checked' && check.state !== 'unchecked') return [`to.be.${check.state}`]
  return ['to.be.checked', { expectedValue: { checked: check.state === 'checked' } }]
}

function textOf(check: ElementCheck, not: boolean, { received, errorMessage, matches }: Assertion): string {
  const value = received?.value
  if (typeof value === 'string' && check.kind !== 'state') return JSON.stringify(clip(value, 80))
  if (value !== undefined) return String(value)
  if (matches === not) return errorMessage?.includes('not found') ? 'missing' : 'unknown'
  const { expected } = expectationOf(check)
  return not ? `not ${expected}` : expected
}

type WaitLog = ReturnType<typeof createWaitLog>

// What a wait for an element has seen so far.
function createWaitLog({ checks, not }: ElementCondition) {
  const start = performance.now()
  let logs: readonly ObservationLog[] = checks.map(() => EMPTY_LOG)
  let latestAria: UnmetAria | undefined
  return {
    elapsed: () => performance.now() - start,
    addReport({ observations }: PollReport, startedAt: number) {
      logs = logs.map((log, index) =>
        (observations[index] ?? []).reduce(
          (sum, { at, text }) => addObservation(sum, { at: startedAt + at, text }),
          log,
        ),
      )
    },
    /** An observation that could not be read does not replace an earlier one. */
    setAria(aria: UnmetAria) {
      if (aria.isRead || !latestAria) latestAria = aria
    },
    /** One line for each condition that was not met last, or for all. */
    lines(): readonly string[] {
      const aria = latestAria ? [latestAria.describe()] : []
      const observed = checks.map((check, index) => {
        const log = logs[index] ?? EMPTY_LOG
        const { name, expected } = expectationOf(check)
        const isMet = !not && latestText(log) === expected
        return { isMet, line: describeLog(name, log, not ? `not ${expected}` : expected) }
      })
      const unmet = observed.filter(({ isMet }) => !isMet)
      return [...(unmet.length > 0 ? unmet : observed).map(({ line }) => line), ...aria]
    },
  }
}
