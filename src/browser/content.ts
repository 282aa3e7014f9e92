import type { Locator, Page } from 'playwright'
import { domOf } from './dom.ts'
import { attempt, isTimeout } from './failures.ts'
import { markdown } from './markdown.ts'
import { locate, missedIn, targetFailure } from './target.ts'
import type { Outcome } from '../core/failure.ts'
import { ok } from '../core/result.ts'
import type { Call, Content, ContentOptions, DomNode, Target } from '../runtime/ports/page.ts'

/** A part of what a page or an element holds. The whole is made, and cut, inside the page. */
export async function content(
  page: Page,
  { target, format, from, maxChars }: ContentOptions,
  call: Call,
): Promise<Outcome<Content>> {
  const part = `(whole) => ({ text: whole.slice(${from}, ${from + maxChars}), total: whole.length })`
  return onElement(page, target, call, makers[format], part)
}

const makers = {
  html: '(element) => element.outerHTML',
  text: '(element) => element.innerText ?? element.textContent ?? ""',
  markdown: markdown.toString(),
}

export const dom = (
  page: Page,
  { target, maxNodes }: { target?: Target; maxNodes: number },
  call: Call,
): Promise<Outcome<{ nodes: readonly DomNode[]; truncated: boolean }>> =>
  onElement(
    page,
    target,
    call,
    `(element) => (${domOf.toString()})(element, ${maxNodes})`,
    '(result) => result',
  )

// Both are texts of functions, because what runs in the page can use only what is sent there.
async function onElement<T>(
  page: Page,
  target: Target | undefined,
  call: Call,
  make: string,
  shape: string,
): Promise<Outcome<T>> {
  const located = target ? await locate(page, target) : ok(page.locator(':root'))
  if (!located.ok) return located
  const locator: Locator = located.value
  const work = new Function('element', `return (${shape})((${make})(element))`) as (element: Element) => T
  const done = await attempt(locator.evaluate(work, undefined, { ...call }), (error) =>
    isTimeout(error)
      ? missedIn(locator, target ?? { selector: ':root' }, call)
      : targetFailure(error, target ?? { selector: ':root' }),
  )
  return done as Outcome<T>
}
