import { isSecretField, type FieldDescription } from '../../../base/redaction/secret-names.ts'
import { CODE_EDITORS, describeField, findInertRoot, isDrawnSlider } from '../page/elements.ts'
import { indicesOfOptions } from './option-list.ts'
import type { ElementMatches } from '../page/element-arguments.ts'
import type { FieldContent } from '../../../base/text/field-content.ts'
import type { FieldValue } from '../../../base/action.ts'

type FieldKind = 'check' | 'select' | 'slider' | 'file' | 'text'

export interface FieldState {
  readonly kind: FieldKind
  /** The attributes that determine whether it is a secret field. */
  readonly field: FieldDescription
  /** It is a part of an editor, or contains one: its text is not set like the value of a field. */
  readonly isEditor?: true
  /** It takes text, for which it may list options now. */
  readonly isFilter?: true
  /** It takes text, and its list is open before it gets any. */
  readonly hasOpenList?: true
}

/** The kind of form field that an element is; a label represents its field. */
export function readFieldState(element: Element): FieldState {
  const label = element instanceof HTMLLabelElement ? element.control : undefined
  const field = label ?? element
  const kindOf = (): FieldKind => {
    if (field instanceof HTMLSelectElement) return 'select'
    const isTextField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
    const isEditable = isTextField
      ? !field.readOnly && field.ariaReadOnly !== 'true'
      : (field as HTMLElement).isContentEditable === true
    if (field.matches('[role="combobox"], [role="listbox"], [aria-haspopup="listbox"]') && !isEditable)
      return 'select'
    const role = field.getAttribute('role') ?? ''
    if (['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio'].includes(role)) return 'check'
    const isOwnSlider = role === 'slider' && field.hasAttribute('aria-valuenow')
    if (isOwnSlider || isDrawnSlider(field)) return 'slider'
    if (!(field instanceof HTMLInputElement)) return 'text'
    if (field.type === 'file') return 'file'
    return field.type === 'checkbox' || field.type === 'radio' ? 'check' : 'text'
  }
  const isControl = field.matches('input, select, button')
  const isEditor = (): boolean => {
    if (field instanceof HTMLTextAreaElement)
      return field.matches('.inputarea, .monaco-editor [readonly], .CodeMirror *, .ace_text-input')
    if (!(field instanceof HTMLElement) || isControl) return false
    return (
      field.isContentEditable ||
      field.closest(CODE_EDITORS) !== null ||
      field.querySelector(`[contenteditable], ${CODE_EDITORS}`) !== null
    )
  }
  // In a search, a choice starts it; where the list is always open, as in a command palette, it is no value.
  const listsOptions =
    field instanceof HTMLInputElement &&
    field.matches('[role="combobox"], [aria-autocomplete="list"], [aria-autocomplete="both"]') &&
    !field.matches('[enterkeyhint="search"], [role="search"] *, search *, form[action*="search" i] *')
  const isOpen = field.matches('[aria-expanded="true"]')
  return {
    kind: kindOf(),
    field: describeField(field),
    ...(isEditor() && { isEditor: true as const }),
    ...(listsOptions && (isOpen ? { hasOpenList: true as const } : { isFilter: true as const })),
  }
}

