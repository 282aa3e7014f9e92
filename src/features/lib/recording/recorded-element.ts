// How the element of an action can be found again by a test. It is read while the action is under way: messages to a page are handled in
// order, so this one sees the element as the action does and takes no turn of its own.

import type { Locator, Page } from 'playwright'
import type { Target } from '../../../core/base/action.ts'
import { isSecretField } from '../../../core/base/redaction/secret-names.ts'
import type { Deadline } from '../../../core/base/system/deadline.ts'
import { describeElement as describeElementInPage } from '../../../core/browser/in-page/generated.ts'
import type {
  DescriptionPurpose,
  ElementReport,
} from '../../../core/browser/in-page/snapshot/describe-element.ts'
import { playwrightOptions } from '../../../core/browser/playwright/engine.ts'
import { attempt } from '../../../core/browser/playwright/errors.ts'
import { evaluateInternally } from '../../../core/browser/playwright/internals.ts'
import { locatorOf, parseSelector } from '../../../core/browser/playwright/locator.ts'
import type { ElementLocator, RecordedElement } from '../../../core/sessions/types/recorded-step.ts'

/** The only element of a target, which may appear until the deadline. A selector that matches several elements, or none, stands for
 * itself; a ref without an element is undefined. */
export async function describeElement(
  page: Page,
  target: Target,
  deadline: Deadline,
  purpose: DescriptionPurpose = 'action',
): Promise<RecordedElement | undefined> {
  const locator = await locatorOf(page, target)
  if (!locator.ok) return undefined
  const reading = readElement(locator.value, target, purpose, deadline)
  const described = await attempt(reading, () => undefined)
  if (described.ok && described.value) return described.value
  return 'ref' in target ? undefined : describeSelector(page, target.selector)
}

/** An element, or several, of which only the selector is known. */
export async function describeSelector(page: Page, selector: string): Promise<RecordedElement> {
  const known = await parseSelector(selector)
  return withoutDescription(toElementLocator(page, known.ok ? known.value : selector))
}

/** Follows the selector of a frame. */
export const ENTER_FRAME = ' >> internal:control=enter-frame >> '

export const toElementLocator = (page: Page, selector: string): ElementLocator => ({
  selector,
  code: String(page.locator(selector)),
})

export const withoutDescription = (locator: ElementLocator): RecordedElement => ({
  locators: [locator],
  role: '',
  name: '',
  type: '',
  isEmpty: false,
  isSecret: false,
})

// --- internal ---

async function readElement(
  locator: Locator,
  target: Target,
  purpose: DescriptionPurpose,
  deadline: Deadline,
): Promise<RecordedElement | undefined> {
  const page = locator.page()
  let report = await readReport(locator, purpose)
  if (report?.count === 0 && 'selector' in target) {
    await locator.first().waitFor({ state: 'attached', ...playwrightOptions(deadline) })
    report = await readReport(locator, purpose)
  }
  // Where the page is reached by the client only, Playwright finds one locator.
  if (!report) return withoutDescription(toElementLocator(page, await readNormalizedSelector(locator)))
  const { element } = report
  if (!element || element.selectors.length === 0) return undefined
  const { selectors, isInFrame, field, ...description } = element
  const prefix = isInFrame ? await readFramePrefix(locator) : ''
  return {
    ...description,
    locators: selectors.map((selector) => toElementLocator(page, `${prefix}${selector}`)),
    isSecret: isSecretField(field),
  }
}

const readReport = async (
  locator: Locator,
  purpose: DescriptionPurpose,
): Promise<ElementReport | undefined> =>
  (await evaluateInternally(locator, describeElementInPage, purpose))?.result

async function readNormalizedSelector(locator: Locator): Promise<string> {
  const { _selector: selector } = (await locator.normalize()) as unknown as { _selector: string }
  return selector
}

// Playwright's own selector begins with those of the frames that the element is in.
async function readFramePrefix(locator: Locator): Promise<string> {
  const selector = await readNormalizedSelector(locator)
  return selector.slice(0, selector.lastIndexOf(ENTER_FRAME) + ENTER_FRAME.length)
}
