export const isDocumentFocused = (): boolean => document.hasFocus()

interface Dependencies {
  deepestActiveElement(root: Document | ShadowRoot): Element | null
}

/** The element of this document that receives keys. */
export const focusedElementOf = ({ deepestActiveElement }: Dependencies): Element | null =>
  deepestActiveElement(document)

/** An empty string while the field has the focus, 'lost' if nothing has it, else a description of the focused element. */
export function describeFocus({ deepestActiveElement }: Dependencies, [field]: Element[]): string {
  const active = deepestActiveElement(document)
  if (!field || !active || (active === document.body && active !== field)) return 'lost'
  const container = field.closest('.monaco-editor, .cm-editor, .CodeMirror, .ace_editor') ?? field
  if (container.contains(active) || active.contains(field)) return ''
  return `<${active.localName}${active.id ? ` id="${active.id}"` : ''}>`
}