/** What the one field that matches has; undefined if it is no field of the browser's own, or part of an editor. `text` was entered into it. */
export function readFieldContent([element, second]: Element[], text: string): FieldContent | undefined {
  const START_LENGTH_CHARS = 10_000
  const field = element instanceof HTMLLabelElement ? element.control : element
  if (!field || second) return undefined

  // A tag input makes a chip of the text, the field of a scanner adds it to a list.
  function isShownElsewhere(): boolean {
    const words = text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
    if (words === '') return true
    const escaped = words.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'iu')
    const textOf = (root: Document | ShadowRoot): string =>
      [...root.children].map((child) => (child instanceof HTMLElement ? child.innerText : '')).join('\n')
    for (let node: Node | undefined = field ?? undefined; node;) {
      const root = node.getRootNode()
      if (!(root instanceof Document || root instanceof ShadowRoot)) return false
      if (pattern.test(textOf(root))) return true
      node = root instanceof ShadowRoot ? root.host : undefined
    }
    return false
  }

  if (field instanceof HTMLSelectElement)
    return {
      kind: 'select',
      options: [...field.selectedOptions].map(({ value, label }) => ({ value, label })),
    }
  const isInput = field instanceof HTMLInputElement
  if (!isInput && !(field instanceof HTMLTextAreaElement)) return undefined
  if (isInput && field.type === 'file')
    return { kind: 'files', names: [...(field.files ?? [])].map(({ name }) => name) }
  if (isInput && (field.type === 'checkbox' || field.type === 'radio'))
    return { kind: 'check', checked: field.checked }
  // An incomplete number has no value.
  if (field.matches('.inputarea, .CodeMirror *, .ace_text-input') || field.validity.badInput) return undefined
  const { value } = field
  return {
    kind: 'text',
    start: value.slice(0, START_LENGTH_CHARS),
    length: value.length,
    field: describeField(field),
    ...(value === '' && text !== '' && isShownElsewhere() && { isTaken: true as const }),
  }
}

/** Playwright's injected script in a document that a snapshot was taken of. */
interface WatchedScript {
  readonly footlight?: { readonly changes: { passFrame(): Promise<void> } }
}

/** What the fields of this frame have once the page has drawn what it means to: null for one that cannot be read. */
export async function readFieldContents(
  { injected }: ElementMatches,
  inputs: readonly { readonly selector: string; readonly text: string }[],
): Promise<(FieldContent | null | 'missing')[]> {
  await (injected as WatchedScript).footlight?.changes.passFrame()
  return inputs.map(({ selector, text }) => {
    try {
      const elements = injected.querySelectorAll(injected.parseSelector(selector), document)
      return elements.length === 0 ? 'missing' : (readFieldContent(elements, text) ?? null)
    } catch {
      // The selector leads into another frame.
      return 'missing'
    }
  })
}

// Fields such as dates and numbers are cleared by a value that they do not accept. So the value is tested on a detached field first.
export interface FieldFormat {
  /** The value in the format of the field. */
  readonly value: string
  /** The accepted format, if the field does not accept the value. */
  readonly expected?: string
}

export function checkFormat([element]: Element[], text: string): FieldFormat {
  const field = element instanceof HTMLLabelElement ? element.control : element
  if (!(field instanceof HTMLInputElement) || text === '') return { value: text }
  const value = text.trim()
  const { type, min, max, step } = field
  const stepNote = step && step !== 'any' ? ` in steps of ${step}` : ''
  const formats: Record<string, string> = {
    date: 'a date such as 2030-01-31',
    time: 'a time such as 13:45',
    'datetime-local': 'a date and time such as 2030-01-31T13:45',
    month: 'a month such as 2030-01',
    week: 'a week such as 2030-W05',
    color: 'a color such as #1e90ff',
    number: 'a number such as 12 or -0.5',
    range: `a number from ${min || 0} to ${max || 100}${stepNote}`,
  }
  const expected = formats[type]
  if (expected === undefined) return { value: text }
  const detachedField = field.ownerDocument.createElement('input')
  detachedField.type = type
  for (const name of ['min', 'max', 'step']) {
    const attribute = field.getAttribute(name)
    if (attribute !== null) detachedField.setAttribute(name, attribute)
  }
  detachedField.value = value
  const isAccepted =
    type === 'color'
      ? detachedField.value === value.toLowerCase() || detachedField.value !== '#000000'
      : type === 'range'
        ? Number(detachedField.value) === Number(value)
        : detachedField.value !== ''
  if (!isAccepted) return { value, expected }
  return { value: type === 'number' ? value : detachedField.value }
}

