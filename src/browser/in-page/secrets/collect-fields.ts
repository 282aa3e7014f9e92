import type { FieldDescription } from '../../../core/redaction/secret-names.ts'
import type { FieldReport } from '../../../core/redaction/page-secrets.ts'

export interface FieldsReport {
  readonly fields: readonly FieldReport[]
  readonly storage: readonly (readonly [name: string, value: string])[]
  /** The number of documents that were read, and of frames that are not accessible. */
  readonly documents: number
  readonly closed: number
}

interface Dependencies {
  describeField(element: Element): FieldDescription
}

export function collectFields({ describeField }: Dependencies): FieldsReport {
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
