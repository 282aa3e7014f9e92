import type { ActionWatch } from './action-watch.ts'
import type { RecordedClick } from '../../../core/recording/recorded-step.ts'

interface Dependencies {
  isVisibleToggle(toggle: Element): boolean
  optionsOfClick(event: MouseEvent, element: Element, isControl: boolean): RecordedClick
}

/** Reports clicks. What the browser makes of a click is not one: that on the control of a label, or on the submit button of a form when
 * Enter is pressed in a field. A checkbox or a field with a picker of its own is reported with its value. */
export function watchClicks({ isVisibleToggle, optionsOfClick }: Dependencies, watch: ActionWatch): void {
  const MOVE_LIMIT_PX = 8
  let press: { readonly target: Element; readonly x: number; readonly y: number } | undefined
  let labelControl: Element | undefined
  let toggle: Element | undefined

  const isInput = (element: Element, types: RegExp) =>
    element.localName === 'input' && types.test((element as HTMLInputElement).type)
  const isToggle = (element: Element) => isInput(element, /^(checkbox|radio)$/)
  const hasPicker = (element: Element) =>
    /^(select|option)$/.test(element.localName) ||
    isInput(element, /^(color|date|datetime-local|file|month|range|time|week)$/)

  function reportClick(event: MouseEvent, target: Element): void {
    const control = watch.controlOf(event)
    const element = watch.describe(control ?? target)
    const options = optionsOfClick(event, control ?? target, control !== undefined)
    if (element) watch.report({ kind: 'click', element, options })
  }
  function followLabel(event: MouseEvent, label: HTMLLabelElement, control: HTMLElement): void {
    labelControl = control
    const isHidden = isToggle(control) && !isVisibleToggle(control)
    if (isHidden) {
      watch.hiddenToggle = control
      reportClick(event, label)
    }
    watch.afterEvent(() => {
      labelControl = undefined
      watch.hiddenToggle = undefined
      if (event.defaultPrevented && !isHidden) reportClick(event, label)
    })
  }
  function isMade(event: MouseEvent, target: Element, control: Element): boolean {
    if (control === labelControl) return watch.isTextField(control)
    if (event.detail === 0) return (control.getRootNode() as Document).activeElement !== control
    if (!press || press.target === target) return false
    return Math.hypot(event.clientX - press.x, event.clientY - press.y) > MOVE_LIMIT_PX
  }

  watch.on('pointerdown', ({ clientX: x, clientY: y }, target) => (press = { target, x, y }))
  // Firefox gives a click by a key the detail of one by the mouse.
  watch.on('keydown', () => (press = undefined))
  watch.on('click', (event, target) => {
    const control = watch.controlOf(event) ?? target
    if (hasPicker(control)) return
    if (isToggle(control)) {
      toggle = control
      return watch.afterEvent(() => {
        if (toggle === control && control !== labelControl) reportClick(event, control)
      })
    }
    if (isMade(event, target, control)) return
    const labelled = control.localName === 'label' ? (control as HTMLLabelElement).control : null
    if (labelled) return followLabel(event, control as HTMLLabelElement, labelled)
    reportClick(event, target)
  })
  watch.on('input', (_, target) => {
    if (target === toggle) toggle = undefined
  })
  watch.on('auxclick', (event, target) => {
    if (event.button === 1) reportClick(event, target)
  })
  watch.on('contextmenu', (event, target) => {
    if (event.button === 2) reportClick(event, target)
  })
}
