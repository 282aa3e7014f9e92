// The checks as assertions of Playwright's client, which its test runner uses. They are not in its types, but in its protocol, so a browser
// of another machine has them too.

import type { Locator } from 'playwright'
import { composedReadFieldState } from '../forms/field-kind.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import type { PollOptions, PollReport } from '../in-page/checks/poll-checks.ts'
import { expectationOf, type ElementCheck } from '../../core/checks/element-check.ts'
import type { Observation } from '../../core/checks/observation-log.ts'
import type { FieldDescription } from '../../core/redaction/secret-names.ts'
import { clip } from '../../core/text/clip.ts'

interface Assertion {
  readonly matches: boolean
  readonly received?: { readonly value?: unknown }
  readonly errorMessage?: string
}

interface AssertingLocator {
  _expect(expression: string, options: Readonly<Record<string, unknown>>): Promise<Assertion>
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

// --- internal ---

// The first look of an assertion is complete whatever its timeout.
const ASSERTION_TIMEOUT_MS = 1

const FIELD_TIMEOUT_MS = 300
const UNKNOWN_FIELD = { type: 'password', name: '', id: '', autocomplete: '' }

// A field that cannot be read counts as secret.
const readField = (locator: Locator): Promise<FieldDescription> =>
  locator
    .first()
    .evaluate(composedReadFieldState, undefined, { timeout: FIELD_TIMEOUT_MS })
    .then(({ field }) => field)
    .catch(() => UNKNOWN_FIELD)

function assert(locator: Locator, check: ElementCheck, isNot: boolean): Promise<Assertion> {
  const [expression, expected] = assertionOf(check)
  const target =
    check.kind === 'text' || (check.kind === 'state' && check.isFirst) ? locator.first() : locator
  const options = { isNot, timeout: ASSERTION_TIMEOUT_MS, ...expected }
  return (target as unknown as AssertingLocator)._expect(expression, options)
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