/** Checks whether a number field accepts these characters after its value; the number may be incomplete. Returns the accepted format if not. */
export function checkDigits(
  [field]: Element[],
  { text, clear }: { text: string; clear: boolean },
): string | undefined {
  const currentValue = clear ? '' : (field as HTMLInputElement).value
  const isNumber = /^[-+]?\d*\.?\d*(e[-+]?\d*)?$/i.test((currentValue + text).trim())
  return isNumber ? undefined : 'a number such as 12 or -0.5'
}

/** The field that failed the browser's validation and its message, as the lines of `InvalidField` in click-check.ts. */
function describeInvalidField(field: HTMLInputElement): string {
  const toLine = (text: string) => text.replace(/\s+/g, ' ').slice(0, 200)
  const name = field.id ? ` id="${field.id}"` : field.name ? ` name="${field.name}"` : ''
  return `invalid\n<${field.localName}${toLine(name)}>\n${toLine(field.validationMessage)}`
}

/** Submits the form of an element. False if it has none; the invalid field if the browser's validation blocked the submit. */
export function requestSubmit(element: Element): boolean | string {
  const form = (element as HTMLInputElement).form ?? element.closest('form')
  if (!form) return false
  const button = form.querySelector<HTMLElement>('button:not([type]), [type=submit], [type=image]')
  let invalidField: string | undefined
  let isSubmitted = false
  const onSubmit = () => (isSubmitted = true)
  const onInvalid = ({ target }: Event) => {
    invalidField ??= describeInvalidField(target as HTMLInputElement)
  }
  form.addEventListener('submit', onSubmit, true)
  form.addEventListener('invalid', onInvalid, true)
  form.requestSubmit(button && !button.matches(':disabled') ? button : null)
  form.removeEventListener('submit', onSubmit, true)
  form.removeEventListener('invalid', onInvalid, true)
  return isSubmitted ? true : (invalidField ?? true)
}

interface SetFieldInput {
  readonly value: FieldValue
  /** The state that it stands for in a checkbox. */
  readonly checked: boolean | undefined
  /** Time to wait until a checkbox has that state. */
  readonly checkedTimeoutMs: number
  /** What a checkbox told of its state before it was clicked. */
  readonly ariaStateBefore?: string | undefined
  /** Time of Date.now() after which nothing is set, because the call has been answered. */
  readonly expiresAt: number
}

export interface SetFieldResult extends FieldState {
  /** The state of an enabled checkbox or radio button. */
  readonly checked?: boolean
  /** It is neither checked nor unchecked. */
  readonly isMixed?: boolean
  /** What it tells of its state, whatever the browser does. */
  readonly ariaState?: string
  /** What Playwright's function returned. `needsinput`: the text of the field is selected, and has to be replaced by the keyboard. */
  readonly fillResult?: 'done' | 'needsinput'
  /** The focus handlers of the field have disabled it or made it read-only: nothing was set. */
  readonly isLost?: boolean
  /** The accepted format, if the field does not accept the value. */
  readonly expected?: string
}

/** Whether it is a checkbox that is neither checked nor unchecked. */
export const isMixedBox = ([field]: Element[]): boolean =>
  field?.getAttribute('aria-checked') === 'mixed' ||
  (field as HTMLInputElement | undefined)?.indeterminate === true

