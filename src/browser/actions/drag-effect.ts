// Whether a page took a drag can only be seen by what it did: the events of drag and drop, and what changed on it.

import type { Page } from 'playwright'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import { withDrop } from './firefox-drop.ts'
import { endDragWatch, watchDrag } from '../in-page/actions/drag-watch.ts'
import { evaluateTarget } from '../playwright/locator.ts'

const READ_TIMEOUT_MS = 500
const ROOT = { selector: 'html' }

const notes = {
  taken: '',
  refused: 'No drop event fired: the target may not accept the dragged element. Check what the page shows.',
  selected: 'Only the text selection changed. Check what the page shows.',
  nothing: 'No change of the page was observed. Check what the page shows.',
} as const

/** Runs a drag; the answer is a note where no effect of it was seen. */
export async function dragAndCheckEffect<T>(
  page: Page,
  drag: () => Promise<T>,
): Promise<{ done: T; note: string }> {
  const root = { locator: page.locator(ROOT.selector), target: ROOT }
  await evaluateTarget(root, watchDrag, undefined).catch(() => {})
  const done = await withDrop(page, drag)
  const seen = await settleWithin(READ_TIMEOUT_MS, evaluateTarget(root, endDragWatch, undefined))
  return { done, note: typeof seen === 'string' ? notes[seen] : '' }
}
