// Functions around a function that runs in a page. None has a name that the inner one could see, so that a caller's script finds the
// globals of the page.

import type { ElementMatches } from '../in-page/page/element-arguments.ts'
import { pageFunction } from '../in-page/page-function.ts'

type PageFunction = (...args: never[]) => unknown

/** `main`, which gets the inner function as `run` of its first argument; a string is the source of one. */
export const composeInPage = <Run extends PageFunction, A extends unknown[], T>(
  main: (inner: { run: Run }, ...args: A) => T,
  run: Run | string,
): ((...args: A) => T) =>
  pageFunction(`function(){return(${String(main)})({run:${String(run)}},...arguments)}`)

export type ElementsFunction<A, T> = (elements: Element[], arg: A) => T | Promise<T>

interface Variants<A, T> {
  /** Of what `evaluateInternally` finds. */
  readonly onMatches: (matches: ElementMatches, arg: A) => T | Promise<T>
  readonly onElement: (element: Element, arg: A) => T | Promise<T>
  readonly onNothing: (arg: A) => T | Promise<T>
}

/** A function of elements for each way in which Playwright calls it: with all matches, with one element, or with none. */
export const variantsOf = <A, T>(run: ElementsFunction<A, T>): Variants<A, T> => ({
  onMatches: pageFunction(`function(){return(${String(run)})(arguments[0].elements,arguments[1])}`),
  onElement: pageFunction(`function(){return(${String(run)})([arguments[0]],arguments[1])}`),
  onNothing: pageFunction(`function(){return(${String(run)})([],arguments[0])}`),
})
