import type { FieldDescription } from '../../../core/redaction/secret-names.ts'

interface Dependencies {
  isSecretField(field: FieldDescription): boolean
  describeField(element: Element): FieldDescription
}

/** Masks secret fields, and fields with one of the values, with dots; null removes the masks. */
export function maskFields(
  { isSecretField, describeField }: Dependencies,
  values: readonly string[] | null,
): void {
  const key = Symbol.for('footlight masks')
  type MaskedRoot = (Document | ShadowRoot) & { [key]?: CSSStyleSheet }
  const selectorOf = (element: Element): string => {
    const steps: string[] = []
    for (let node: Element | null = element; node; node = node.parentElement) {
      const parent: ParentNode | null = node.parentNode
      steps.unshift(`:nth-child(${parent ? [...parent.children].indexOf(node) + 1 : 1})`)
    }
    return steps.join(' > ')
  }
  const maskRoot = (root: MaskedRoot) => {
    const selectors: string[] = []
    const host = root instanceof ShadowRoot ? ':host > ' : ''
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) maskRoot(element.shadowRoot as MaskedRoot)
      if (values === null || !/^(input|textarea)$/.test(element.localName)) continue
      const { type, value } = element as HTMLInputElement
      const isSecret = isSecretField(describeField(element)) || values.includes(value)
      if (isSecret && type !== 'password' && value) selectors.push(host + selectorOf(element))
    }
    const existing = root[key]
    if (!existing && selectors.length === 0) return
    const sheet = existing ?? new CSSStyleSheet()
    sheet.replaceSync(
      selectors.map((selector) => `${selector} { -webkit-text-security: disc !important }`).join('\n'),
    )
    if (existing) return
    Object.defineProperty(root, key, { value: sheet })
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  }
  maskRoot(document as MaskedRoot)
}
