// What has the focus, through frames and open shadow roots.

import type { ElementHandle, Frame, Page } from 'playwright'
import { deepestActiveElement } from '../in-page/dom/active-element.ts'
import { focusedElementOf } from '../in-page/forms/focus.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'

const DEEPEST = 20

/** The element that keys go to; undefined where the page has none. */
export async function focusedElement(page: Page): Promise<ElementHandle<Element> | undefined> {
  let frame: Frame = page.mainFrame()
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    const handle = await frame.evaluateHandle(composedFocusedElement)
    const element = handle.asElement() as ElementHandle<Element> | null
    const inner = await element?.contentFrame()
    if (!inner) return element ?? undefined
    frame = inner
  }
  return undefined
}

/** Firefox tells an element of its focus only in the window in front, and what was not told of it takes nothing. */
export async function activate(page: Page, isActive: () => Promise<boolean>): Promise<void> {
  if (!(await isActive())) await page.bringToFront()
}

// --- internal ---

const composedFocusedElement = composeInPage(focusedElementOf, { deepestActiveElement })
