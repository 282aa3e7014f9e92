export interface DoubleClickWatch {
  readonly element: Element
  isFired: boolean
  /** The last of the clicks. */
  click?: MouseEvent
  /** Removes the listeners. */
  dispose(): void
}

export function watchDoubleClick(element: Element): DoubleClickWatch {
  const onClick = (event: Event) => (watch.click = event as MouseEvent)
  const onDoubleClick = () => (watch.isFired = true)
  const watch: DoubleClickWatch = {
    element,
    isFired: false,
    dispose() {
      element.removeEventListener('click', onClick, true)
      element.removeEventListener('dblclick', onDoubleClick, true)
    },
  }
  element.addEventListener('click', onClick, true)
  element.addEventListener('dblclick', onDoubleClick, true)
  return watch
}

/** Dispatches the event that the browser has omitted, where the last click was. */
export function completeDoubleClick({ element, isFired, click, dispose }: DoubleClickWatch): void {
  dispose()
  if (isFired) return
  const { clientX = 0, clientY = 0, screenX = 0, screenY = 0 } = click ?? {}
  const { altKey = false, ctrlKey = false, metaKey = false, shiftKey = false } = click ?? {}
  const event = { clientX, clientY, screenX, screenY, altKey, ctrlKey, metaKey, shiftKey }
  element.dispatchEvent(
    new MouseEvent('dblclick', { ...event, bubbles: true, cancelable: true, composed: true, detail: 2 }),
  )
}
