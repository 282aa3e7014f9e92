// Which fields of a page hold secrets. Their values are learnt before anything of the page is told, and in pictures they show as dots.

import { runScript } from './script.ts'
import { secretWords, type SecretWords } from './secretwords.ts'
import { soon } from './soon.ts'
import type { Surface } from './tabs.ts'

const PATIENCE = 300
const AT_ONCE = 50

interface Found {
  readonly values: readonly string[]
  /** How many documents were looked into, and how many frames could not be. */
  readonly documents: number
  readonly closed: number
}

/** The secret values that a page and its context hold now: of fields, and of cookies that could be keys. */
export async function secretsOf(surface: Surface): Promise<readonly string[]> {
  const [fields, kept] = await Promise.all([fieldsOf(surface), soon(PATIENCE, surface.context.cookies())])
  return [...fields, ...(Array.isArray(kept) ? kept.filter(isKey).map(({ value }) => value) : [])]
}

// The page answers for the frames that it may look into; if there are others, each is asked, some at a time.
async function fieldsOf({ page, rescue }: Surface): Promise<readonly string[]> {
  const top = await found(runScript(page, await rescue.channel, secretFields, secretWords))
  const frames = page.frames()
  if (top.closed === 0 && top.documents >= frames.length) return top.values
  const all = [...top.values]
  for (let from = 1; from < frames.length; from += AT_ONCE) {
    const inner = await Promise.all(
      frames.slice(from, from + AT_ONCE).map((frame) => found(frame.evaluate(secretFields, secretWords))),
    )
    all.push(...inner.flatMap(({ values }) => values))
  }
  return all
}

async function found(work: Promise<Found>): Promise<Found> {
  const told = await soon(PATIENCE, work)
  return told === undefined || told instanceof Error ? { values: [], documents: 0, closed: 0 } : told
}

// A cookie that remembers a colour or a language must not make that word unspeakable.
const isKey = ({ value, httpOnly }: { value: string; httpOnly: boolean }): boolean =>
  value.length >= 16 || (value.length >= 8 && (httpOnly || (/\d/.test(value) && /[a-z]/i.test(value))))

// Runs inside the page.
function secretFields(words: SecretWords): Found {
  const strong = new RegExp(words.name, 'i')
  const values: string[] = []
  let documents = 0
  let closed = 0
  const visit = (root: Document | ShadowRoot) => {
    let masked = false
    const own = (root.ownerDocument ?? root) as Document
    if (own === root) documents += 1
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) visit(element.shadowRoot)
      if (/^(i?frame|object|embed|fencedframe)$/.test(element.localName)) {
        const { contentDocument: inner } = element as HTMLIFrameElement
        if (inner) visit(inner)
        else closed += 1
      }
      // By name, because each frame has classes of its own.
      if (!/^(input|textarea)$/.test(element.localName)) continue
      const { type, value, autocomplete, name, id } = element as HTMLInputElement
      const filled = new RegExp(words.autocomplete).test(autocomplete)
      const secret = type === 'password' || filled || strong.test(`${name} ${id}`)
      if (!secret || (type === 'hidden' && value.length < 8)) continue
      if (value.length >= 4) values.push(value)
      masked ||= type !== 'password' && type !== 'hidden'
    }
    const marked = root as (Document | ShadowRoot) & { footlightMask?: true }
    if (!masked || marked.footlightMask) return
    const sheet = new (own.defaultView ?? window).CSSStyleSheet()
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
  return { values, documents, closed }
}
