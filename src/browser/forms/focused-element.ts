// The focused element, through frames and open shadow roots.

import type { ElementHandle, Frame, Page } from 'playwright'
import { deepestActiveElement } from '../in-page/dom/active-element.ts'
import { focusedElementOf, isDocumentFocused } from '../in-page/forms/focus.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import { engineOfPage } from '../playwright/engine.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'

const FRAME_DEPTH_LIMIT = 20
const WINDOW_FOCUS_TIMEOUT_MS = 1000

/** The element that receives keys; undefined if nothing has the focus. */
export async function findFocusedElement(page: Page): Promise<ElementHandle<Element> | undefined> {
  let frame: Frame = page.mainFrame()
  for (let depth = 0; depth < FRAME_DEPTH_LIMIT; depth += 1) {
    const handle = await frame.evaluateHandle(composedFocusedElement)
    const element = handle.asElement() as ElementHandle<Element> | null
    const childFrame = await element?.contentFrame()
    if (!childFrame) return element ?? undefined
    frame = childFrame
  }
  return undefined
}

/** Firefox fires focus events only in the front window, and some editors accept no text without them. */
export async function bringToFrontUnless(page: Page, isActive: () => Promise<boolean>): Promise<void> {
  if (!(await isActive())) await page.bringToFront()
}

/** Gives the window of the page the focus before an action, if it is a Firefox. An action on a page that does not answer goes on without. */
export async function focusWindow(page: Page): Promise<void> {
  if (engineOfPage(page) !== 'firefox') return
  const isFocused = () => page.evaluate(isDocumentFocused)
  await settleWithin(WINDOW_FOCUS_TIMEOUT_MS, bringToFrontUnless(page, isFocused))
}

// --- internal ---

const composedFocusedElement = composeInPage(focusedElementOf, { deepestActiveElement })
