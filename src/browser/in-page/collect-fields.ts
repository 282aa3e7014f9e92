import type { FieldReport } from '../../core/redaction/page-secrets.ts'

export interface FieldsReport {
  readonly fields: readonly FieldReport[]
  readonly storage: readonly (readonly [name: string, value: string])[]
  /** How many documents were looked into, and how many frames could not be. */
  readonly documents: number
  readonly closed: number
}

// Runs inside the page, so it may use nothing but its arguments and the DOM.
export function collectFields(): FieldsReport {
  const FIELDS = 5000
  const ENTRIES = 1000
  const LENGTH = 20_000
  const fields: FieldReport[] = []
  let documents = 0
  let closed = 0
  const request = (root: Document | ShadowRoot) => {
    if ((root.ownerDocument ?? root) === root) documents += 1
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) request(element.shadowRoot)
      // By name, because each frame has classes of its own.
      if (/^(i?frame|object|embed|fencedframe)$/.test(element.localName)) {
        const { contentDocument: inner } = element as HTMLIFrameElement
        if (inner) request(inner)
        else closed += 1
      }
      if (!/^(input|textarea)$/.test(element.localName) || fields.length >= FIELDS) continue
      const { type, value, autocomplete, name, id } = element as HTMLInputElement
      if (!value || /^(checkbox|radio|button|submit|reset|image|file|range|color)$/.test(type)) continue
      fields.push({ type, name, id, autocomplete, value: value.slice(0, LENGTH) })
    }
  }
  request(document)
  const storage: [string, string][] = []
  try {
    for (const store of [localStorage, sessionStorage])
      for (const [name, value] of Object.entries(store).slice(0, ENTRIES))
        storage.push([name, String(value).slice(0, LENGTH)])
  } catch {
    // a page without an origin has no storage
  }
  return { fields, storage, documents, closed }
}
