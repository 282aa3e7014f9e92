export interface DropWatch {
  /** Whether the page accepts what is over the element, or took what was dropped on it. */
  read(type: 'dragover' | 'drop'): boolean
  /** Removes the listeners. */
  dispose(): void
}

/** Watches the drag events of the browser that reach an element. Undefined if its document has an opaque origin: Chromium gives such a
 * document no access to the files, and may crash when it asks for them. */
export function watchDrop(element: Element): DropWatch | undefined {
  const view = element.ownerDocument.defaultView
  if (!view || view.origin === 'null') return undefined
  const events = new Map<string, Event>()
  const onEvent = (event: Event) => {
    if (event.composedPath().includes(element)) events.set(event.type, event)
  }
  for (const type of ['dragover', 'drop']) view.addEventListener(type, onEvent, true)
  return {
    // A document that cancels `dragover` accepts a drop.
    read: (type) => (type === 'drop' ? events.has(type) : (events.get(type)?.defaultPrevented ?? false)),
    dispose() {
      for (const type of ['dragover', 'drop']) view.removeEventListener(type, onEvent, true)
    },
  }
}
