import { CODE_EDITORS, deepestActiveElement } from '../page/elements.ts'
import { readFieldContent } from './form-fields.ts'
import type { FieldContent } from '../../../base/text/field-content.ts'

export const isDocumentFocused = (): boolean => document.hasFocus()

/** The state of a field under the keys. */
export interface TypedField {
  /** Empty while the field has the focus, 'lost' if nothing has it, else a description of the focused element. */
  readonly focus: string
  readonly content?: FieldContent
}

/** The element of this document that receives keys. */
export const readFocusedElement = (): Element | null => deepestActiveElement(document)

/** Reads where the focus is and what the field has of `text`. A disabled field gets no keys, but Chromium moves the focus only when it paints
 * the next frame. */
export function readTypedField([field]: Element[], text: string): TypedField {
  const active = deepestActiveElement(document)
  if (!field || !active || (active === document.body && active !== field) || field.matches(':disabled'))
    return { focus: 'lost' }
  const container = field.closest(CODE_EDITORS) ?? field
  if (!container.contains(active) && !active.contains(field))
    return { focus: `<${active.localName}${active.id ? ` id="${active.id}"` : ''}>` }
  const content = readFieldContent([field], text)
  return { focus: '', content }
}

/** The text field of an element; undefined if it is none, or if no other field has the focus. */
function unfocusedField(element: Element | undefined): HTMLInputElement | HTMLTextAreaElement | undefined {
  const field = element instanceof HTMLLabelElement ? element.control : element
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return undefined
  const active = deepestActiveElement(document)
  return active !== field && active?.matches('input, textarea, [contenteditable]') ? field : undefined
}

/** Enters a text into a field from which another one takes the focus as soon as it may: keys would go there. False where none has. */
export function enterUnfocused([element]: Element[], text: string): boolean {
  const field = unfocusedField(element)
  if (!field) return false
  field.focus()
  field.select()
  field.ownerDocument.execCommand(text === '' ? 'delete' : 'insertText', false, text)
  return field.value === text
}

/** Whether another field has the focus, and this one has what it had. */
export const isUntouched = ([element]: Element[], value: string): boolean =>
  unfocusedField(element)?.value === value

/** Whether the field ends with the text, apart from separators that a page adds. A page may disable a field that is complete. */
export function hasText([field]: Element[], text: string): boolean {
  const { value } = (field ?? {}) as Partial<HTMLInputElement>
  const normalize = (entry: string) => entry.replace(/[^\p{L}\p{N}]/gu, '')
  const ending = normalize(text)
  if (typeof value !== 'string' || text === '') return false
  return value.endsWith(text) || (ending !== '' && normalize(value).endsWith(ending))
}

/** Hides from the scripts of the page that another window takes the focus, and that this one gets it back: the focused element keeps it.
 * Runs before these scripts, so that its listeners are the first ones. */
export function hideWindowDeactivation(): void {
  // The element whose blur was hidden.
  let heldElement: Element | undefined

  function findActiveElement(): Element | undefined {
    const active = deepestActiveElement(document)
    return active === document.body || active === null ? undefined : active
  }

  const isWindowTarget = (target: EventTarget | null) => target === window || target === document

  // When the focus moves within the page, the element that loses it is not the active one any more.
  function onBlur(event: FocusEvent): void {
    const active = findActiveElement()
    if (!event.isTrusted || !active || /^i?frame$/i.test(active.localName)) return
    if (event.target !== document.activeElement && !isWindowTarget(event.target)) return
    heldElement = active
    event.stopImmediatePropagation()
  }

  function onFocus(event: FocusEvent): void {
    if (!event.isTrusted || !heldElement) return
    const blurredElement = heldElement
    const active = findActiveElement()
    if (active === blurredElement) {
      event.stopImmediatePropagation()
      if (event.type === 'focusin') heldElement = undefined
      return
    }
    // The focus has moved while the window did not have it.
    heldElement = undefined
    const options = { composed: true, relatedTarget: active ?? null }
    blurredElement.dispatchEvent(new FocusEvent('blur', options))
    blurredElement.dispatchEvent(new FocusEvent('focusout', { ...options, bubbles: true }))
  }

  for (const type of ['blur', 'focusout'] as const) window.addEventListener(type, onBlur, true)
  for (const type of ['focus', 'focusin'] as const) window.addEventListener(type, onFocus, true)
}
