// Sets form fields at once: text, checkboxes, selects. type.ts types key by key.

import type { Locator, Page } from 'playwright'
import { checkEditable, focusField, markLostField } from './editable-check.ts'
import { replaceText } from './editor.ts'
import { attempt, isMalformedValue, isNotFillable } from '../playwright/errors.ts'
import { findField } from './field-kind.ts'
import { checkFormat, type FieldFormat } from '../in-page/forms/field-format.ts'
import { describeInvalidField } from '../in-page/forms/invalid-field.ts'
import { requestSubmit } from '../in-page/forms/request-submit.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import { formatFailure } from './refused-format.ts'
import type { OnFieldInput } from '../secrets/typed-secrets.ts'
import { waitForTarget } from '../actions/wait-for-target.ts'
import { explainRefusal } from '../actions/explain-refusal.ts'
import { selectInElement } from './select.ts'
import { parseChecked, fastFill } from './fast-fill.ts'
import type { Tab } from '../tab/tab.ts'
import {
  locatorOf,
  evaluateTarget,
  locate,
  explainRejection,
  describeTarget,
  type ResolvedTarget,
} from '../playwright/locator.ts'
import { playwrightOptions } from '../playwright/playwright-options.ts'
import { isInvalidField, submitFailure } from './form-validation.ts'
import { clip } from '../../core/text/clip.ts'
import { invalidParameter, type Failure, type Outcome } from '../../core/failure.ts'
import { err, map, ok } from '../../core/result.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { FieldValue } from '../../runtime/ports/page/page.ts'
import type { Target } from '../../runtime/ports/page/target.ts'

/** Sets a field to a value, depending on its kind. */
export async function fill(
  tab: Tab,
  target: Target,
  value: FieldValue,
  deadline: Deadline,
  onSecret: OnFieldInput,
): Promise<Outcome<void>> {
  const locatorResult = await locatorOf(tab.page, target)
  if (!locatorResult.ok) return locatorResult
  const resolvedTarget = { locator: locatorResult.value, target, deadline }
  const fastAttempt = await attempt(fastFill(tab, resolvedTarget, value, onSecret), (error) =>
    explainRejection(resolvedTarget, error),
  )
  const fastResult = fastAttempt.ok ? fastAttempt.value : fastAttempt
  if (!fastResult.ok) return fastResult
  if (fastResult.value === 'done') return ok(undefined)
  const formField = await findField(tab.page, target, deadline)
  if (!formField.ok) return formField
  const { locator, kind, field } = formField.value
  const element = { locator, target, deadline }
  if (kind === 'select')
    return map(await selectInElement(tab.page, element, [value].flat().map(String)), () => {})
  if (kind === 'check') {
    const checked = parseChecked(value)
    if (checked === undefined)
      return err(invalidParameter('value', 'true or false for a checkbox or radio', quoteValue(value)))
    const checking = waitForTarget(element, 'clickable', (limit) =>
      locator.setChecked(checked, playwrightOptions(limit)),
    )
    return attempt(checking, (error) => explainRefusal(element, error, 'click', 'the check'))
  }
  if (kind === 'file')
    return err(invalidParameter('value', 'a text field, checkbox or select; use upload_file', 'a file input'))
  if (typeof value !== 'string')
    return err(invalidParameter('value', 'a string for a text field', quoteValue(value)))
  onSecret(field, value)
  if (formField.value.isEditor) return fillEditor(tab.page, element, value)
  const format = await evaluateTarget(element, checkFormat, value).catch((): FieldFormat => ({ value }))
  if (format.expected !== undefined) return err(formatFailure('value', format.expected, value))
  const wasEditable =
    fastResult.value === 'lost' || (!SET_AT_ONCE.test(field.type) && (await focusField(element)))
  const filling = waitForTarget(element, 'editable', (limit) =>
    fillText(locator, field.type, format.value, limit),
  )
  return attempt(filling, async (error) => {
    const failure = await explainFillError(element, error, value)
    return wasEditable ? markLostField(failure) : failure
  })
}

const SET_AT_ONCE = /^(date|datetime-local|month|week|time|color|range)$/

// Firefox selects nothing in a number field, so the typed text would be put before the previous value.
async function fillText(locator: Locator, type: string, value: string, deadline: Deadline): Promise<void> {
  await locator.fill(value, playwrightOptions(deadline))
  if (type !== 'number' || Number(await locator.inputValue(playwrightOptions(deadline))) === Number(value))
    return
  await locator.fill('', playwrightOptions(deadline))
  await locator.fill(value, playwrightOptions(deadline))
}

async function fillEditor(page: Page, element: ResolvedTarget, value: string): Promise<Outcome<void>> {
  const { locator, deadline } = element
  const state = await checkEditable(element, performance.now())
  if (!state.ok) return state
  const { editor: kind } = state.value
  if (!kind) {
    const filling = waitForTarget(element, 'editable', (limit) =>
      locator.fill(value, playwrightOptions(limit)),
    )
    return attempt(filling, (error) => explainFillError(element, error, value))
  }
  return replaceText(
    {
      page,
      kind,
      deadline,
      run: (work, arg) =>
        locator.evaluate(work as (element: Element, arg: unknown) => never, arg, playwrightOptions(deadline)),
    },
    value,
  )
}

/** Submits the form that contains the element; without a form, presses Enter on the element. */
export async function submit(page: Page, target: Target, deadline: Deadline): Promise<Outcome<void>> {
  const targetResult = await locate(page, target)
  if (!targetResult.ok) return targetResult
  const element = { locator: targetResult.value, target, deadline }
  const toFailure = (error: Error) => explainRejection(element, error)
  const submitting = waitForTarget(element, 'attached', (limit) =>
    element.locator.evaluate(composedRequestSubmit, undefined, playwrightOptions(limit)),
  )
  const submitResult = await attempt(submitting, toFailure)
  if (!submitResult.ok) return submitResult
  if (isInvalidField(submitResult.value)) return err(submitFailure(submitResult.value))
  return submitResult.value
    ? ok(undefined)
    : attempt(element.locator.press('Enter', playwrightOptions(deadline)), toFailure)
}

// --- internal ---

const composedRequestSubmit = composeInPage(requestSubmit, { describeInvalidField })

async function explainFillError(element: ResolvedTarget, error: Error, value: string): Promise<Failure> {
  if (isMalformedValue(error)) return formatFailure('value', 'a value that this field accepts', value)
  if (isNotFillable(error))
    return {
      code: 'ELEMENT_NOT_EDITABLE',
      target: describeTarget(element.target),
      reason: 'no_text',
      waited: 0,
    }
  return explainRefusal(element, error, 'type', 'filling')
}

const quoteValue = (value: FieldValue): string => clip(JSON.stringify(value), 200)
