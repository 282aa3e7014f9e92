// Whether a page took a drag can only be seen by what it did: the events of drag and drop, and what changed on it.

import type { Page } from 'playwright'
import { withDrop } from './firefox-drop.ts'
import { soon } from './soon.ts'
import { examine } from './target.ts'

const READ_TIMEOUT_MS = 500
const ROOT = { selector: 'html' }

const notes = {
  taken: '',
  refused: 'No drop event followed: the target may not take what was dragged. Check what the page shows.',
  selected: 'Only the selection of text changed with it. Check what the page shows.',
  nothing: 'Nothing on the page was seen to change with it. Check what the page shows.',
} as const

/** Runs a drag; the answer is a note where no effect of it was seen. */
export async function noteDrag<T>(page: Page, drag: () => Promise<T>): Promise<{ done: T; note: string }> {
  const root = page.locator(ROOT.selector)
  await examine(root, ROOT, watchDrag, undefined).catch(() => {})
  const done = await withDrop(page, drag)
  const seen = await soon(READ_TIMEOUT_MS, examine(root, ROOT, endWatch, undefined))
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
  // The target was scrolled into view for this.
  const onScroll = ({ target }: Event) => (changed ||= target !== document)
  const onSelection = () => (selected ||= !(getSelection()?.isCollapsed ?? true))
  const listeners = [
    ['dragstart', onStart],
    ['drop', onDrop],
    ['input', onChange],
    ['change', onChange],
    ['scroll', onScroll],
    ['selectionchange', onSelection],
  ] as const
  for (const [kind, listener] of listeners) document.addEventListener(kind, listener, true)
  const before = new Map<Node, Map<string, string | null>>()
  const added = new Set<Node>()
  const removed = new Set<Node>()
  const record = (records: readonly MutationRecord[]) => {
    for (const { type, target, attributeName, oldValue, addedNodes, removedNodes } of records) {
      if (type === 'characterData') changed = true
      const values = before.get(target) ?? new Map<string, string | null>()
      before.set(target, values)
      if (attributeName !== null && !values.has(attributeName)) values.set(attributeName, oldValue)
      for (const node of removedNodes) if (!added.has(node)) removed.add(node)
      for (const node of addedNodes) added.add(node)
    }
  }
  const observer = new MutationObserver(record)
  observer.observe(document, { subtree: true, childList: true, attributeOldValue: true, characterData: true })
  // What is marked or drawn only as long as the button is held is no effect.
  const isOther = ([node, values]: [Node, Map<string, string | null>]) =>
    node.isConnected &&
    [...values].some(([name, value]) => ((node as Element).getAttribute(name) ?? '') !== (value ?? ''))
  const stays = () =>
    [...before].some(isOther) ||
    [...added].some((node) => node.isConnected) ||
    [...removed].some((node) => !node.isConnected)
  const own = window as unknown as Record<symbol, unknown>
  own[Symbol.for('footlight drag')] = () => {
    for (const [kind, listener] of listeners) document.removeEventListener(kind, listener, true)
    record(observer.takeRecords())
    observer.disconnect()
    if (dropped || ((changed || stays()) && !started)) return 'taken'
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
