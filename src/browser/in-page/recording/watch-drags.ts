import type { ActionWatch, ReportedElement } from './action-watch.ts'

/** Reports what is dragged onto another element, by the browser's drag and drop or by listeners of the pointer. */
export function watchDrags(watch: ActionWatch): void {
  const MOVE_LIMIT_PX = 10
  let source: { readonly target: Element; readonly element: ReportedElement | undefined } | undefined
  let start: { readonly x: number; readonly y: number } | undefined
  let isNative = false

  const report = (end: Element | undefined) => {
    if (!source?.element || !end || end === source.target) return
    const to = watch.describe(end)
    if (to) watch.report({ kind: 'drag', element: source.element, to })
  }
  const isSelectingText = () => {
    const selection = getSelection()
    return selection !== null && !selection.isCollapsed
  }

  watch.on('pointerdown', (event, target) => {
    isNative = false
    start = undefined
    if (
      event.button !== 0 ||
      watch.isTextField(target) ||
      target.matches('html, body, input, select, option')
    )
      return
    start = { x: event.clientX, y: event.clientY }
    source = { target, element: watch.describe(watch.controlOf(event) ?? target) }
  })
  watch.on('dragstart', (_, target) => {
    isNative = true
    source = { target, element: watch.describe(target) }
  })
  watch.on('drop', (_, target) => {
    if (isNative) report(target)
    isNative = false
  })
  watch.on('pointerup', (event) => {
    if (isNative || !start || !source) return
    const { target } = source
    if (Math.hypot(event.clientX - start.x, event.clientY - start.y) <= MOVE_LIMIT_PX || isSelectingText())
      return
    const end = document
      .elementsFromPoint(event.clientX, event.clientY)
      .find((element) => !target.contains(element) && element.localName !== 'x-pw-glass')
    if (end && !end.contains(target)) report(end)
    start = undefined
  })
}
