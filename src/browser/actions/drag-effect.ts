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
  refused: 'No drop event followed: the target may not take what was dragged. Check what the page shows.',
  selected: 'Only the selection of text changed with it. Check what the page shows.',
  nothing: 'Nothing on the page was seen to change with it. Check what the page shows.',
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
