// Finds a form field and its kind.

import type { Locator, Page } from 'playwright'
import { composeInPage } from '../playwright/compose-in-page.ts'
import { attempt } from '../playwright/errors.ts'
import { remainingTime, locate, explainRejection } from '../playwright/locator.ts'
import { describeField } from '../in-page/dom/describe-field.ts'
import { readFieldState, type FieldState } from '../in-page/forms/field-kind.ts'
import type { Outcome } from '../../core/failure.ts'
import { map } from '../../core/result.ts'
import type { Call, Target } from '../../runtime/ports/page.ts'

/** `readFieldState` as a self-contained function. */
export const composedReadFieldState = composeInPage(readFieldState, { describeField })

export interface FormField extends FieldState {
  readonly locator: Locator
  /** The call with the remaining time as its timeout. */
  readonly remainingCall: () => Call
}

/** Waits for the element up to the timeout of the call. */
export async function findField(page: Page, target: Target, call: Call): Promise<Outcome<FormField>> {
  const startedAt = performance.now()
  const targetResult = await locate(page, target)
  if (!targetResult.ok) return targetResult
  const locator = targetResult.value
  const state = await attempt(locator.evaluate(composedReadFieldState, undefined, { ...call }), (error) =>
    explainRejection({ locator, target, call }, error),
  )
  const remainingCall = () => ({ ...call, timeout: remainingTime(call, startedAt) })
  return map(state, (fieldState) => ({ locator, ...fieldState, remainingCall }))
}
