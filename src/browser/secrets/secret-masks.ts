// Screenshots and PDFs show secret fields as dots: the fields that count as secret, and those that contain a declared secret. A style
// sheet with a selector for each of them does it, so that the page's elements are not changed; it is emptied afterwards.

import type { Page } from 'playwright'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import { isSecretField, isSecretName } from '../../core/redaction/secret-names.ts'

const MASK_TIMEOUT_MS = 1000

/** Runs `work` while the secret fields of the page show dots. Fields with one of `values` are masked too. */
export async function withSecretMasks<T>(
  page: Page,
  values: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const runInFrames = (run: (arg: readonly string[] | null) => unknown, arg: readonly string[] | null) =>
    Promise.all(page.frames().map((frame) => settleWithin(MASK_TIMEOUT_MS, frame.evaluate(run, arg))))
  await runInFrames(mask, values)
  try {
    return await work()
  } finally {
    await runInFrames(mask, null)
  }
}

// The functions travel as text, so they are put together here.
const mask = new Function(
  'values',
  `return (${maskFields.toString()})(values, ${isSecretField.toString()}, ${isSecretName.toString()})`,
) as (values: readonly string[] | null) => void

// Runs inside the page. Without values it takes the masks away.
function maskFields(
  values: readonly string[] | null,
  isSecret: typeof isSecretField,
  isName: typeof isSecretName,
): void {
  const key = Symbol.for('footlight masks')
  type Masked = (Document | ShadowRoot) & { [key]?: CSSStyleSheet }
  const placeOf = (element: Element): string => {
    const steps: string[] = []
    for (let node: Element | null = element; node; node = node.parentElement) {
      const parent: ParentNode | null = node.parentNode
      steps.unshift(`:nth-child(${parent ? [...parent.children].indexOf(node) + 1 : 1})`)
    }
    return steps.join(' > ')
  }
  const request = (root: Masked) => {
    const places: string[] = []
    const host = root instanceof ShadowRoot ? ':host > ' : ''
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) request(element.shadowRoot as Masked)
      if (values === null || !/^(input|textarea)$/.test(element.localName)) continue
      const { type, value, autocomplete, name, id } = element as HTMLInputElement
      const secret = isSecret({ type, name, id, autocomplete }, isName) || values.includes(value)
      if (secret && type !== 'password' && value) places.push(host + placeOf(element))
    }
    const known = root[key]
    if (!known && places.length === 0) return
    const sheet = known ?? new CSSStyleSheet()
    sheet.replaceSync(places.map((place) => `${place} { -webkit-text-security: disc !important }`).join('\n'))
    if (known) return
    Object.defineProperty(root, key, { value: sheet })
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  }
  request(document as Masked)
}
