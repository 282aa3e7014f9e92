// The focused element, through frames and open shadow roots.

import type { ElementHandle, Frame, Page } from 'playwright'
import { deepestActiveElement } from '../in-page/dom/active-element.ts'
import { focusedElementOf } from '../in-page/forms/focus.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'

const FRAME_DEPTH_LIMIT = 20

/** The element that keys go to; undefined where the page has none. */
export async function findFocusedElement(page: Page): Promise<ElementHandle<Element> | undefined> {
  let frame: Frame = page.mainFrame()
  for (let depth = 0; depth < FRAME_DEPTH_LIMIT; depth += 1) {
    const handle = await frame.evaluateHandle(composedFocusedElement)
    const element = handle.asElement() as ElementHandle<Element> | null
    const inner = await element?.contentFrame()
    if (!inner) return element ?? undefined
    frame = inner
  }
  return undefined
}

/** Firefox fires focus events only in the front window, and editors that got none take no text. */
export async function bringToFrontUnless(page: Page, isActive: () => Promise<boolean>): Promise<void> {
  if (!(await isActive())) await page.bringToFront()
}

// --- internal ---

const composedFocusedElement = composeInPage(focusedElementOf, { deepestActiveElement })
