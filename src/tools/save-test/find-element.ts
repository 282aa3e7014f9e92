import { limitDeadline } from './limit-deadline.ts'
import type { RecordedElement } from '../../core/recording/recorded-step.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { Page } from '../../runtime/ports/page/page.ts'

/** How long an element may take to appear before another of its locators is tried. */
const APPEARANCE_TIMEOUT_MS = 5000

/** Finds an element by one of its locators and describes it as it is now, the best locators first. Where none finds it, it stays as it was
 * recorded. */
export async function findElement(
  element: RecordedElement,
  page: Page,
  deadline: Deadline,
): Promise<RecordedElement> {
  for (const { selector } of element.locators) {
    const limit = limitDeadline(deadline, APPEARANCE_TIMEOUT_MS)
    const match = await page.describeElement({ selector }, limit, 'replay')
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
