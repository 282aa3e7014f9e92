// A function of elements for each way in which Playwright calls it.

import { composeInPage } from './compose-in-page.ts'
import type { ElementMatches } from '../in-page/dom/element-arguments.ts'
import { runOnElement, runOnMatches, runOnNothing } from '../in-page/dom/element-arguments.ts'

/** Runs inside the page, so it is self-contained. */
export type ElementsFunction<A, T> = (elements: Element[], arg: A) => T | Promise<T>

interface Variants {
  readonly onMatches: (matches: ElementMatches, arg: unknown) => unknown
  readonly onElement: (element: Element, arg: unknown) => unknown
  readonly onNothing: (arg: unknown) => unknown
}

/** Of what `evaluateInternally` finds. */
export const onMatches = <A, T>(run: ElementsFunction<A, T>) =>
  variantsOf(run).onMatches as (matches: ElementMatches, arg: A) => T | Promise<T>

/** Of one element. */
export const onElement = <A, T>(run: ElementsFunction<A, T>) =>
  variantsOf(run).onElement as (element: Element, arg: A) => T | Promise<T>

/** Of no element. */
export const onNothing = <A, T>(run: ElementsFunction<A, T>) =>
  variantsOf(run).onNothing as (arg: A) => T | Promise<T>

// --- internal ---

const cache = new WeakMap<object, Variants>()

function variantsOf<A, T>(work: ElementsFunction<A, T>): Variants {
  const cached = cache.get(work)
  if (cached) return cached
  const run = work as ElementsFunction<unknown, unknown>
  const variants = {
    onMatches: composeInPage(runOnMatches, { run }),
    onElement: composeInPage(runOnElement, { run }),
    onNothing: composeInPage(runOnNothing, { run }),
  }
  cache.set(work, variants)
  return variants
}
