import type { Locator, Page } from 'playwright'
import { pollAria, type ReadTree } from './poll-aria.ts'
import { pollElement } from './poll-element.ts'
import { createWaitLog, type WaitLog } from './wait-log.ts'
import { attempt, isContextDestroyed, isFrameDetached } from '../playwright/errors.ts'
import { describeTarget, locatorOf, targetFailure } from '../playwright/locator.ts'
import { describeChecks, isNegative } from '../../core/checks/element-check.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { Target } from '../../runtime/ports/page/target.ts'
import type { ElementCondition } from '../../runtime/ports/page/wait-condition.ts'

/** The element is resolved again this often, because its frame may be replaced. */
const POLL_DURATION_MS = 1000
/** How long something that is not there must stay away. */
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
  }
}

// --- internal ---

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
): Failure {
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
