// Whether a page accepted a drag is derived from its drag events and from what changed on it.

import type { Page } from 'playwright'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import { withDrop } from './firefox-drop.ts'
import { endDragWatch, watchDrag } from '../in-page/pointer/drag-watch.ts'
import { evaluateTarget } from '../playwright/locator.ts'

const EFFECT_READ_TIMEOUT_MS = 500
const ROOT = { selector: 'html' }

const NOTES = {
  taken: '',
  refused: 'No drop event fired: the target may not accept the dragged element. Check what the page shows.',
  selected: 'Only the text selection changed. Check what the page shows.',
  nothing: 'No change of the page was observed. Check what the page shows.',
} as const

/** Runs a drag and returns its result, with a note where it had no visible effect. */
export async function dragAndCheckEffect<T>(
  page: Page,
  drag: () => Promise<T>,
): Promise<{ result: T; note: string }> {
  const root = { locator: page.locator(ROOT.selector), target: ROOT }
  await evaluateTarget(root, watchDrag, undefined).catch(() => {})
  const result = await withDrop(page, drag)
  const effect = await settleWithin(EFFECT_READ_TIMEOUT_MS, evaluateTarget(root, endDragWatch, undefined))
  return { result, note: typeof effect === 'string' ? NOTES[effect] : '' }
}
