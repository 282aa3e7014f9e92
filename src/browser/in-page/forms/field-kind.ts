import type { FieldDescription } from '../../../core/redaction/secret-names.ts'

export type FieldKind = 'check' | 'select' | 'file' | 'text'

export interface FieldState {
  readonly kind: FieldKind
  /** The attributes that determine whether it is a secret field. */
  readonly field: FieldDescription
  /** It is a part of an editor, or contains one: its text is not set like the value of a field. */
  readonly isEditor?: true
}

interface Dependencies {
  describeField(element: Element): FieldDescription
}

/** The kind of form field that an element is; a label represents its field. */
export function readFieldState({ describeField }: Dependencies, element: Element): FieldState {
  const label = element instanceof HTMLLabelElement ? element.control : undefined
  const field = label ?? element
  const kindOf = (): FieldKind => {
    if (field instanceof HTMLSelectElement) return 'select'
    const isEditable = field instanceof HTMLInputElement && !field.readOnly
    if (field.matches('[role="combobox"], [role="listbox"], [aria-haspopup="listbox"]') && !isEditable)
      return 'select'
    const role = field.getAttribute('role') ?? ''
    if (['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio'].includes(role)) return 'check'
    if (!(field instanceof HTMLInputElement)) return 'text'
    if (field.type === 'file') return 'file'
    return field.type === 'checkbox' || field.type === 'radio' ? 'check' : 'text'
  }
  const isControl = field.matches('input, select, button')
  const codeEditors = '.monaco-editor, .cm-editor, .CodeMirror, .ace_editor'
  const isEditor = (): boolean => {
    if (field instanceof HTMLTextAreaElement)
      return field.matches('.inputarea, .CodeMirror *, .ace_text-input')
    if (!(field instanceof HTMLElement) || isControl) return false
    return (
      field.isContentEditable ||
      field.closest(codeEditors) !== null ||
      field.querySelector(`[contenteditable], ${codeEditors}`) !== null
    )
  }
  return {
    kind: kindOf(),
    field: describeField(field),
    ...(isEditor() && { isEditor: true as const }),
  }
}
