// Rejects selectors that can never match, because Playwright would wait for them until the timeout.

import { invalidParameter, type Failure } from '../failure.ts'

/** The failure of an invalid selector, or undefined. */
export function checkSelector(selector: string): Failure | undefined {
  const invalid = (expected: string): Failure =>
    invalidParameter('selector', expected, JSON.stringify(selector))
  if (selector.trim() === '') return invalid('a non-empty CSS, XPath or Playwright selector')
  for (const part of selector.split('>>').map((text) => text.trim())) {
    if (/^nth=/.test(part) && !/^nth=-?\d+$/.test(part)) return invalid('an integer after nth=')
    if (/^aria-ref=/.test(part))
      return invalid('a selector; pass a ref from snapshot in the field "ref" instead')
  }
  return undefined
}
