import { hitElement } from '../page/elements.ts'

/** `refused`: dragged without a drop; `selected`: only the text selection changed. */
export type DragEffect = 'taken' | 'refused' | 'selected' | 'nothing'

/** Watches what the page does during a drag, and in the frame after it. */
export function watchDrag(): () => Promise<DragEffect> {
  let isStarted = false
  let isDropped = false
  let isChanged = false
  let isSelected = false
  const onStart = () => (isStarted = true)
  const onDrop = () => (isDropped = true)
  const onChange = () => (isChanged = true)
  // The document itself is scrolled to bring the drop target into view.
  const onScroll = ({ target }: Event) => (isChanged ||= target !== document)
  const onSelection = () => (isSelected ||= !(getSelection()?.isCollapsed ?? true))
  const listeners = [
    ['dragstart', onStart],
    ['drop', onDrop],
    ['input', onChange],
    ['change', onChange],
    ['scroll', onScroll],
    ['selectionchange', onSelection],
  ] as const
  for (const [type, listener] of listeners) document.addEventListener(type, listener, true)
  const oldAttributes = new Map<Node, Map<string, string | null>>()
  const addedNodes = new Set<Node>()
  const removedNodes = new Set<Node>()
  const record = (mutations: readonly MutationRecord[]) => {
    for (const mutation of mutations) {
      const { type, target, attributeName, oldValue } = mutation
      if (type === 'characterData') isChanged = true
      const values = oldAttributes.get(target) ?? new Map<string, string | null>()
      oldAttributes.set(target, values)
      if (attributeName !== null && !values.has(attributeName)) values.set(attributeName, oldValue)
      for (const node of mutation.removedNodes) if (!addedNodes.has(node)) removedNodes.add(node)
      for (const node of mutation.addedNodes) addedNodes.add(node)
    }
  }
  const observer = new MutationObserver(record)
  observer.observe(document, { subtree: true, childList: true, attributeOldValue: true, characterData: true })
  // Marks and previews that exist only while the button is pressed are no effect.
  const hasChangedAttribute = ([node, values]: [Node, Map<string, string | null>]) =>
    node.isConnected &&
    [...values].some(([name, value]) => ((node as Element).getAttribute(name) ?? '') !== (value ?? ''))
  const isChangeLasting = () =>
    [...oldAttributes].some(hasChangedAttribute) ||
    [...addedNodes].some((node) => node.isConnected) ||
    [...removedNodes].some((node) => !node.isConnected)
  return async () => {
    await new Promise((resolve) => requestAnimationFrame(resolve))
    for (const [type, listener] of listeners) document.removeEventListener(type, listener, true)
    record(observer.takeRecords())
    observer.disconnect()
    if (isDropped || ((isChanged || isChangeLasting()) && !isStarted)) return 'taken'
    return isStarted ? 'refused' : isSelected ? 'selected' : 'nothing'
  }
}

/** Makes a directory field accept several files until its next event, which sets their relative paths. Returns a function that restores
 * the field. */
export function acceptSeveralFiles(input: HTMLInputElement, paths: string[]): () => void {
  const { multiple } = input
  const restore = () => {
    for (const type of ['input', 'change']) window.removeEventListener(type, restore, true)
    input.webkitdirectory = true
    input.multiple = multiple
    const files = [...(input.files ?? [])]
    files.forEach((file, index) =>
      Object.defineProperty(file, 'webkitRelativePath', { value: paths[index] ?? file.name }),
    )
  }
  for (const type of ['input', 'change']) window.addEventListener(type, restore, true)
  input.webkitdirectory = false
  input.multiple = true
  return restore
}

/** Records the timers that the page sets from now on. The returned function resolves when the pending ones have fired. */
export function watchTimers(): () => Promise<void> {
  const [MIN_DELAY_MS, MAX_DELAY_MS] = [20, 1500]
  const { setTimeout: nativeSetTimeout, clearTimeout: nativeClearTimeout } = window
  const pendingTimers = new Set<unknown>()
  let longestDelayMs = 0
  let resolveAll = () => {}
  const endTimer = (id: unknown) => {
    pendingTimers.delete(id)
    if (pendingTimers.size === 0) resolveAll()
  }
  const watchedSetTimeout = (run: TimerHandler, ms = 0, ...args: unknown[]): number => {
    if (typeof run !== 'function' || ms < MIN_DELAY_MS || ms > MAX_DELAY_MS)
      return nativeSetTimeout(run, ms, ...args)
    const id: number = nativeSetTimeout(() => {
      endTimer(id)
      run(...args)
    }, ms)
    pendingTimers.add(id)
    longestDelayMs = Math.max(longestDelayMs, ms)
    return id
  }
  const watchedClearTimeout = (id?: number): void => {
    nativeClearTimeout(id)
    endTimer(id)
  }
  Object.assign(window, { setTimeout: watchedSetTimeout, clearTimeout: watchedClearTimeout })
  return async () => {
    if (window.setTimeout === (watchedSetTimeout as unknown)) window.setTimeout = nativeSetTimeout
    const allEnded = new Promise<void>((resolve) => (resolveAll = resolve))
    const limit = () => new Promise((resolve) => nativeSetTimeout(resolve, longestDelayMs + MIN_DELAY_MS))
    if (pendingTimers.size > 0) await Promise.race([allEnded, limit()])
    if (window.clearTimeout === watchedClearTimeout) window.clearTimeout = nativeClearTimeout
  }
}

type EndDrag = (isAbandoned?: boolean) => Promise<void>

/** Records a drag; its end dispatches the events that end it, unless the browser has done so. */
export function watchDragStart(): EndDrag {
  let source: EventTarget | null = null
  let lastDragOver: DragEvent | undefined
  let isEnded = false
  const data = new DataTransfer()
  // The data can only be read during this event.
  const onStart = ({ target, defaultPrevented, dataTransfer }: DragEvent) => {
    if (defaultPrevented) return
    source = target
    for (const type of dataTransfer?.types ?? []) data.setData(type, dataTransfer?.getData(type) ?? '')
    data.effectAllowed = dataTransfer?.effectAllowed ?? 'all'
  }
  const onOver = (event: DragEvent) => (lastDragOver = event)
  const onEnd = () => (isEnded = true)
  window.addEventListener('dragstart', onStart)
  window.addEventListener('dragover', onOver, true)
  for (const type of ['drop', 'dragend']) window.addEventListener(type, onEnd, true)

  function dispatch(type: string, target: EventTarget): boolean {
    const { clientX = 0, clientY = 0, screenX = 0, screenY = 0 } = lastDragOver ?? {}
    const position = { clientX, clientY, screenX, screenY }
    const cancelable = type !== 'dragend'
    return target.dispatchEvent(
      new DragEvent(type, { ...position, bubbles: true, composed: true, cancelable, dataTransfer: data }),
    )
  }
  return async (isAbandoned) => {
    if (!isAbandoned) await new Promise((resolve) => requestAnimationFrame(resolve))
    window.removeEventListener('dragstart', onStart)
    window.removeEventListener('dragover', onOver, true)
    for (const type of ['drop', 'dragend']) window.removeEventListener(type, onEnd, true)
    if (isAbandoned || !source || isEnded) return
    const { clientX = -1, clientY = -1 } = lastDragOver ?? {}
    const target = hitElement(clientX, clientY)
    // A drop follows only if dragover was cancelled.
    if (target && !dispatch('dragover', target)) dispatch('drop', target)
    dispatch('dragend', source)
  }
}

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
