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
  const globals = window as unknown as Record<symbol, unknown>
  globals[Symbol.for('footlight drag')] = () => {
    for (const [type, listener] of listeners) document.removeEventListener(type, listener, true)
    record(observer.takeRecords())
    observer.disconnect()
    if (isDropped || ((isChanged || isChangeLasting()) && !isStarted)) return 'taken'
    return isStarted ? 'refused' : isSelected ? 'selected' : 'nothing'
  }
}

/** Waits a frame, in which a page may show the effect of a drop. `taken` if another document has been loaded since. */
export async function endDragWatch(): Promise<DragEffect> {
  await new Promise((resolve) => requestAnimationFrame(resolve))
  const key = Symbol.for('footlight drag')
  const globals = window as unknown as Record<symbol, (() => DragEffect) | undefined>
  const effect = globals[key]?.() ?? 'taken'
  delete globals[key]
  return effect
}
