/** `refused`: dragged without a drop; `selected`: only the text selection changed. */
export type DragEffect = 'taken' | 'refused' | 'selected' | 'nothing'

/** Watches what the page does during a drag; `endDragWatch` returns it. */
export function watchDrag(): void {
  let isStarted = false
  let isDropped = false
  let isChanged = false
  let isSelected = false
  const onStart = () => (isStarted = true)
  const onDrop = () => (isDropped = true)
  const onChange = () => (isChanged = true)
  const onSelection = () => (isSelected ||= !(getSelection()?.isCollapsed ?? true))
  const listeners = [
    ['dragstart', onStart],
    ['drop', onDrop],
    ['input', onChange],
    ['change', onChange],
    ['scroll', onChange],
    ['selectionchange', onSelection],
  ] as const
  for (const [type, listener] of listeners) document.addEventListener(type, listener, true)
  const observer = new MutationObserver(onChange)
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  const globals = window as unknown as Record<symbol, unknown>
  globals[Symbol.for('footlight drag')] = () => {
    for (const [type, listener] of listeners) document.removeEventListener(type, listener, true)
    if (observer.takeRecords().length > 0) isChanged = true
    observer.disconnect()
    if (isDropped || (isChanged && !isStarted)) return 'taken'
    return isStarted ? 'refused' : isSelected ? 'selected' : 'nothing'
  }
}

/** Waits a frame, in which a page may show the effect of a drop. `taken` where another document has been loaded since. */
export async function endDragWatch(): Promise<DragEffect> {
  await new Promise((resolve) => requestAnimationFrame(resolve))
  const key = Symbol.for('footlight drag')
  const globals = window as unknown as Record<symbol, (() => DragEffect) | undefined>
  const effect = globals[key]?.() ?? 'taken'
  delete globals[key]
  return effect
}