/** Sets the one field that matches, if it can be set at once, with Playwright's own functions. */
export async function setField(
  { elements: [element, second], injected, frameVisible }: ElementMatches,
  { value, checked, checkedTimeoutMs, ariaStateBefore, expiresAt }: SetFieldInput,
): Promise<SetFieldResult | undefined> {
  if (!element || second || Date.now() > expiresAt) return undefined
  const state = readFieldState(element)
  const hasState = (name: 'visible' | 'enabled' | 'editable' | 'checked') =>
    injected.elementState(element, name, frameVisible).matches
  // Its own drawing may hide a checkbox.
  if (!(hasState('visible') || state.kind === 'check') || !hasState('enabled') || findInertRoot(element))
    return state
  if (state.kind === 'check') {
    const field = element instanceof HTMLLabelElement ? (element.control ?? element) : element
    const isMixed = () => isMixedBox([field])
    const readAriaState = () => field.getAttribute('aria-checked') ?? ''
    // A page that prevents the click of a label has its own state, which the browser takes back from the checkbox.
    const hasNewAriaState = () =>
      Boolean(ariaStateBefore) && readAriaState() !== ariaStateBefore && readAriaState() === String(checked)
    const isSet = () => !isMixed() && (hasState('checked') === checked || hasNewAriaState())
    const checkedDeadline = performance.now() + checkedTimeoutMs
    while (!isSet() && field.isConnected && performance.now() < checkedDeadline)
      await new Promise((resolve) => setTimeout(resolve, 20))
    // What has gone, as an item of a menu does, has no state.
    const isChecked = isSet() ? checked === true : !checked
    return {
      ...state,
      checked: field.isConnected ? isChecked : undefined,
      ariaState: readAriaState(),
      ...(isMixed() && { isMixed: true }),
    }
  }
  if (state.kind === 'select') {
    const select = element instanceof HTMLLabelElement ? element.control : element
    const indices = select ? indicesOfOptions([select], [value].flat().map(String)) : undefined
    const selected =
      indices &&
      injected.selectOptions(
        element,
        indices.map((index) => ({ index })),
      )
    return Array.isArray(selected) ? { ...state, fillResult: 'done' } : state
  }
  if (
    ['file', 'slider'].includes(state.kind) ||
    state.isEditor ||
    typeof value !== 'string' ||
    !hasState('editable')
  )
    return state
  const format = checkFormat([element], value)
  if (format.expected !== undefined) return { ...state, expected: format.expected }
  // These would be set at once, but a secret has to be registered first.
  const field = element instanceof HTMLLabelElement ? element.control : element
  const { type = '' } = (field ?? {}) as Partial<HTMLInputElement>
  const isSetAtOnce = /^(date|datetime-local|month|week|time|color|range)$/.test(type)
  if (isSetAtOnce && isSecretField(state.field)) return state
  const activeBefore = document.activeElement
  const fillResult = injected.fill(element, format.value)
  const isText = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
  if (fillResult === 'needsinput' && isText) {
    const hadOtherFocus =
      activeBefore !== field && activeBefore?.matches('input, textarea, [contenteditable]')
    if (hadOtherFocus) await new Promise((resolve) => injected.utils.builtins.setTimeout(resolve, 0))
    // The field before takes the focus back: the keys of the browser would go there.
    const root = field.getRootNode() as Document | ShadowRoot
    const isTaken = hadOtherFocus && root.activeElement !== field && Date.now() < expiresAt
    if (isTaken && !isSecretField(state.field)) {
      injected.fill(element, format.value)
      field.ownerDocument.execCommand('insertText', false, format.value)
      if (field.value === format.value) return { ...state, fillResult: 'done' }
    }
    // A page may format the value when its field gets the focus, which ends the selection.
    field.select()
  }
  if (fillResult === 'needsinput' && !(hasState('enabled') && hasState('editable')))
    return { ...state, isLost: true }
  return fillResult === 'done' || fillResult === 'needsinput' ? { ...state, fillResult } : state
}

/** Watches a submit, of this form or of any; the result is the invalid field that blocked it. */
export function watchValidation(form?: HTMLFormElement): () => string | undefined {
  let clickEvent: Event | undefined
  let invalidField: string | undefined
  const onClick = (event: Event) => (clickEvent = event)
  const onSubmit = () => (invalidField = undefined)
  const onInvalid = ({ target }: Event) => {
    const field = target as HTMLInputElement
    const isWatched = form ? field.form === form : field.form && !field.form.noValidate
    if (invalidField !== undefined || !isWatched) return
    invalidField = describeInvalidField(field)
  }
  const listeners = [
    ['click', onClick],
    ['submit', onSubmit],
    ['invalid', onInvalid],
  ] as const
  for (const [type, listener] of listeners) window.addEventListener(type, listener, true)
  return () => {
    for (const [type, listener] of listeners) window.removeEventListener(type, listener, true)
    return clickEvent?.defaultPrevented ? undefined : invalidField
  }
}
