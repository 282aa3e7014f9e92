// Whether a page accepted a drag is derived from its drag events and from what changed on it.

import type { Page } from 'playwright'
import { watchDuring } from '../actions/watch-during.ts'
import { withDrop } from './firefox-drop.ts'
import { endDragWatch, watchDrag } from '../in-page/pointer/drag-watch.ts'

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
  const watch = { start: watchDrag, end: endDragWatch }
  const { result, finding } = await watchDuring(page, watch, () => withDrop(page, drag))
  return { result, note: finding === undefined ? '' : NOTES[finding] }
}
