// Setting form fields at once: text, checkboxes, selects. type.ts types key by key.

import type { Locator, Page } from 'playwright'
import { checkEditable } from './editable-check.ts'
import { replaceText } from './editor.ts'
import { attempt, browserError, isTimeout, messageOf } from '../playwright/errors.ts'
import { findField } from './field-kind.ts'
import { checkFormat, type FieldFormat } from '../in-page/forms/field-format.ts'
import { describeInvalidField } from '../in-page/forms/invalid-field.ts'
import { requestSubmit } from '../in-page/forms/request-submit.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import { formatFailure } from './refused-format.ts'
import type { OnFieldInput } from '../secrets/typed-secrets.ts'
import { explainRefusal } from '../actions/explain-refusal.ts'
import { selectInElement } from './select.ts'
import { checkedState, fastFill } from './fast-fill.ts'
import type { Tab } from '../tab/tab.ts'
import {
  locatorOf,
  evaluateTarget,
  locate,
  explainTimeout,
  describeTarget,
  targetFailure,
  type ResolvedTarget,
} from '../playwright/locator.ts'
import { isInvalidField, submitFailure } from './form-validation.ts'
import { clip } from '../../core/text/clip.ts'
import { invalidParameter, type Failure, type Outcome } from '../../core/failure.ts'
import { err, map, ok } from '../../core/result.ts'
import type { Call, FieldValue, Target } from '../../runtime/ports/page.ts'

/** Sets a field to a value, by what kind of field it is. */
export async function fill(
  tab: Tab,
  target: Target,
  value: FieldValue,
  call: Call,
  onSecret: OnFieldInput,
): Promise<Outcome<void>> {
  const resolved = locatorOf(tab.page, target)
  if (!resolved.ok) return resolved
  const filling = fastFill(tab, { locator: resolved.value, target, call }, value, onSecret)
  const fastFilled = await filling.catch((error: Error) => err(browserError(error)))
  if (!fastFilled.ok) return fastFilled
  if (fastFilled.value) return ok(undefined)
  const formField = await findField(tab.page, target, call)
  if (!formField.ok) return formField
  const { locator, kind, field } = formField.value
  const element = { locator, target, call }
  const remaining = { ...element, call: formField.value.remainingCall() }
  if (kind === 'select')
    return map(await selectInElement(tab.page, remaining, [value].flat().map(String)), () => {})
  if (kind === 'check') {
    const checked = checkedState(value)
    if (checked === undefined)
      return err(invalidParameter('value', 'true or false for a checkbox or radio', quoteValue(value)))
    return attempt(locator.setChecked(checked, remaining.call), (error) =>
      explainRefusal(element, error, 'click', 'the check'),
    )
  }
  if (kind === 'file')
    return err(invalidParameter('value', 'a text field, checkbox or select; use upload_file', 'a file field'))
  if (typeof value !== 'string')
    return err(invalidParameter('value', 'a text for a text field', quoteValue(value)))
  onSecret(field, value)
  if (formField.value.isEditor) return fillEditor(tab.page, remaining, value)
  const format = await evaluateTarget(element, checkFormat, value).catch((): FieldFormat => ({ value }))
  if (format.expected !== undefined) return err(formatFailure('value', format.expected, value))
  return attempt(fillCleared(locator, field.type, format.value, remaining.call), (error) =>
    explainFillError(element, error, value),
  )
}

// Firefox selects nothing in a number field, so that what is typed comes before what was there.
async function fillCleared(locator: Locator, type: string, value: string, call: Call): Promise<void> {
  await locator.fill(value, call)
  if (type !== 'number' || Number(await locator.inputValue(call)) === Number(value)) return
  await locator.fill('', call)
  await locator.fill(value, call)
}

async function fillEditor(page: Page, element: ResolvedTarget, value: string): Promise<Outcome<void>> {
  const { locator, call } = element
  const state = await checkEditable(element, performance.now())
  if (!state.ok) return state
  const { editor: kind } = state.value
  if (!kind) return attempt(locator.fill(value, call), (error) => explainFillError(element, error, value))
  return replaceText(
    {
      page,
      kind,
      run: (work, arg) =>
        locator.evaluate(work as (element: Element, arg: unknown) => never, arg, { ...call }),
    },
    value,
  )
}

/** Submits the form that the element is in, as a person who presses Enter would; where there is none, Enter it is. */
export async function submit(page: Page, target: Target, call: Call): Promise<Outcome<void>> {
  const located = await locate(page, target)
  if (!located.ok) return located
  const toFailure = (error: Error) =>
    isTimeout(error) ? explainTimeout({ locator: located.value, target, call }) : targetFailure(error, target)
  const submitted = await attempt(
    located.value.evaluate(composedRequestSubmit, undefined, { ...call }),
    toFailure,
  )
  if (!submitted.ok) return submitted
  if (isInvalidField(submitted.value)) return err(submitFailure(submitted.value))
  return submitted.value ? ok(undefined) : attempt(located.value.press('Enter', { ...call }), toFailure)
}

// --- internal ---

const composedRequestSubmit = composeInPage(requestSubmit, { describeInvalidField })

async function explainFillError(element: ResolvedTarget, error: Error, value: string): Promise<Failure> {
  const text = messageOf(error)
  if (/Malformed value/.test(text)) return formatFailure('value', 'a value that this field takes', value)
  const noText = /not an <input>|cannot be filled/.test(text)
  if (noText)
    return {
      code: 'ELEMENT_NOT_EDITABLE',
      target: describeTarget(element.target),
      reason: 'no_text',
      waited: 0,
    }
  return explainRefusal(element, error, 'type', 'filling')
}

const quoteValue = (value: FieldValue): string => clip(JSON.stringify(value), 200)
