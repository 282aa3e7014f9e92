// Whether a page took a drag can only be seen by what it did: the events of drag and drop, and what changed on it.

import type { Page } from 'playwright'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
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
  const root = page.locator(ROOT.selector)
  await evaluateTarget(root, ROOT, watchDrag, undefined).catch(() => {})
  const done = await drag()
  const seen = await settleWithin(READ_TIMEOUT_MS, evaluateTarget(root, ROOT, endWatch, undefined))
  return { done, note: typeof seen === 'string' ? notes[seen] : '' }
}

// Both run inside the page, so they may use nothing but their arguments and the DOM.
function watchDrag(): void {
  let started = false
  let dropped = false
  let changed = false
  let selected = false
  const onStart = () => (started = true)
  const onDrop = () => (dropped = true)
  const onChange = () => (changed = true)
  const onSelection = () => (selected ||= !(getSelection()?.isCollapsed ?? true))
  const listeners = [
    ['dragstart', onStart],
    ['drop', onDrop],
    ['input', onChange],
    ['change', onChange],
    ['scroll', onChange],
    ['selectionchange', onSelection],
  ] as const
  for (const [kind, listener] of listeners) document.addEventListener(kind, listener, true)
  const observer = new MutationObserver(onChange)
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  const own = window as unknown as Record<symbol, unknown>
  own[Symbol.for('footlight drag')] = () => {
    for (const [kind, listener] of listeners) document.removeEventListener(kind, listener, true)
    if (observer.takeRecords().length > 0) changed = true
    observer.disconnect()
    if (dropped || (changed && !started)) return 'taken'
    return started ? 'refused' : selected ? 'selected' : 'nothing'
  }
}

// What a page does about a drop it may show a frame later.
async function endWatch(): Promise<'taken' | 'refused' | 'selected' | 'nothing'> {
  await new Promise((resolve) => requestAnimationFrame(resolve))
  const key = Symbol.for('footlight drag')
  const own = window as unknown as Record<
    symbol,
    (() => 'taken' | 'refused' | 'selected' | 'nothing') | undefined
  >
  const told = own[key]?.() ?? 'taken'
  delete own[key]
  return told
}
