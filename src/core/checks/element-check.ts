// What can be required of an element, with the meaning that the assertions of Playwright have.

/** The states of an element that a check can require. */
export const ASSERTED_STATES = [
  'visible',
  'hidden',
  'enabled',
  'disabled',
  'editable',
  'readonly',
  'checked',
  'unchecked',
  'focused',
  'empty',
] as const

export type ElementState = (typeof ASSERTED_STATES)[number] | 'attached' | 'detached'

/** `isFirst`: of the first match; otherwise exactly one element must match. `text` is contained in a visible match, ignoring case and
 * white space; its opposite needs a match, and none that contains it. `value` is also the label of a selected option. */
export type ElementCheck =
  | { readonly kind: 'state'; readonly state: ElementState; readonly isFirst?: boolean }
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'count'; readonly count: number }

/** Whether the check is met by what is not there, so that one look is not enough: the page may be between two states. */
export const isNegative = (check: ElementCheck, not: boolean): boolean =>
  not ||
  (check.kind === 'count' && check.count === 0) ||
  (check.kind === 'state' && (check.state === 'hidden' || check.state === 'detached'))

/** What is waited for, such as `to be visible and to have value "a"`. */
export const describeChecks = (checks: readonly ElementCheck[], not: boolean): string =>
  checks.map((check) => `${not ? 'not ' : ''}${infinitiveOf(check)}`).join(' and ')

/** What a check observes, and the value that it wants, such as `count` and `3`. */
export function expectationOf(check: ElementCheck): { readonly name: string; readonly expected: string } {
  if (check.kind === 'state') return { name: 'state', expected: check.state }
  if (check.kind === 'count') return { name: 'count', expected: String(check.count) }
  return check.kind === 'value'
    ? { name: 'value', expected: JSON.stringify(check.value) }
    : { name: 'text', expected: JSON.stringify(check.text) }
}

// --- internal ---

function infinitiveOf(check: ElementCheck): string {
  const { name, expected } = expectationOf(check)
  if (check.kind === 'state') return `to be ${expected}`
  return check.kind === 'text' ? `to contain the text ${expected}` : `to have ${name} ${expected}`
}
