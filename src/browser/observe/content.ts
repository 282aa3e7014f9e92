import type { Page } from 'playwright'
import { listDomNodes } from '../in-page/dom-nodes.ts'
import { attempt } from '../playwright/errors.ts'
import { markdown } from '../in-page/markdown.ts'
import { evaluateTarget, locate, describeTarget, targetFailure } from '../playwright/locator.ts'
import type { Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { SecretHooks } from '../../runtime/ports/browsers.ts'
import type { Content, ContentOptions, DomNode, Target } from '../../runtime/ports/page.ts'

/** A part of the content of a page or an element. The whole content is created, and cut, inside the page. */
export async function readContent(
  page: Page,
  { target, format, from, maxChars }: ContentOptions,
): Promise<Outcome<Content>> {
  const part = `(whole) => ({ text: whole.slice(${from}, ${from + maxChars}), total: whole.length, end: whole.length })`
  return onElement(page, target, makers[format], part)
}

// Read before and after a part too, so that a secret which the part would cut is recognized.
const CONTENT_MARGIN_CHARS = 10_000

export function addContentMargins(options: ContentOptions): ContentOptions {
  const from = Math.max(0, options.from - CONTENT_MARGIN_CHARS)
  return { ...options, from, maxChars: options.from - from + options.maxChars + CONTENT_MARGIN_CHARS }
}

/** The requested part, not cut inside a secret. */
export function removeContentMargins(
  { text, total }: Content,
  { from, maxChars }: ContentOptions,
  secrets: SecretHooks | undefined,
): Content {
  const before = from - Math.max(0, from - CONTENT_MARGIN_CHARS)
  if (!secrets)
    return { text: text.slice(before, before + maxChars), total, end: Math.min(total, from + maxChars) }
  const part = secrets.part(text, before, maxChars)
  return { text: part.text, total, end: part.end === text.length ? total : from - before + part.end }
}

const makers = {
  html: '(element) => element.outerHTML',
  text: '(element) => element.innerText ?? element.textContent ?? ""',
  markdown: markdown.toString(),
}

type Dom = { readonly nodes: readonly DomNode[]; readonly truncated: boolean }

// It travels as text, because Playwright takes half a second to take ten thousand objects over, and all wait meanwhile.
export async function readDom(
  page: Page,
  { target, maxNodes }: { target?: Target; maxNodes: number },
): Promise<Outcome<Dom>> {
  const make = `(element) => (${listDomNodes.toString()})(element, ${maxNodes})`
  const made = await onElement<string>(page, target, make, 'JSON.stringify')
  return made.ok ? ok(JSON.parse(made.value) as Dom) : made
}

// Both are texts of functions, because what runs in the page can use only what is sent there. What is not there now is not waited for.
async function onElement<T>(
  page: Page,
  target: Target | undefined,
  make: string,
  shape: string,
): Promise<Outcome<T>> {
  const wanted = target ?? { selector: ':root' }
  const located = await locate(page, wanted)
  if (!located.ok) return located
  const work = new Function(
    'elements',
    `return elements.length === 1 ? { value: (${shape})((${make})(elements[0])) } : { count: elements.length }`,
  ) as (elements: Element[]) => { value: T } | { count: number }
  const done = await attempt(evaluateTarget(located.value, wanted, work, undefined), (error) =>
    targetFailure(error, wanted),
  )
  if (!done.ok) return done
  if ('value' in done.value) return ok(done.value.value)
  const { count } = done.value
  if (count === 0) return err({ code: 'ELEMENT_NOT_FOUND', target: describeTarget(wanted), waited: 0 })
  const expected = 'a selector that matches one element'
  return err({
    code: 'INVALID_PARAMETERS',
    field: 'selector',
    expected,
    received: `one that matches ${count}`,
  })
}
