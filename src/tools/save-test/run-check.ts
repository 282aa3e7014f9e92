import { findElement } from './find-element.ts'
import type { Replay } from './replay.ts'
import { compileUrlMatcher } from '../define/pattern.ts'
import { parseExpectedLines } from '../../core/checks/find-lines.ts'
import { isNegative } from '../../core/checks/element-check.ts'
import type { Outcome } from '../../core/failure.ts'
import type { RecordedCheck, RecordedElement } from '../../core/recording/recorded-step.ts'
import { map, ok } from '../../core/result.ts'
import type { WaitCondition } from '../../runtime/ports/page/wait-condition.ts'

/** Waits until a check holds. Returns it with the elements that it was about. */
export async function runCheck(check: RecordedCheck, replay: Replay): Promise<Outcome<RecordedCheck>> {
  const { page, deadline, isFirst } = replay
  const { url } = check
  const matches = url === undefined ? ok(undefined) : await compileUrlMatcher(url)
  if (!matches.ok) return matches
  const element =
    isFirst && isRefindable(check) ? await findElement(check.element, page, deadline) : check.element
  const condition: WaitCondition = {
    ...(check.text !== undefined && { text: check.text }),
    ...(check.textGone !== undefined && { textGone: check.textGone }),
    ...(matches.value && url !== undefined && { url: { text: url, matches: matches.value } }),
    ...elementConditionOf(check, element),
  }
  const outcome = await page.waitFor(condition, deadline)
  if (!outcome.ok || !isFirst) return map(outcome, () => check)
  const { textElement: _, ...rest } = check
  const textElement = await findText(check, replay)
  const checked = element && (await limitToFirst(check, element, replay))
  return ok({ ...rest, ...(checked && { element: checked }), ...(textElement && { textElement }) })
}

// --- internal ---

// An element whose text or number is checked keeps its selector: a better one may depend on what is checked. One that should be gone
// cannot be found.
const isRefindable = (check: RecordedCheck): check is RecordedCheck & { readonly element: RecordedElement } =>
  check.element !== undefined &&
  check.aria === undefined &&
  check.checks.every((part) => part.kind !== 'text' && part.kind !== 'count' && !isNegative(part, check.not))

function elementConditionOf(
  { checks, aria, not }: RecordedCheck,
  element: RecordedElement | undefined,
): Pick<WaitCondition, 'element'> {
  const selector = element?.locators[0]?.selector
  if (selector === undefined && aria === undefined) return {}
  return {
    element: {
      ...(selector !== undefined && { target: { selector } }),
      checks,
      ...(aria !== undefined && { aria: parseExpectedLines(aria) }),
      not,
    },
  }
}

// The only element that has the text; none if several have it.
async function findText(
  { text }: RecordedCheck,
  { page, deadline }: Replay,
): Promise<RecordedElement | undefined> {
  if (text === undefined) return undefined
  const selector = `internal:text=${JSON.stringify(text)}i`
  const count = await page.count({ selector }, deadline)
  return count.ok && count.value === 1 ? page.describeSelector(selector) : undefined
}

// Where several elements match, a client's check is of the first one, and a test's is a failure.
async function limitToFirst(
  { checks }: RecordedCheck,
  element: RecordedElement,
  { page, deadline }: Replay,
): Promise<RecordedElement> {
  const selector = element.locators[0]?.selector ?? ''
  if (!checks.some((check) => check.kind === 'state' && check.isFirst)) return element
  const count = await page.count({ selector }, deadline)
  return count.ok && count.value > 1 ? page.describeSelector(`${selector} >> nth=0`) : element
}
