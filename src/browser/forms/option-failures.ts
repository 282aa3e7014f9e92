// Failures of selecting options.

import { describeTarget } from '../playwright/locator.ts'
import { clip } from '../../core/text/clip.ts'
import { invalidParameter, type Failure } from '../../core/failure.ts'
import type { Target } from '../../runtime/ports/page/target.ts'

const LISTED_OPTION_LIMIT = 30

/** The failure for values that are not among the options, or are disabled. */
export function optionFailure(options: readonly string[], values: readonly string[], reason = ''): Failure {
  const labels = options.slice(0, LISTED_OPTION_LIMIT).map((label) => clip(label, 80))
  const moreNote =
    options.length > LISTED_OPTION_LIMIT ? [`… ${options.length - LISTED_OPTION_LIMIT} more`] : []
  const received = values.slice(0, LISTED_OPTION_LIMIT).map((value) => clip(value, 200))
  const expected =
    options.length > 0
      ? `some of ${[...labels, ...moreNote].join(', ')}`
      : 'one of its options (it shows none)'
  return invalidParameter('values', expected, `${received.join(', ')}${reason}`)
}

/** The failure for an element that is no list of options. */
export const notListFailure = (target: Target): Failure =>
  invalidParameter(
    'selector',
    'a <select>, a combobox or a listbox; use click in any other list',
    describeTarget(target),
  )

/** The failure for an option that was clicked and is not shown as selected. */
export const notSelectedFailure = (label: string, text: string): Failure => ({
  code: 'BROWSER_ERROR',
  text: `the option ${JSON.stringify(clip(label, 100))} was clicked, but the page does not show it as selected: it shows ${JSON.stringify(clip(text, 100))}`,
  next: 'Take a snapshot to see the result.',
})
