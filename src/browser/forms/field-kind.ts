// One field of a form, and of what kind it is.

import type { Locator, Page } from 'playwright'
import { attempt, isTimeout } from '../playwright/errors.ts'
import { remainingTime, locate, explainMiss, targetFailure } from '../playwright/locator.ts'
import type { Outcome } from '../../core/failure.ts'
import type { FieldDescription } from '../../core/redaction/secret-names.ts'
import { map } from '../../core/result.ts'
import type { Call, Target } from '../../runtime/ports/page.ts'

export type Kind = 'check' | 'select' | 'file' | 'text'

export interface Seen {
  readonly kind: Kind
  /** What tells whether it takes secrets. */
  readonly field: FieldDescription
  /** It is a part of an editor, or holds one: its text is set by other means than a field's. */
  readonly isEditor?: true
}

export interface Field extends Seen {
  readonly locator: Locator
  /** What is left of the call. */
  readonly rest: () => Call
}

/** Waits for the element, as long as the call allows. */
export async function findField(page: Page, target: Target, call: Call): Promise<Outcome<Field>> {
  const since = performance.now()
  const located = await locate(page, target)
  if (!located.ok) return located
  const locator = located.value
  const looked = await attempt(locator.evaluate(fieldKind, undefined, { ...call }), (error) =>
    isTimeout(error) ? explainMiss(locator, target, call) : targetFailure(error, target),
  )
  const rest = () => ({ ...call, timeout: remainingTime(call, since) })
  return map(looked, (seen) => ({ locator, ...seen, rest }))
}

/** Runs inside the page. */
export function fieldKind(element: Element): Seen {
  const label = element instanceof HTMLLabelElement ? element.control : undefined
  const field = label ?? element
  const kindOf = (): Kind => {
    if (field instanceof HTMLSelectElement) return 'select'
    const takesKeys = field instanceof HTMLInputElement && !field.readOnly
    if (field.matches('[role="combobox"], [role="listbox"], [aria-haspopup="listbox"]') && !takesKeys)
      return 'select'
    const role = field.getAttribute('role') ?? ''
    if (['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio'].includes(role)) return 'check'
    if (!(field instanceof HTMLInputElement)) return 'text'
    if (field.type === 'file') return 'file'
    return field.type === 'checkbox' || field.type === 'radio' ? 'check' : 'text'
  }
  const isControl = field.matches('input, select, button')
  const code = '.monaco-editor, .cm-editor, .CodeMirror, .ace_editor'
  const isEditor = (): boolean => {
    if (field instanceof HTMLTextAreaElement)
      return field.matches('.inputarea, .CodeMirror *, .ace_text-input')
    if (!(field instanceof HTMLElement) || isControl) return false
    return (
      field.isContentEditable ||
      field.closest(code) !== null ||
      field.querySelector(`[contenteditable], ${code}`) !== null
    )
  }
  const { type = '', autocomplete = '', name = '', id = '' } = field as Partial<HTMLInputElement>
  return {
    kind: kindOf(),
    field: { type, autocomplete, name, id },
    ...(isEditor() && { isEditor: true as const }),
  }
}
