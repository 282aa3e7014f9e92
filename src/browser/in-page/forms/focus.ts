export const isDocumentFocused = (): boolean => document.hasFocus()

interface Dependencies {
  deepestActiveElement(root: Document | ShadowRoot): Element | null
}

/** The element that keys go to in this document. */
export const focusedElementOf = ({ deepestActiveElement }: Dependencies): Element | null =>
  deepestActiveElement(document)

/** An empty text while the field has the focus, 'lost' when nothing has it, else the element that has it. */
export function describeFocus({ deepestActiveElement }: Dependencies, [field]: Element[]): string {
  const active = deepestActiveElement(document)
  if (!field || !active || (active === document.body && active !== field)) return 'lost'
  const container = field.closest('.monaco-editor, .cm-editor, .CodeMirror, .ace_editor') ?? field
  if (container.contains(active) || active.contains(field)) return ''
  return `<${active.localName}${active.id ? ` id="${active.id}"` : ''}>`
}
