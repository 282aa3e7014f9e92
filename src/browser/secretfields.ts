// Which fields of a page hold secrets. Their values are learnt before anything of the page is told, and in pictures they show as dots.

import type { BrowserContext, Page } from 'playwright'
import { soon } from './soon.ts'

const PATIENCE = 300

/** The secret values that a page and its context hold now: of fields, and of cookies that could be keys. */
export async function secretsOf(page: Page, context: BrowserContext): Promise<readonly string[]> {
  const frames = page.frames().map(async (frame) => {
    const found = await soon(PATIENCE, frame.evaluate(secretFields))
    return Array.isArray(found) ? found : []
  })
  const cookies = soon(PATIENCE, context.cookies())
  const [fields, kept] = await Promise.all([Promise.all(frames), cookies])
  return [...fields.flat(), ...(Array.isArray(kept) ? kept.filter(isKey).map(({ value }) => value) : [])]
}

// A cookie that remembers a colour or a language must not make that word unspeakable.
const isKey = ({ value, httpOnly }: { value: string; httpOnly: boolean }): boolean =>
  value.length >= 16 || (value.length >= 8 && (httpOnly || (/\d/.test(value) && /[a-z]/i.test(value))))

// Runs inside the page.
function secretFields(): string[] {
  const strong = /passw|pwd|secret|token|cvc|cvv|otp|one-?time|card-?num|ssn|(^|[^a-z])pin([^a-z]|$)/i
  const values: string[] = []
  const visit = (root: Document | ShadowRoot) => {
    let masked = false
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) visit(element.shadowRoot)
      if (!(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)) continue
      const { type, value, autocomplete, name, id } = element
      const filled = /^(cc-|one-time-code|current-password|new-password)/.test(autocomplete)
      const secret = type === 'password' || filled || strong.test(`${name} ${id}`)
      if (!secret || (type === 'hidden' && value.length < 8)) continue
      if (value.length >= 4) values.push(value)
      masked ||= type !== 'password' && type !== 'hidden'
    }
    const marked = root as (Document | ShadowRoot) & { footlightMask?: true }
    if (!masked || marked.footlightMask) return
    const sheet = new CSSStyleSheet()
    const named = ['passw', 'secret', 'token', 'cvc', 'cvv', 'otp', 'card', 'ssn'].flatMap((word) => [
      `input[name*="${word}" i]`,
      `input[id*="${word}" i]`,
    ])
    const filled = ['[autocomplete^="cc-"]', '[autocomplete="one-time-code"]', '[autocomplete$="-password"]']
    sheet.replaceSync(`${[...named, ...filled].join(',')} { -webkit-text-security: disc !important }`)
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
    Object.defineProperty(root, 'footlightMask', { value: true })
  }
  visit(document)
  try {
    for (const store of [localStorage, sessionStorage])
      for (const [name, value] of Object.entries(store))
        if (strong.test(name) && value.length >= 8) values.push(String(value))
  } catch {
    // a page without an origin has no storage
  }
  return values
}
