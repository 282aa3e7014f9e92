import type { Locator, Page } from 'playwright'
import { attempt, browserError, isAborted, isTimeout, selectorFailure, waitedTimeOf } from './errors.ts'
import { evaluateInternally } from './internals.ts'
import { playwrightRefOf } from './session-refs.ts'
import { variantsOf, type ElementsFunction } from './compose-in-page.ts'
import { type Outcome, type Failure, checkSelector, invalidParameter } from '../../base/failure.ts'
import { err, map, ok } from '../../base/result.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import type { Target } from '../../base/action.ts'

export const describeTarget = (target: Target): string =>
  'ref' in target ? `ref ${target.ref}` : target.selector

/** The locator of a target by its description in a failure. */
export const locatorOfDescription = (page: Page, description: string): Promise<Outcome<Locator>> =>
  locatorOf(
    page,
    description.startsWith('ref ') ? { ref: description.slice('ref '.length) } : { selector: description },
  )

// Nothing has this ref.
const NO_REF = 'e0'

/** A locator for a ref that a client got; one of another tab or session matches nothing. */
export const locatorOfRef = (page: Page, ref: string): Locator =>
  page.getByRef(playwrightRefOf(page, ref) ?? NO_REF)

/** An element that a call acts on. */
export interface ResolvedTarget {
  readonly locator: Locator
  readonly target: Target
  readonly deadline: Deadline
}

/** A locator for the target, whether anything matches or not. */
export async function locatorOf(page: Page, target: Target): Promise<Outcome<Locator>> {
  if ('ref' in target) return ok(locatorOfRef(page, target.ref))
  const selector = await parseSelector(target.selector)
  return map(selector, (text) => page.locator(text))
}

/** An element to act on, whether anything matches or not. */
export const resolveTarget = async (
  page: Page,
  target: Target,
  deadline: Deadline,
): Promise<Outcome<ResolvedTarget>> =>
  map(await locatorOf(page, target), (locator) => ({ locator, target, deadline }))

/** An element to act on. A ref that the page no longer has fails at once. */
export const locateTarget = async (
  page: Page,
  target: Target,
  deadline: Deadline,
): Promise<Outcome<ResolvedTarget>> =>
  map(await locate(page, target), (locator) => ({ locator, target, deadline }))

/** The selector that Playwright knows for one of a caller, which may be a locator as code. */
export async function parseSelector(selector: string): Promise<Outcome<string>> {
  if (isLocatorExpression(selector)) return parseLocatorExpression(selector)
  const problem = checkSelector(selector)
  return problem ? err(problem) : ok(selector)
}

/** A locator for the target. A ref that the page no longer has fails at once: no other element ever gets it. */
export async function locate(page: Page, target: Target): Promise<Outcome<Locator>> {
  const locator = await locatorOf(page, target)
  if (!locator.ok || 'selector' in target) return locator
  const count = await attempt(
    evaluateTarget({ locator: locator.value, target }, (elements) => elements.length, undefined),
    (error) => error,
  )
  if (count.ok && count.value > 0) return locator
  // A ref is lost with its document.
  const isGone = count.ok || /context was destroyed|Frame was detached/.test(count.error.message)
  if (!isGone) return err(targetFailure(count.error, target))
  return err({ code: 'ELEMENT_NOT_FOUND', target: describeTarget(target), waited: 0, stale: true })
}

/** The failure of a rejection that came from resolving the target. Timeouts are explained by the caller. */
export function targetFailure(error: Error, target: Target): Failure {
  if (isAborted(error)) return { code: 'CANCELLED' }
  const selector = 'selector' in target ? selectorFailure(error, target.selector) : undefined
  return selector ?? browserError(error)
}

/** After a timeout: whether the element was missing, or there and something else took too long. */
export async function explainTimeout(
  { locator, target, deadline }: ResolvedTarget,
  error: Error,
): Promise<Failure> {
  const waited = waitedTimeOf(error, deadline)
  const count = await locator.count().catch(() => 0)
  return count > 0
    ? { code: 'TIMEOUT', waitedFor: `${describeTarget(target)} to respond`, ...waited }
    : { code: 'ELEMENT_NOT_FOUND', target: describeTarget(target), ...waited }
}

