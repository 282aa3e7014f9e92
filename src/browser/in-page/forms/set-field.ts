import type { ElementMatches } from '../../playwright/internals.ts'
import type { FieldValue } from '../../../runtime/ports/page.ts'
import type { FieldFormat } from './field-format.ts'
import type { FieldState } from './field-kind.ts'

export interface SetFieldInput {
  readonly value: FieldValue
  /** Its meaning for a checkbox. */
  readonly checked: boolean | undefined
  /** Time to wait for a checkbox to have that state. */
  readonly checkedTimeoutMs: number
  /** From this time on, as of Date.now(), nothing is set any more: the call has been answered. */
  readonly until: number
}

export interface SetFieldResult extends FieldState {
  /** Of a checkbox or radio that can be used. */
  readonly checked?: boolean
  /** `needsinput`: the text of the field is selected, and has to be overwritten by the keyboard. */
  readonly done?: 'done' | 'needsinput'
  /** What the field takes, where that is not the value. */
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
  { value, checked, checkedTimeoutMs, until }: SetFieldInput,
): Promise<SetFieldResult | undefined> {
  if (!element || second || Date.now() > until) return undefined
  const state = readFieldState(element)
  const is = (name: 'visible' | 'enabled' | 'editable' | 'checked') =>
    injected.elementState(element, name, frameVisible).matches
  if (!is('visible') || !is('enabled')) return state
  if (state.kind === 'check') {
    const deadline = performance.now() + checkedTimeoutMs
    while (is('checked') !== checked && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 20))
    return { ...state, checked: is('checked') }
  }
  if (state.kind === 'select') {
    const options = [value].flat().map((option) => ({ valueOrLabel: String(option) }))
    const selected = injected.selectOptions(element, options)
    return Array.isArray(selected) ? { ...state, done: 'done' } : state
  }
  if (state.kind === 'file' || state.isEditor || typeof value !== 'string' || !is('editable')) return state
  const format = checkFormat([element], value)
  if (format.expected !== undefined) return { ...state, expected: format.expected }
  // These are set here and now, and a secret has to be known before.
  const field = element instanceof HTMLLabelElement ? element.control : element
  const { type = '' } = (field ?? {}) as Partial<HTMLInputElement>
  const isSetHere = /^(date|datetime-local|month|week|time|color|range)$/.test(type)
  if (isSetHere && isSecretField(state.field)) return state
  const done = injected.fill(element, format.value)
  return done === 'done' || done === 'needsinput' ? { ...state, done } : state
}
