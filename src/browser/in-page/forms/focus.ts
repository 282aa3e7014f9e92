export const isDocumentFocused = (): boolean => document.hasFocus()

import type { FieldContent } from '../../../core/text/field-content.ts'

interface Dependencies {
  deepestActiveElement(root: Document | ShadowRoot): Element | null
}

interface ContentDependencies extends Dependencies {
  readFieldContent(elements: Element[], text: string): FieldContent | undefined
}

/** The state of a field under the keys. */
export interface TypedField {
  /** Empty while the field has the focus, 'lost' if nothing has it, else a description of the focused element. */
  readonly focus: string
  readonly content?: FieldContent
}

/** The element of this document that receives keys. */
export const focusedElementOf = ({ deepestActiveElement }: Dependencies): Element | null =>
  deepestActiveElement(document)

/** Reads where the focus is and what the field has of `text`. A disabled field gets no keys, but Chromium moves the focus only when it paints
 * the next frame. */
export function readTypedField(
  { deepestActiveElement, readFieldContent }: ContentDependencies,
  [field]: Element[],
  text: string,
): TypedField {
  const active = deepestActiveElement(document)
  if (!field || !active || (active === document.body && active !== field) || field.matches(':disabled'))
    return { focus: 'lost' }
  const container = field.closest('.monaco-editor, .cm-editor, .CodeMirror, .ace_editor') ?? field
  if (!container.contains(active) && !active.contains(field))
    return { focus: `<${active.localName}${active.id ? ` id="${active.id}"` : ''}>` }
  const content = readFieldContent([field], text)
  return { focus: '', ...(content && { content }) }
}

/** Whether the field ends with the text, apart from separators that a page adds. A page may disable a field that is complete. */
export function hasText([field]: Element[], text: string): boolean {
  const { value } = (field ?? {}) as Partial<HTMLInputElement>
  const normalize = (entry: string) => entry.replace(/[^\p{L}\p{N}]/gu, '')
  const ending = normalize(text)
  if (typeof value !== 'string' || text === '') return false
  return value.endsWith(text) || (ending !== '' && normalize(value).endsWith(ending))
}
