// Typing, filling, selecting and submitting, as statements of a test.

import type { RecordedAction, RecordedElement, RecordedValue } from '../../recording/recorded-step.ts'
import { quoteText } from '../literals.ts'
import { callCode, type Code } from '../print-code.ts'
import { callOn, type ActionScope } from './action-scope.ts'

type ActionOf<K extends RecordedAction['kind']> = Extract<RecordedAction, { kind: K }>

export function typeCode(action: ActionOf<'type'>, scope: ActionScope): readonly Code[] {
  const { element, text, clear = false, submit = false, delay = 0 } = action
  const keysCode = delay > 0 ? [{ open: '{', items: [`delay: ${delay}`], close: '}' }] : []
  const written = scope.text.value(text)
  if (!element) {
    const erase = clear ? ['ControlOrMeta+A', 'Delete'] : []
    return [
      ...erase.map((key) => keyboardCode(scope, 'press', [quoteText(key)])),
      ...(text === '' ? [] : [keyboardCode(scope, 'type', [written, ...keysCode])]),
      ...(submit ? [keyboardCode(scope, 'press', [quoteText('Enter')])] : []),
    ]
  }
  const isField = isTextField(element)
  // A line break that is typed may also send the text.
  const canFill = isField && delay === 0 && !action.needsKeys && !/[\r\n]/.test(text)
  const enter = submit ? [callOn(scope, element, 'press', [quoteText('Enter')])] : []
  if (canFill && (element.isEmpty || clear)) return [callOn(scope, element, 'fill', [written]), ...enter]
  const before = clear
    ? element.isEmpty
      ? []
      : [callOn(scope, element, 'fill', [quoteText('')])]
    : element.isEmpty
      ? []
      : [callOn(scope, element, 'press', [quoteText(isSingleLine(element) ? 'End' : 'ControlOrMeta+End')])]
  const typing = text === '' ? [] : [callOn(scope, element, 'pressSequentially', [written, ...keysCode])]
  return [...before, ...typing, ...enter]
}

export function fillCode({ element, value }: ActionOf<'fill'>, scope: ActionScope): readonly Code[] {
  if (isList(element)) return selectCode(element, [value].flat().map(String), scope)
  const checked = checkedOf(element, value)
  if (checked !== undefined) return [callOn(scope, element, checked ? 'check' : 'uncheck', [])]
  return [callOn(scope, element, 'fill', [scope.text.value([value].flat().join(', '))])]
}

/** Selects in a `<select>`; in any other list the options are clicked. */
export function selectCode(
  element: RecordedElement,
  values: readonly string[],
  scope: ActionScope,
): readonly Code[] {
  const texts = values.map((value) => scope.text.value(value))
  // What is not known is most likely a <select>; so is what a label is for.
  if (/^(?:select|label|)$/.test(element.type)) {
    const [only] = texts
    const argument: Code = texts.length === 1 && only ? only : { open: '[', items: texts, close: ']' }
    return [callOn(scope, element, 'selectOption', [argument])]
  }
  const isOpen = element.role === 'listbox'
  const container = isOpen ? scope.linksOf(element, scope.page) : scope.frameLinksOf(element)
  const options = texts.map((text): Code => {
    const name: Code = { open: '{', items: [['name: ', text], 'exact: true'], close: '}' }
    return scope.statement([...container, callCode('.getByRole', ["'option'", name]), '.click()'])
  })
  if (isOpen) return options
  // A list of several choices stays open.
  const close = texts.length > 1 ? [keyboardCode(scope, 'press', [quoteText('Escape')])] : []
  return [callOn(scope, element, 'click', []), ...options, ...close]
}

/** Presses Enter in a field of one line. Elsewhere the form is submitted by a script, because Enter would do something else. */
export function submitCode({ element }: ActionOf<'submit'>, scope: ActionScope): readonly Code[] {
  if (isTextField(element) && element.type !== 'textarea')
    return [callOn(scope, element, 'press', [quoteText('Enter')])]
  return [
    scope.statement([
      ...scope.linksOf(element, scope.page),
      callCode('.locator', ["'xpath=ancestor-or-self::form'"]),
      callCode('.evaluate', ['(form: HTMLFormElement) => form.requestSubmit()']),
    ]),
  ]
}

/** Whether it is an input or a textarea whose value is a text. */
const isTextField = ({ type }: RecordedElement): boolean =>
  type === 'textarea' ||
  (isInputType(type) && !/^(checkbox|radio|file|button|submit|reset|image)$/.test(type))

// --- internal ---

const isInputType = (type: string): boolean =>
  /^(text|search|email|password|tel|url|number|date|time|month|week|datetime-local|color|range|hidden|checkbox|radio|file|button|submit|reset|image)$/.test(
    type,
  )

const isSingleLine = (element: RecordedElement): boolean =>
  isTextField(element) && element.type !== 'textarea'

// An input that is a combobox is filled as a field.
const isList = (element: RecordedElement): boolean =>
  element.type === 'select' || (/^(combobox|listbox)$/.test(element.role) && !isTextField(element))

function checkedOf({ type, role }: RecordedElement, value: RecordedValue): boolean | undefined {
  if (typeof value === 'boolean') return value
  const isCheck = /^(checkbox|radio|switch|menuitemcheckbox|menuitemradio)$/
  if (!isCheck.test(role) && !isCheck.test(type)) return undefined
  return value === 'true' ? true : value === 'false' ? false : undefined
}

const keyboardCode = (scope: ActionScope, method: string, items: readonly Code[]): Code =>
  scope.statement(['.keyboard', callCode(`.${method}`, items)])
