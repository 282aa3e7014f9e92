export interface DoubleClickWatch {
  readonly element: Element
  isFired: boolean
}

export function watchDoubleClick(element: Element): DoubleClickWatch {
  const watch = { element, isFired: false }
  element.addEventListener('dblclick', () => (watch.isFired = true), { capture: true, once: true })
  return watch
}

/** Dispatches the event that the browser has omitted. */
export function completeDoubleClick({ element, isFired }: DoubleClickWatch): void {
  if (isFired) return
  element.dispatchEvent(
    new MouseEvent('dblclick', { bubbles: true, cancelable: true, composed: true, detail: 2 }),
  )
}
