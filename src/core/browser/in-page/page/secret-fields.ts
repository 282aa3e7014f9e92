import { isSecretField } from '../../../base/redaction/secret-names.ts'
import { describeField } from './elements.ts'
import type { FieldReport } from '../../../base/redaction/page-secrets.ts'

export const isSecretElement = (element: Element): boolean => isSecretField(describeField(element))

export interface FieldsReport {
  readonly fields: readonly FieldReport[]
  readonly storage: readonly (readonly [name: string, value: string])[]
  /** The number of documents that were read, and of frames that are not accessible. */
  readonly documents: number
  readonly closed: number
}

export function collectFields(): FieldsReport {
  const FIELD_LIMIT = 5000
  const STORAGE_ENTRY_LIMIT = 1000
  const VALUE_LIMIT_CHARS = 20_000
  const fields: FieldReport[] = []
  let documents = 0
  let closed = 0
  const collectFrom = (root: Document | ShadowRoot) => {
    if ((root.ownerDocument ?? root) === root) documents += 1
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) collectFrom(element.shadowRoot)
      // By name, because each frame has its own classes.
      if (/^(i?frame|object|embed|fencedframe)$/.test(element.localName)) {
        const { contentDocument: frameDocument } = element as HTMLIFrameElement
        if (frameDocument) collectFrom(frameDocument)
        else closed += 1
      }
      if (!/^(input|textarea)$/.test(element.localName) || fields.length >= FIELD_LIMIT) continue
      const { type, value } = element as HTMLInputElement
      if (!value || /^(checkbox|radio|button|submit|reset|image|file|range|color)$/.test(type)) continue
      fields.push({ ...describeField(element), value: value.slice(0, VALUE_LIMIT_CHARS) })
    }
  }
  collectFrom(document)
  const storage: [string, string][] = []
  try {
    for (const store of [localStorage, sessionStorage])
      for (const [name, value] of Object.entries(store).slice(0, STORAGE_ENTRY_LIMIT))
        storage.push([name, String(value).slice(0, VALUE_LIMIT_CHARS)])
  } catch {
    // a page without an origin has no storage
  }
  return { fields, storage, documents, closed }
}

/** Masks secret fields, and fields with one of the values, with dots; null removes the masks. Returns whether there are masks now. */
export function maskFields(values: readonly string[] | null): boolean {
  const key = Symbol.for('footlight masks')
  let isMasked = false
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
    isMasked ||= selectors.length > 0
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
  return isMasked
}
