import type { FieldDescription } from '../../../core/redaction/secret-names.ts'
import type { ElementMatches } from '../dom/element-arguments.ts'
import type { FieldContent } from '../../../core/text/field-content.ts'

interface Dependencies {
  describeField(element: Element): FieldDescription
}

/** What the one field that matches has; undefined if it is no field of the browser's own, or part of an editor. `text` was entered into it. */
export function readFieldContent(
  { describeField }: Dependencies,
  [element, second]: Element[],
  text: string,
): FieldContent | undefined {
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

interface ContentDependencies {
  readFieldContent(elements: Element[], text: string): FieldContent | undefined
}

/** What the fields of this frame have: null for one that cannot be read, undefined where nothing matches. */
export const readFieldContents = (
  { readFieldContent }: ContentDependencies,
  { injected }: ElementMatches,
  inputs: readonly { readonly selector: string; readonly text: string }[],
): (FieldContent | null | undefined)[] =>
  inputs.map(({ selector, text }) => {
    try {
      const elements = injected.querySelectorAll(injected.parseSelector(selector), document)
      return elements.length === 0 ? undefined : (readFieldContent(elements, text) ?? null)
    } catch {
      // The selector leads into another frame.
      return undefined
    }
  })