/** The failure of a rejected call on an element: why it timed out, or what Playwright says. */
export const explainRejection = (element: ResolvedTarget, error: Error): Failure | Promise<Failure> =>
  isTimeout(error) ? explainTimeout(element, error) : targetFailure(error, element.target)

/** Runs a function of all matching elements inside the page, without waiting for any; a ref that is gone counts as no element. */
export async function evaluateTarget<A, T>(
  { locator, target }: Pick<ResolvedTarget, 'locator' | 'target'>,
  work: ElementsFunction<A, T>,
  arg: A,
): Promise<T> {
  const internal = await evaluateInternally(locator, variantsOf(work).onMatches, arg)
  if (internal) return internal.result
  // Through the client. Playwright keeps refs in its own world, in which it runs only functions of one element.
  if ('selector' in target) return locator.evaluateAll(work as (elements: Element[], arg: unknown) => T, arg)
  const handle = await locator.elementHandle({ timeout: REF_TIMEOUT_MS }).catch(() => undefined)
  if (!handle) return locator.page().evaluate(variantsOf(work).onNothing as (arg: unknown) => T, arg)
  return handle
    .evaluate(variantsOf(work).onElement as (element: Node, arg: unknown) => T, arg)
    .finally(() => void handle.dispose().catch(() => {}))
}

// A ref exists or it does not: there is nothing to wait for.
const REF_TIMEOUT_MS = 300

// Locators as code, such as `page.getByRole('button', { name: 'Go' }).first()`: answers contain them, and models write them.
const EXPRESSION_START = /^\s*(?:await\s+)?(?:page\s*\.\s*)?(?:getBy(?=[A-Z])\w+|locator|frameLocator)\s*\(/

export const isLocatorExpression = (selector: string): boolean => EXPRESSION_START.test(selector)

/** Strings and regular expressions, which stay as they are, or the page. */
const LITERAL_OR_PAGE =
  /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|\/(?:[^/\\\n]|\\.)+\/|\\.|\b(page\s*\.\s*)/gs

/** The locator without the page, its own and that of locators in it: Playwright's parser knows only what follows. */
export const omitPage = (expression: string): string =>
  expression
    .replace(/^\s*await\s/, '')
    .trimEnd()
    .replace(/;$/, '')
    .replace(LITERAL_OR_PAGE, (match, page?: string) => (page === undefined ? match : ''))

/** The selector of a locator that is written as code; INVALID_PARAMETERS if it cannot be read. */
export async function parseLocatorExpression(expression: string): Promise<Outcome<string>> {
  const [{ iso }, { selectors }] = await Promise.all([
    import('playwright-core/lib/coreBundle'),
    import('playwright'),
  ])
  const { _testIdAttributeName: testIdAttribute } = selectors as { _testIdAttributeName?: string }
  try {
    const code = omitPage(expression)
    return ok(iso.unsafeLocatorOrSelectorAsSelector('javascript', code, testIdAttribute))
  } catch (error) {
    return err(expressionFailure(expression, error instanceof Error ? error.message : ''))
  }
}

function expressionFailure(expression: string, reason: string): Failure {
  const [, method] = /^Unsupported locator method ([\w$]+)/.exec(reason) ?? []
  const [, option, owner] = /^Unsupported option ([\w$]+) for ([\w$]+)/.exec(reason) ?? []
  const hint =
    method !== undefined
      ? `A locator has no ${method}; it only finds the element.`
      : option !== undefined
        ? `${owner} has no option ${option}.`
        : 'Check its quotes, brackets and arguments.'
  return invalidParameter(
    'selector',
    "a locator such as getByRole('button', { name: 'Save' })",
    JSON.stringify(expression),
    hint,
  )
}
