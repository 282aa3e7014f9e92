// Finds a form field and its kind.

import type { Locator, Page } from 'playwright'
import { waitForTarget } from '../actions/wait-for-target.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import { attempt } from '../playwright/errors.ts'
import { locate, explainRejection } from '../playwright/locator.ts'
import { playwrightOptions } from '../playwright/playwright-options.ts'
import { describeField } from '../in-page/dom/describe-field.ts'
import { readFieldState, type FieldState } from '../in-page/forms/field-kind.ts'
import type { Outcome } from '../../core/failure.ts'
import { map } from '../../core/result.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { Target } from '../../runtime/ports/page/target.ts'

/** `readFieldState` as a self-contained function. */
export const composedReadFieldState = composeInPage(readFieldState, { describeField })

export interface FormField extends FieldState {
  readonly locator: Locator
}

/** Waits for the element until the deadline. */
export async function findField(page: Page, target: Target, deadline: Deadline): Promise<Outcome<FormField>> {
  const targetResult = await locate(page, target)
  if (!targetResult.ok) return targetResult
  const locator = targetResult.value
  const element = { locator, target, deadline }
  const waiting = waitForTarget(element, 'attached', (limit) =>
    locator.evaluate(composedReadFieldState, undefined, playwrightOptions(limit)),
  )
  const state = await attempt(waiting, (error) => explainRejection(element, error))
  return map(state, (fieldState) => ({ locator, ...fieldState }))
}
