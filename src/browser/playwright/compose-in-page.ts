// A function that runs in a page travels as its text, so it cannot reach anything of this module's scope. One that needs others gets them
// as its first argument, by name; this is the only place that puts such texts together.

import {
  checkActionability,
  describeField,
  hitElement,
  runOnElement,
  runOnMatches,
  runOnNothing,
} from '../in-page/generated.ts'
import type { ElementMatches } from '../in-page/actions/element-arguments.ts'

type AnyFunction = (...args: never[]) => unknown

/** Functions by name; a string is the source of a function, such as a caller's script, or of a value. */
type Dependencies<D> = { readonly [Name in keyof D]: D[Name] extends AnyFunction ? D[Name] | string : string }

/** `main` without its first argument, as one self-contained function. Dependencies may be composed functions themselves. The result has
 * no parameters and no names of its own, so that a caller's script finds the page's globals. */
export function composeInPage<D, A extends unknown[], T>(
  main: (dependencies: D, ...args: A) => T,
  dependencies: Dependencies<D>,
): (...args: A) => T {
  const members = Object.entries<AnyFunction | string>(
    dependencies as Readonly<Record<string, AnyFunction | string>>,
  ).map(([name, source]) => `${JSON.stringify(name)}: ${String(source)}`)
  const body = `return (${String(main)})({ ${members.join(',\n')} }, ...arguments)`
  return new Function(body) as (...args: A) => T
}

export const composedCheckActionability = composeInPage(checkActionability, { hitElement, describeField })

/** Runs inside the page, so it is self-contained. */
export type ElementsFunction<A, T> = (elements: Element[], arg: A) => T | Promise<T>

interface Variants<A, T> {
  /** Of what `evaluateInternally` finds. */
  readonly onMatches: (matches: ElementMatches, arg: A) => T | Promise<T>
  readonly onElement: (element: Element, arg: A) => T | Promise<T>
  readonly onNothing: (arg: A) => T | Promise<T>
}

const cache = new WeakMap<object, unknown>()

/** A function of elements for each way in which Playwright calls it. */
export function variantsOf<A, T>(run: ElementsFunction<A, T>): Variants<A, T> {
  const cached = cache.get(run) as Variants<A, T> | undefined
  if (cached) return cached
  const variants: Variants<A, T> = {
    onMatches: composeInPage(runOnMatches<A, T | Promise<T>>, { run }),
    onElement: composeInPage(runOnElement<A, T | Promise<T>>, { run }),
    onNothing: composeInPage(runOnNothing<A, T | Promise<T>>, { run }),
  }
  cache.set(run, variants)
  return variants
}
