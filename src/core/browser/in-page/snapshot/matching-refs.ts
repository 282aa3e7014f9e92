// Runs in Playwright's utility world: the refs of the elements that a selector matches.

import type { AriaInjected } from './aria-injected.ts'
import type { ElementMatches } from '../page/element-arguments.ts'

/** A matching element by its ref, or by that of the element around it that has one. */
export interface MatchingRef {
  readonly ref: string | undefined
  readonly isExact: boolean
  readonly text: string
}

/** The refs of the first matches, and the number of all. */
export function readMatchingRefs(
  { elements, injected }: ElementMatches,
  limit: number,
): { readonly refs: readonly MatchingRef[]; readonly count: number } {
  const TEXT_LIMIT_CHARS = 200
  const known = (injected as unknown as AriaInjected).footlight?.refs
  const refs = elements.slice(0, limit).map((element) => {
    let owner: Element | null = element
    while (owner && !known?.has(owner)) owner = owner.parentElement
    const ref = owner ? known?.get(owner)?.ref : undefined
    return { ref, isExact: owner === element, text: (element.textContent ?? '').slice(0, TEXT_LIMIT_CHARS) }
  })
  return { refs, count: elements.length }
}
