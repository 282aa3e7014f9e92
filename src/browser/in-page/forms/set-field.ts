import type { ElementMatches } from '../dom/element-arguments.ts'
import type { FieldValue } from '../../../runtime/ports/page/page.ts'
import type { FieldFormat } from './field-format.ts'
import type { FieldState } from './field-kind.ts'

export interface SetFieldInput {
  readonly value: FieldValue
  /** The state that it stands for in a checkbox. */
  readonly checked: boolean | undefined
  /** Time to wait until a checkbox has that state. */
  readonly checkedTimeoutMs: number
  /** Time of Date.now() after which nothing is set, because the call has been answered. */
  readonly expiresAt: number
}

export interface SetFieldResult extends FieldState {
  /** The state of an enabled checkbox or radio button. */
  readonly checked?: boolean
  /** What Playwright's function returned. `needsinput`: the text of the field is selected, and has to be replaced by the keyboard. */
  readonly fillResult?: 'done' | 'needsinput'
  /** The focus handlers of the field have disabled it or made it read-only: nothing was set. */
  readonly isLost?: boolean
  /** The accepted format, if the field does not accept the value. */
  readonly expected?: string
}

interface Dependencies {
  readFieldState(element: Element): FieldState
  isSecretField(field: FieldState['field']): boolean
  checkFormat(elements: Element[], text: string): FieldFormat
}

/** Sets the one field that matches, if it can be set at once, with Playwright's own functions. */
export async function setField(
  { readFieldState, isSecretField, checkFormat }: Dependencies,
  { elements: [element, second], injected, frameVisible }: ElementMatches,
  { value, checked, checkedTimeoutMs, expiresAt }: SetFieldInput,
): Promise<SetFieldResult | undefined> {
  if (!element || second || Date.now() > expiresAt) return undefined
  const state = readFieldState(element)
  const hasState = (name: 'visible' | 'enabled' | 'editable' | 'checked') =>
    injected.elementState(element, name, frameVisible).matches
  if (!hasState('visible') || !hasState('enabled')) return state
  if (state.kind === 'check') {
    const checkedDeadline = performance.now() + checkedTimeoutMs
    while (hasState('checked') !== checked && performance.now() < checkedDeadline)
      await new Promise((resolve) => setTimeout(resolve, 20))
    return { ...state, checked: hasState('checked') }
  }
  if (state.kind === 'select') {
    const options = [value].flat().map((option) => ({ valueOrLabel: String(option) }))
    const selected = injected.selectOptions(element, options)
    return Array.isArray(selected) ? { ...state, fillResult: 'done' } : state
  }
  if (state.kind === 'file' || state.isEditor || typeof value !== 'string' || !hasState('editable'))
    return state
  const format = checkFormat([element], value)
  if (format.expected !== undefined) return { ...state, expected: format.expected }
  // These would be set at once, but a secret has to be registered first.
  const field = element instanceof HTMLLabelElement ? element.control : element
  const { type = '' } = (field ?? {}) as Partial<HTMLInputElement>
  const isSetAtOnce = /^(date|datetime-local|month|week|time|color|range)$/.test(type)
  if (isSetAtOnce && isSecretField(state.field)) return state
  const fillResult = injected.fill(element, format.value)
  if (fillResult === 'needsinput' && !(hasState('enabled') && hasState('editable')))
    return { ...state, isLost: true }
  return fillResult === 'done' || fillResult === 'needsinput' ? { ...state, fillResult } : state
}
