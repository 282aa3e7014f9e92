// A submit that the browser's own validation of a form stopped is no success. Whether it did is seen by the events of the page: a field
// was invalid, and no submit followed.

import type { Page } from 'playwright'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import { describeInvalidField } from '../in-page/forms/invalid-field.ts'
import { endValidationWatch, watchValidation } from '../in-page/forms/validation-watch.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import { evaluateTarget } from '../playwright/locator.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err } from '../../core/result.ts'

/** What stopped a submit: the field, and what the browser says of it. Its parts are lines, because it comes from inside a page. */
export type Invalid = `invalid\n${string}\n${string}`

export const isInvalid = (told: unknown): told is Invalid =>
  typeof told === 'string' && told.startsWith('invalid\n')

export function notSubmitted(told: Invalid): Failure {
  const [, field, message] = told.split('\n')
  return {
    code: 'BROWSER_ERROR',
    text: `the form was not submitted, because ${field} is not valid: ${message}`.replace(/\.$/, ''),
    next: 'Give that field a valid value, then submit again.',
  }
}

const READ_TIMEOUT_MS = 500
const ROOT = { selector: 'html' }

/** Runs what may submit a form of the page's main frame. */
export async function submitting<T>(page: Page, work: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  const root = { locator: page.locator(ROOT.selector), target: ROOT }
  await evaluateTarget(root, composedWatchValidation, undefined).catch(() => {})
  const done = await work()
  if (!done.ok) return done
  const told = await settleWithin(READ_TIMEOUT_MS, evaluateTarget(root, endValidationWatch, undefined))
  return isInvalid(told) ? err(notSubmitted(told)) : done
}

// --- internal ---

const composedWatchValidation = composeInPage(watchValidation, { describeInvalidField })
