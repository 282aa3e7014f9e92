interface Dependencies {
  hitElement(x: number, y: number): Element | null
}

/** Records a drag; `endDrag` dispatches the events that end it, unless the browser has done so. */
export function watchDragStart({ hitElement }: Dependencies): void {
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
  const globals = window as unknown as Record<symbol, unknown>
  globals[Symbol.for('footlight drop')] = () => {
    window.removeEventListener('dragstart', onStart)
    window.removeEventListener('dragover', onOver, true)
    for (const type of ['drop', 'dragend']) window.removeEventListener(type, onEnd, true)
    if (!source || isEnded) return
    const { clientX = -1, clientY = -1 } = lastDragOver ?? {}
    const target = hitElement(clientX, clientY)
    // A drop follows only if dragover was cancelled.
    if (target && !dispatch('dragover', target)) dispatch('drop', target)
    dispatch('dragend', source)
  }
}

export async function endDrag(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(resolve))
  const key = Symbol.for('footlight drop')
  const globals = window as unknown as Record<symbol, (() => void) | undefined>
  globals[key]?.()
  delete globals[key]
}
