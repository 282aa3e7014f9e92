import type { ClickOptions } from '../../../core/base/action.ts'
import type { Point } from '../../../core/base/geometry.ts'
import type { ActionWatch, ReportedElement } from './action-watch.ts'

/** Reports clicks, but not those that the browser makes itself: on the control of a label that was clicked, or on the submit button of a
 * form when Enter is pressed in a field. A checkbox or a field with a picker of its own is reported with its value. */
export function watchClicks(watch: ActionWatch): void {
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

/** Reports what is dragged onto another element, by the browser's drag and drop or by listeners of the pointer. */
export function watchDrags(watch: ActionWatch): void {
  const MOVE_LIMIT_PX = 10
  let source: { readonly target: Element; readonly element: ReportedElement | undefined } | undefined
  let start: Point | undefined
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
      .find((element) => !target.contains(element))
    if (end && !end.contains(target)) report(end)
    start = undefined
  })
}

/** Reports the values that a person enters, chooses or has filled in by the browser. */
export function watchFields(watch: ActionWatch): void {
  const TEXT_LIMIT_CHARS = 20_000
  const labelOf = (option: HTMLOptionElement, select: HTMLSelectElement) => {
    const label = option.label.trim()
    const isOnly = [...select.options].filter((other) => other.label.trim() === label).length === 1
    return label !== '' && isOnly ? label : option.value
  }

  // A text comes letter by letter: its field is described once.
  let lastField: { readonly target: Element; readonly element: ReportedElement | undefined } | undefined
  const describeField = (target: Element): ReportedElement | undefined => {
    if (lastField?.target !== target) lastField = { target, element: watch.describe(target) }
    return lastField.element
  }

  watch.on('input', (_, target) => {
    if (target === watch.hiddenToggle) return void (watch.hiddenToggle = undefined)
    const element = describeField(target)
    if (!element) return
    if (target.localName === 'select') {
      const select = target as HTMLSelectElement
      const values = [...select.selectedOptions].map((option) => labelOf(option, select))
      return watch.report({ kind: 'select', element, values })
    }
    const { type, checked, value } = target as HTMLInputElement
    // A person who is not at the browser has no files in it.
    if (target.localName === 'input' && type === 'file') return
    if (target.localName === 'input' && /^(checkbox|radio)$/.test(type))
      return watch.report({ kind: 'fill', element, value: checked })
    const text = 'value' in target ? value : (target as HTMLElement).innerText
    watch.report({ kind: 'fill', element, value: text.slice(0, TEXT_LIMIT_CHARS) })
  })
  watch.on('change', (_, target) => {
    lastField = undefined
    if (watch.isTextField(target)) watch.report({ kind: 'settle' })
  })
}

/** Reports keys that do more than to enter text, to move the cursor or the focus, to scroll, or to press a button. */
export function watchKeys(watch: ActionWatch): void {
  type Relevance = 'always' | 'if prevented' | 'never'

  function judgeInField(event: KeyboardEvent, field: Element): Relevance {
    const { key } = event
    const isMultiline = field.localName === 'textarea' || (field as HTMLElement).isContentEditable
    if (key === 'Escape') return 'always'
    if (key === 'Enter')
      return isMultiline && !event.ctrlKey && !event.metaKey && !event.altKey ? 'if prevented' : 'always'
    const hasList =
      field.matches('[role=combobox], [aria-expanded], [aria-autocomplete], [aria-activedescendant]') ||
      field.hasAttribute('list')
    if (/^(Arrow|Page|Home|End)/.test(key)) return hasList ? 'always' : 'never'
    return 'if prevented'
  }
  function judge(event: KeyboardEvent, target: Element): Relevance {
    const { key } = event
    if (event.isComposing || /^(Shift|Control|Meta|Alt|AltGraph|CapsLock|Dead|Process|Tab)$/.test(key))
      return 'never'
    const isShortcut = event.ctrlKey || event.metaKey || event.altKey
    if (watch.isTextField(target)) {
      const isEditing = key.length === 1 ? !isShortcut : /^(Backspace|Delete|Insert)$/.test(key)
      return isEditing ? 'never' : judgeInField(event, target)
    }
    const isNative = target.matches('button, a[href], summary, input, select, option')
    if (isNative && !isShortcut && /^(Enter| |Arrow.*|Home|End|Page.*)$/.test(key)) return 'never'
    if (target.localName === 'select') return 'never'
    // The browser scrolls with these, or has shortcuts.
    const isOfPage = target === document.body || target === document.documentElement
    if (isShortcut || /^F\d+$/.test(key)) return 'if prevented'
    return isOfPage && /^( |Arrow.*|Page.*|Home|End|Backspace|Delete)$/.test(key) ? 'if prevented' : 'always'
  }
  const nameOf = (event: KeyboardEvent) =>
    [
      ...(event.ctrlKey || event.metaKey ? ['ControlOrMeta'] : []),
      ...(event.altKey ? ['Alt'] : []),
      ...(event.shiftKey && event.key.length > 1 ? ['Shift'] : []),
      event.key === ' ' ? 'Space' : event.key,
    ].join('+')

  watch.on('keydown', (event, target) => {
    const relevance = judge(event, target)
    if (relevance === 'never') return
    const isOfPage = target === document.body || target === document.documentElement
    const element = isOfPage ? undefined : watch.describe(target)
    const action = { kind: 'press', key: nameOf(event), element } as const
    if (relevance === 'always') return watch.report(action)
    watch.afterEvent(() => {
      if (event.defaultPrevented) watch.report(action)
    })
  })
}

// How a person clicked. An element that is no control gets the position if its middle belongs to another element, or if it is a picture.
function optionsOfClick(event: MouseEvent, element: Element, isControl: boolean): ClickOptions {
  const modifiers = [
    ...(event.altKey ? (['Alt'] as const) : []),
    ...(event.ctrlKey || event.metaKey ? (['ControlOrMeta'] as const) : []),
    ...(event.shiftKey ? (['Shift'] as const) : []),
  ]
  const box = element.getBoundingClientRect()
  const middle = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
  const isPicture = /^(canvas|svg|img|video|html|body)$/.test(element.localName)
  const isElsewhere = !isControl && (isPicture || middle !== element)
  const position = { x: Math.round(event.clientX - box.x), y: Math.round(event.clientY - box.y) }
  return {
    ...(event.button === 1 && { button: 'middle' }),
    ...(event.button === 2 && { button: 'right' }),
    ...(event.detail > 1 && { clickCount: event.detail }),
    ...(modifiers.length > 0 && { modifiers }),
    ...(isElsewhere && { position }),
  }
}

// Whether a checkbox can be clicked itself, unlike one that is replaced by the picture of one.
function isVisibleToggle(toggle: Element): boolean {
  const { x, y, width, height } = toggle.getBoundingClientRect()
  if (width < 4 || height < 4 || !toggle.checkVisibility({ visibilityProperty: true })) return false
  const hit = (toggle.getRootNode() as Document | ShadowRoot).elementFromPoint(x + width / 2, y + height / 2)
  return hit === toggle
}
