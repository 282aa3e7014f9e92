// The end of a drag in Firefox. It starts one for a mouse that WebDriver moves, and tells what that is over, but there is neither a drop nor
// an end of it: so the page is given both, with what was dragged.

import type { Page } from 'playwright'
import { examine } from './target.ts'

const ROOT = { selector: 'html' }

/** Runs a drag and ends what it has started. */
export async function withDrop<T>(page: Page, drag: () => Promise<T>): Promise<T> {
  if (page.context().browser()?.browserType().name() !== 'firefox') return drag()
  const root = page.locator(ROOT.selector)
  await examine(root, ROOT, watchStart, undefined).catch(() => {})
  const done = await drag()
  await examine(root, ROOT, endDrag, undefined).catch(() => {})
  return done
}

// Both run inside the page, so they may use nothing but their arguments and the DOM.
function watchStart(): void {
  let source: EventTarget | null = null
  let last: DragEvent | undefined
  let ended = false
  const carried = new DataTransfer()
  // What is dragged can be read only now.
  const onStart = ({ target, defaultPrevented, dataTransfer }: DragEvent) => {
    if (defaultPrevented) return
    source = target
    for (const type of dataTransfer?.types ?? []) carried.setData(type, dataTransfer?.getData(type) ?? '')
    carried.effectAllowed = dataTransfer?.effectAllowed ?? 'all'
  }
  const onOver = (event: DragEvent) => (last = event)
  const onEnd = () => (ended = true)
  window.addEventListener('dragstart', onStart)
  window.addEventListener('dragover', onOver, true)
  for (const kind of ['drop', 'dragend']) window.addEventListener(kind, onEnd, true)

  function send(kind: string, to: EventTarget): boolean {
    const { clientX = 0, clientY = 0, screenX = 0, screenY = 0 } = last ?? {}
    const at = { clientX, clientY, screenX, screenY }
    const cancelable = kind !== 'dragend'
    return to.dispatchEvent(
      new DragEvent(kind, { ...at, bubbles: true, composed: true, cancelable, dataTransfer: carried }),
    )
  }
  const own = window as unknown as Record<symbol, unknown>
  own[Symbol.for('footlight drop')] = () => {
    window.removeEventListener('dragstart', onStart)
    window.removeEventListener('dragover', onOver, true)
    for (const kind of ['drop', 'dragend']) window.removeEventListener(kind, onEnd, true)
    if (!source || ended) return
    const { clientX = -1, clientY = -1 } = last ?? {}
    let target = document.elementFromPoint(clientX, clientY)
    while (target?.shadowRoot) {
      const inner: Element | null = target.shadowRoot.elementFromPoint(clientX, clientY)
      if (!inner || inner === target) break
      target = inner
    }
    // Only where it is taken there is a drop.
    if (target && !send('dragover', target)) send('drop', target)
    send('dragend', source)
  }
}

async function endDrag(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(resolve))
  const key = Symbol.for('footlight drop')
  const own = window as unknown as Record<symbol, (() => void) | undefined>
  own[key]?.()
  delete own[key]
}
