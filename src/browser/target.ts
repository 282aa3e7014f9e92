import type { Locator, Page } from 'playwright'
import { attempt, browserError, isAborted, selectorFailure } from './failures.ts'
import { probe, type ProbeOptions, type Verdict } from './probe.ts'
import type { Outcome, Failure } from '../core/failure.ts'
import { err, ok } from '../core/result.ts'
import { selectorProblem } from '../core/selector.ts'
import type { Call, Target } from '../runtime/ports/page.ts'

export const nameOf = (target: Target): string => ('ref' in target ? `ref ${target.ref}` : target.selector)

const locatorOf = (page: Page, target: Target): Locator =>
  'ref' in target ? page.getByRef(target.ref) : page.locator(target.selector)

/** A locator for the target. A ref that the page no longer has is refused at once: refs do not come back. */
export async function locate(page: Page, target: Target): Promise<Outcome<Locator>> {
  const locator = locatorOf(page, target)
  if ('selector' in target) {
    const problem = selectorProblem(target.selector)
    return problem ? err(problem) : ok(locator)
  }
  const count = await attempt(locator.count(), (error) => targetFailure(error, target))
  if (!count.ok) return count
  if (count.value > 0) return ok(locator)
  return err({ code: 'ELEMENT_NOT_FOUND', target: nameOf(target), waited: 0, stale: true })
}

/** A rejection that came from looking for the target, whatever was to be done with it. Timeouts are the caller's to explain. */
export function targetFailure(error: Error, target: Target): Failure {
  if (isAborted(error)) return { code: 'CANCELLED' }
  const selector = 'selector' in target ? selectorFailure(error, target.selector) : undefined
  return selector ?? browserError(error)
}

/** After a timeout: whether the element was missing, or there and something else took too long. */
export async function missedIn(locator: Locator, target: Target, call: Call): Promise<Failure> {
  const count = await locator.count().catch(() => 0)
  if (count > 0) return { code: 'TIMEOUT', waitedFor: `${nameOf(target)} to answer`, waited: call.timeout }
  return { code: 'ELEMENT_NOT_FOUND', target: nameOf(target), waited: call.timeout }
}

/** How long is left of a call that began at `since` (performance.now()), at least a little. */
export const left = (call: Call, since: number): number =>
  Math.max(1, call.timeout - (performance.now() - since))

/** Milliseconds beyond a call's timeout in which the page may still say what was wrong. */
export const EXPLAIN = 700

/** Asks one element whether it can be used. */
export const ask = (
  locator: Locator,
  options: ProbeOptions,
  timeout: number,
  { signal }: Call,
): Promise<Verdict> => locator.evaluate(probe, options, { timeout, signal })
