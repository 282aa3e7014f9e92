// The end of a drag in Firefox. For mouse input from WebDriver it dispatches dragstart and dragover, but neither drop nor dragend: both
// are dispatched here, with the data of the drag.

import type { Page } from 'playwright'
import { endDrag, watchDragStart } from '../in-page/pointer/drag-drop.ts'
import { hitElement } from '../in-page/dom/hit-element.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import { evaluateTarget } from '../playwright/locator.ts'

const ROOT = { selector: 'html' }

/** Runs a drag, and in Firefox dispatches the events that end it. */
export async function withDrop<T>(page: Page, drag: () => Promise<T>): Promise<T> {
  if (page.context().browser()?.browserType().name() !== 'firefox') return drag()
  const root = { locator: page.locator(ROOT.selector), target: ROOT }
  await evaluateTarget(root, composedWatchDragStart, undefined).catch(() => {})
  const result = await drag()
  await evaluateTarget(root, endDrag, undefined).catch(() => {})
  return result
}

const composedWatchDragStart = composeInPage(watchDragStart, { hitElement })
