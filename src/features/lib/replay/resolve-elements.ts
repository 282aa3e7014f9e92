// The elements of recorded steps as they are in a replay, with the locators that a test should have.

import type { Deadline } from '../../../core/base/system/deadline.ts'
import type { Page } from '../../../core/sessions/types/page.ts'
import type {
  RecordedAction,
  RecordedCheck,
  RecordedElement,
} from '../../../core/sessions/types/recorded-step.ts'
import { isNegative } from '../../../core/snapshot/element-check.ts'
import { describeElement, describeSelector } from '../recording/recorded-element.ts'
import { limitDeadline } from './run-check.ts'

/** How long an element may take to appear before another of its locators is tried. */
const APPEARANCE_TIMEOUT_MS = 5000

/** An action before it runs, with the best locators that its element has now; as it was recorded where none finds it. */
export async function resolveAction(
  action: RecordedAction,
  page: Page,
  deadline: Deadline,
): Promise<RecordedAction> {
  if (action.kind === 'check')
    return isRefindable(action.check)
      ? {
          ...action,
          check: { ...action.check, element: await findElement(action.check.element, page, deadline) },
        }
      : action
  if (!('element' in action) || !action.element) return action
  const element = await findElement(action.element, page, deadline)
  if (action.kind === 'drag') return { ...action, element, to: await findElement(action.to, page, deadline) }
  if (action.kind !== 'submit') return { ...action, element }
  return resolveSubmit({ ...action, element }, page, deadline)
}

/** An action after it succeeded. A click on a checkbox or a radio button is what it has set, whatever was set before. */
export async function resolveClick(
  action: RecordedAction,
  page: Page,
  deadline: Deadline,
): Promise<RecordedAction> {
  if (action.kind !== 'click' || Object.keys(action.options).length > 0) return action
  const { element } = action
  if (element.type !== 'checkbox' && element.type !== 'radio') return action
  const target = { selector: element.locators[0]?.selector ?? '' }
  const checked = await page.evaluate(
    '(element) => element.checked',
    undefined,
    target,
    limitDeadline(deadline, 500),
  )
  if (!checked.ok || typeof checked.value.result !== 'boolean') return action
  return { kind: 'fill', element, value: checked.value.result }
}

/** A check after it held, with the only element that has its text. */
export async function resolveCheck(
  { textElement: _, ...check }: RecordedCheck,
  page: Page,
  deadline: Deadline,
): Promise<RecordedCheck> {
  const textElement = await findText(check, page, deadline)
  const element = check.element && (await limitToFirst(check, check.element, page))
  const isOptionLabel = element && (await hasOtherValue(check, element, page, deadline))
  return { ...check, ...(element && { element }), textElement, ...(isOptionLabel && { isOptionLabel }) }
}

// --- internal ---

async function findElement(
  element: RecordedElement,
  page: Page,
  deadline: Deadline,
): Promise<RecordedElement> {
  for (const { selector } of element.locators) {
    const limit = limitDeadline(deadline, APPEARANCE_TIMEOUT_MS)
    const match = await describeElement(page.parts.page(), { selector }, limit, 'replay')
    if (!match || match.type === '' || !isSameElement(element, match)) continue
    const others = element.locators.filter((known) =>
      match.locators.every((locator) => locator.selector !== known.selector),
    )
    return { ...match, isEmpty: element.isEmpty, locators: [...match.locators, ...others] }
  }
  return element
}

// What was not described when it was recorded can be any element.
const isSameElement = (recorded: RecordedElement, match: RecordedElement): boolean =>
  recorded.type === '' || (recorded.role === match.role && recorded.type === match.type)

const DEFAULT_BUTTON =
  'xpath=ancestor-or-self::form >> css=button:not([type=button]):not([type=reset]):enabled, input[type=submit]:enabled >> nth=0'

// A person submits a form by its button.
async function resolveSubmit(
  action: Extract<RecordedAction, { kind: 'submit' }>,
  page: Page,
  deadline: Deadline,
): Promise<RecordedAction> {
  const selector = `${action.element.locators[0]?.selector ?? ''} >> ${DEFAULT_BUTTON}`
  const button = await describeElement(page.parts.page(), { selector }, limitDeadline(deadline, 1), 'replay')
  return button && button.type !== '' ? { kind: 'click', element: button, options: {} } : action
}

// An element whose text or number is checked keeps its selector: a better one may depend on what is checked. One that should be gone
// cannot be found.
const isRefindable = (check: RecordedCheck): check is RecordedCheck & { readonly element: RecordedElement } =>
  check.element !== undefined &&
  check.aria === undefined &&
  check.order === undefined &&
  check.checks.every((part) => part.kind !== 'text' && part.kind !== 'count' && !isNegative(part, check.not))

async function findText(
  { text }: RecordedCheck,
  page: Page,
  deadline: Deadline,
): Promise<RecordedElement | undefined> {
  if (text === undefined) return undefined
  const quotedText = JSON.stringify(text)
  const isOnly = async (selector: string): Promise<boolean> => {
    const count = await page.count({ selector })
    return count.ok && count.value === 1
  }
  // A router announces the heading of a page a second time, for screen readers, perhaps after this look.
  const candidates = [
    `internal:role=heading[name=${quotedText}i]`,
    `internal:text=${quotedText}i`,
    `internal:role=alert >> internal:has-text=${quotedText}i`,
    `internal:role=main >> internal:text=${quotedText}i`,
  ]
  for (const selector of candidates)
    if (await isOnly(selector)) return describeSelector(page.parts.page(), selector)
  for (let index = 0; index < FRAME_LIMIT; index += 1) {
    const anySelector = `iframe >> nth=${index}${ENTER_FRAME}internal:text=${quotedText}i`
    if (!(await isOnly(anySelector))) continue
    // With the frame as actions in it find it.
    const element = await describeElement(
      page.parts.page(),
      { selector: anySelector },
      limitDeadline(deadline, 1),
    )
    const elementSelector = element?.locators[0]?.selector ?? anySelector
    const end = elementSelector.lastIndexOf(ENTER_FRAME)
    const selector = `${elementSelector.slice(0, end)}${ENTER_FRAME}internal:text=${quotedText}i`
    if (await isOnly(selector)) return describeSelector(page.parts.page(), selector)
  }
  return undefined
}

const FRAME_LIMIT = 5
const ENTER_FRAME = ' >> internal:control=enter-frame >> '

// A client's check of a value also holds for the label of the selected option.
async function hasOtherValue(
  { checks }: RecordedCheck,
  element: RecordedElement,
  page: Page,
  deadline: Deadline,
): Promise<boolean> {
  const expected = checks.find((check) => check.kind === 'value')
  if (!expected || element.type !== 'select') return false
  const target = { selector: element.locators[0]?.selector ?? '' }
  const value = await page.evaluate('(element) => element.value', undefined, target, deadline)
  return value.ok && value.value.result !== expected.value
}

// Where several elements match, a client's check is of the first one, and a test's is a failure.
async function limitToFirst(
  { checks }: RecordedCheck,
  element: RecordedElement,
  page: Page,
): Promise<RecordedElement> {
  const selector = element.locators[0]?.selector ?? ''
  if (!checks.some((check) => check.kind === 'state' && check.isFirst)) return element
  const count = await page.count({ selector })
  return count.ok && count.value > 1 ? describeSelector(page.parts.page(), `${selector} >> nth=0`) : element
}
