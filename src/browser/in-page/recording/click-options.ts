import type { RecordedClick } from '../../../core/recording/recorded-step.ts'

/** How a person clicked. What is no control gets the position if its middle belongs to another element, or if it is a picture. */
export function optionsOfClick(event: MouseEvent, element: Element, isControl: boolean): RecordedClick {
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

/** Whether a checkbox can be clicked itself, unlike one that is replaced by the picture of one. */
export function isVisibleToggle(toggle: Element): boolean {
  const { x, y, width, height } = toggle.getBoundingClientRect()
  if (width < 4 || height < 4 || !toggle.checkVisibility({ visibilityProperty: true })) return false
  const hit = (toggle.getRootNode() as Document | ShadowRoot).elementFromPoint(x + width / 2, y + height / 2)
  return hit === toggle
}
