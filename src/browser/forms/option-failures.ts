// The failures of choosing options.

import { describeTarget } from '../playwright/locator.ts'
import { clip } from '../../core/text/clip.ts'
import { invalidParameter, type Failure } from '../../core/failure.ts'
import type { Target } from '../../runtime/ports/page.ts'

const LIST_LIMIT = 30

/** Values that are not among the options, or cannot be chosen. */
export function optionFailure(options: readonly string[], values: readonly string[], why = ''): Failure {
  const labels = options.slice(0, LIST_LIMIT).map((one) => clip(one, 80))
  const more = options.length > LIST_LIMIT ? [`… ${options.length - LIST_LIMIT} more`] : []
  const received = values.slice(0, LIST_LIMIT).map((value) => clip(value, 200))
  const expected =
    options.length > 0
      ? `some of ${[...labels, ...more].join(', ')}`
      : 'one of its options, of which it shows none'
  return invalidParameter('values', expected, `${received.join(', ')}${why}`)
}

/** The element is no list to choose from. */
export const notListFailure = (target: Target): Failure =>
  invalidParameter(
    'selector',
    'a <select>, a combobox or a listbox; click the parts of any other list',
    describeTarget(target),
  )

/** The page does not show the option that was clicked as chosen. */
export const notSelectedFailure = (label: string, text: string): Failure => ({
  code: 'BROWSER_ERROR',
  text: `the option ${JSON.stringify(label.slice(0, 100))} was clicked, and the page does not show it as chosen: it shows ${JSON.stringify(text.slice(0, 100))}`,
  next: 'Take a snapshot to see what the page made of it.',
})
