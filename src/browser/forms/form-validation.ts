// Detects a submit that the browser's form validation blocked: a field was invalid, and no submit event followed.

import type { Page } from 'playwright'
import { watchDuring, type PageWatch } from '../actions/watch-during.ts'
import { describeInvalidField } from '../in-page/forms/invalid-field.ts'
import { endValidationWatch, watchValidation } from '../in-page/forms/validation-watch.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err } from '../../core/result.ts'

/** The invalid field that blocked a submit, and the message of the browser, one per line, as the in-page functions return them. */
export type InvalidField = `invalid\n${string}\n${string}`

export const isInvalidField = (result: unknown): result is InvalidField =>
  typeof result === 'string' && result.startsWith('invalid\n')

export function submitFailure(result: InvalidField): Failure {
  const [, invalidField = '', message = ''] = result.split('\n')
  return {
    code: 'BROWSER_ERROR',
    text: message.replace(/\.$/, ''),
    invalidField,
  }
}

/** The result is the invalid field that blocked a submit. */
export const submitWatch = {
  start: composeInPage(watchValidation, { describeInvalidField }),
  end: endValidationWatch,
} satisfies PageWatch<string>

/** Runs an action that may submit a form of the main frame; a submit that validation blocked is a failure. */
export async function checkSubmit<T>(page: Page, submit: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  const { result: outcome, finding } = await watchDuring(page, submitWatch, submit)
  return outcome.ok && isInvalidField(finding) ? err(submitFailure(finding)) : outcome
}
