// Sets form fields at once: text, checkboxes, selects. type.ts types key by key.

import type { Locator, Page } from 'playwright'
import {
  checkEditable,
  focusField,
  markLostField,
  findField,
  formatFailure,
  waitForKeys,
} from './editable-fields.ts'
import { replaceText, type Editor } from './editor.ts'
import { attempt, isMalformedValue, isNotFillable } from '../playwright/errors.ts'
import {
  checkFormat,
  enterUnfocused,
  isMixedBox,
  isUntouched,
  requestSubmit,
  setField,
} from '../in-page/generated.ts'
import type { FieldFormat, SetFieldResult } from '../in-page/actions/form-fields.ts'
import type { OnFieldInput } from '../tab/page-redaction.ts'
import { waitForTarget } from './wait-for-target.ts'
import { act, actOnAny, explainRefusal } from './explain-refusal.ts'
import { chooseFilledOption } from './combobox.ts'
import { selectInElement } from './select.ts'
import { setSlider } from './slider.ts'
import type { Tab } from '../tab/tab.ts'
import {
  resolveTarget,
  evaluateTarget,
  locateTarget,
  explainRejection,
  describeTarget,
  type ResolvedTarget,
} from '../playwright/locator.ts'
import { playwrightOptions } from '../playwright/engine.ts'
import { isInvalidField, submitFailure, isClickLoss } from './click-check.ts'
import { clip } from '../../base/text/clip.ts'
import { invalidParameter, type Failure, type Outcome } from '../../base/failure.ts'
import { err, map, ok } from '../../base/result.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import type { FieldValue, FillMethod, Target } from '../../base/action.ts'
import { evaluateInternally } from '../playwright/internals.ts'
import { fastClick } from './fast-click.ts'
import { findClickPlace } from './click-place.ts'
import { untracedCdpSession } from '../tab/tracing.ts'

/** Sets a field to a value, depending on its kind. */
export async function fill(
  tab: Tab,
  target: Target,
  value: FieldValue,
  deadline: Deadline,
  onSecret: OnFieldInput,
): Promise<Outcome<FillMethod | void>> {
  const targetResult = await resolveTarget(tab.page, target, deadline)
  if (!targetResult.ok) return targetResult
  const fastAttempt = await attempt(fastFill(tab, targetResult.value, value, onSecret), (error) =>
    explainRejection(targetResult.value, error),
  )
  const fastResult = fastAttempt.ok ? fastAttempt.value : fastAttempt
  if (!fastResult.ok) return fastResult
  if (fastResult.value === 'done') return ok(undefined)
  if (fastResult.value === 'open') return ok('open')
  if (fastResult.value === 'filter') return chooseFilledOption(tab.page, targetResult.value, String(value))
  const formField = await findField(tab.page, target, deadline)
  if (!formField.ok) return formField
  const { element, kind, field } = formField.value
  if (kind === 'select')
    return map(await selectInElement(tab.page, element, [value].flat().map(String)), () => {})
  if (kind === 'check') {
    const checked = parseChecked(value)
    if (checked === undefined)
      return err(invalidParameter('value', 'true or false for a checkbox or radio', quoteValue(value)))
    return check(element, checked)
  }
  if (kind === 'file')
    return err(invalidParameter('value', 'a text field, checkbox or select; use upload_file', 'a file input'))
  if (typeof value !== 'string')
    return err(invalidParameter('value', 'a string for a text field', quoteValue(value)))
  if (kind === 'slider') return setSlider(tab.page, element, value)
  onSecret(field, value)
  if (formField.value.isEditor) return fillEditor(tab.page, element, value)
  const format = await evaluateTarget(element, checkFormat, value).catch((): FieldFormat => ({ value }))
  if (format.expected !== undefined) return err(formatFailure('value', format.expected, value))
  const wasLost = fastResult.value === 'lost'
  const filled = await fillTextField(element, field.type, format.value, wasLost)
  if (!filled.ok) return filled
  if (formField.value.hasOpenList && value !== '') return ok('open')
  return formField.value.isFilter ? chooseFilledOption(tab.page, element, value) : filled
}

async function fillTextField(
  element: ResolvedTarget,
  type: string,
  value: string,
  wasLost: boolean,
): Promise<Outcome<void>> {
  const before = wasLost || SET_AT_ONCE.test(type) ? undefined : await focusField(element)
  const filling = waitForTarget(element, 'editable', async (limit) => {
    const isEntered = before && (await evaluateTarget(element, enterUnfocused, value).catch(() => false))
    if (!isEntered) await fillText(element.locator, type, value, limit)
  })
  const filled = await attempt(filling, async (error) => {
    const failure = await explainFillError(element, error, value)
    return wasLost || before ? markLostField(failure) : failure
  })
  if (!filled.ok || !before?.value || before.value === value) return filled
  const isLost = await evaluateTarget(element, isUntouched, before.value).catch(() => false)
  const failure = { target: describeTarget(element.target), reason: 'unfocused', waited: 0 } as const
  return isLost ? err({ code: 'ELEMENT_NOT_EDITABLE', ...failure }) : filled
}

/** As Playwright does it. What draws a hidden checkbox is clicked instead, and the page may take a moment for it. */
async function check(element: ResolvedTarget, checked: boolean): Promise<Outcome<void>> {
  const { locator, deadline } = element
  const place = await findClickPlace(element)
  const readState = async (checkedTimeoutMs: number, ariaStateBefore?: string) => {
    const expiresAt = Date.now() + deadline.remaining()
    const input = { value: checked, checked, checkedTimeoutMs, ariaStateBefore, expiresAt }
    return (await evaluateInternally(locator, setField, input).catch(() => undefined))?.result
  }
  const before = await readState(0)
  if (place?.label && before && before.checked !== checked) {
    await place.label.click({ position: place.position, ...playwrightOptions(deadline) })
    const state = await readState(CHECKED_STATE_TIMEOUT_MS, before.ariaState)
    if (state?.checked === checked) return ok(undefined)
  }
  // Playwright takes a mixed one for an unchecked one. A click makes it checked or unchecked.
  const isMixed = await evaluateTarget(element, isMixedBox, undefined).catch(() => false)
  if (isMixed) await attempt(locator.click(playwrightOptions(deadline)), (error) => error)
  if (!before || isMixed || before.field.type === 'radio')
    return act(element, 'clickable', 'the check', (options) => locator.setChecked(checked, options))
  if (before.checked === checked) return ok(undefined)
  const clicked = await act(element, 'clickable', 'the check', (options) => locator.click(options))
  if (!clicked.ok) return clicked
  // An item of a menu may go with it.
  const after = await readState(CHECKED_STATE_TIMEOUT_MS, before.ariaState)
  return after?.checked === !checked ? err(unchangedCheckboxFailure) : ok(undefined)
}

const SET_AT_ONCE = /^(date|datetime-local|month|week|time|color|range)$/

// Firefox selects nothing in a number field, so the typed text would be put before the previous value.
async function fillText(locator: Locator, type: string, value: string, deadline: Deadline): Promise<void> {
  await waitForKeys(locator, deadline)
  await locator.fill(value, playwrightOptions(deadline))
  if (!SET_AT_ONCE.test(type)) await locator.page().keyboard.up('Shift')
  if (type !== 'number' || Number(await locator.inputValue(playwrightOptions(deadline))) === Number(value))
    return
  await locator.fill('', playwrightOptions(deadline))
  await locator.fill(value, playwrightOptions(deadline))
}

async function fillEditor(
  page: Page,
  element: ResolvedTarget,
  value: string,
): Promise<Outcome<FillMethod | void>> {
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
  const run: Editor['run'] = (work, arg) =>
    locator.evaluate(work as (element: Element, arg: unknown) => never, arg, playwrightOptions(deadline))
  const replaced = await replaceText({ page, kind, deadline, run }, value)
  if (!replaced.ok) return replaced
  return ok(kind === 'segment' ? 'keys' : (replaced.value ?? undefined))
}

/** Submits the form that contains the element; without a form, presses Enter on the element. */
export async function submit(page: Page, target: Target, deadline: Deadline): Promise<Outcome<void>> {
  const element = await locateTarget(page, target, deadline)
  if (!element.ok) return element
  const { locator } = element.value
  const submitResult = await actOnAny(element.value, (options) =>
    locator.evaluate(requestSubmit, undefined, options),
  )
  if (!submitResult.ok) return submitResult
  if (isInvalidField(submitResult.value)) return err(submitFailure(submitResult.value))
  if (submitResult.value) return ok(undefined)
  return attempt(locator.press('Enter', playwrightOptions(deadline)), (error) =>
    explainRejection(element.value, error),
  )
}

// --- internal ---

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

// Sets a field without waiting. If it is present, visible and enabled, one message checks and sets it, with Playwright's own functions
// inside the page. All other fields are filled by Playwright, which also explains failures.
// Some filters listen to this event alone. It is what a keyboard on a touch screen sends for a text.
const TEXT_KEY_UP = { type: 'keyUp', key: 'Unidentified', windowsVirtualKeyCode: 229 } as const

// Time in which a click changes the state of a checkbox.
const CHECKED_STATE_TIMEOUT_MS = 500

/** 'done': the field has the value. 'filter': so has a combobox, which may list options for it. 'open': so has one whose list was open before.
 * 'no': nothing was done. 'lost': it was editable until it got the focus. */
type FastFillResult = 'done' | 'filter' | 'open' | 'no' | 'lost'

async function fastFill(
  tab: Tab,
  element: ResolvedTarget,
  value: FieldValue,
  onSecret: OnFieldInput,
): Promise<Outcome<FastFillResult>> {
  const { locator, deadline } = element
  const cdp = await untracedCdpSession(tab)
  if (!cdp) return ok('no')
  const checked = parseChecked(value)
  const expiresAt = Date.now() + deadline.remaining()
  const setNow = async (checkedTimeoutMs = 0, ariaStateBefore?: string) => {
    const input = { value, checked, checkedTimeoutMs, ariaStateBefore, expiresAt }
    return (await evaluateInternally(locator, setField, input))?.result
  }
  const state = await setNow().catch(() => undefined)
  if (!state || deadline.signal.aborted) return ok('no')
  if (state.isLost) return ok('lost')
  if (state.kind === 'text') onSecret(state.field, String(value))
  if (state.kind === 'check') {
    if (state.checked === undefined || checked === undefined) return ok('no')
    if (state.checked === checked) return ok('done')
    return toggle(tab, element, state, () =>
      setNow(CHECKED_STATE_TIMEOUT_MS, state.ariaState).catch(() => undefined),
    )
  }
  if (state.expected !== undefined) return err(formatFailure('value', state.expected, String(value)))
  if (state.fillResult === 'needsinput')
    await (value
      ? Promise.all([
          cdp.send('Input.insertText', { text: String(value) }),
          cdp.send('Input.dispatchKeyEvent', TEXT_KEY_UP),
        ])
      : tab.page.keyboard.press('Delete'))
  if (state.fillResult === undefined) return ok('no')
  if (state.hasOpenList && value !== '') return ok('open')
  return ok(state.isFilter ? 'filter' : 'done')
}

// A mixed checkbox may become checked first.
async function toggle(
  tab: Tab,
  element: ResolvedTarget,
  { field, checked: isChecked, isMixed }: SetFieldResult,
  readState: () => Promise<SetFieldResult | undefined>,
): Promise<Outcome<FastFillResult>> {
  // A click does not uncheck a radio button.
  const clickResult = isChecked && field.type === 'radio' ? 'no' : await fastClick(tab, element, {})
  if (clickResult === 'no' || isClickLoss(clickResult)) return ok('no')
  if (clickResult === 'leaving' || clickResult === 'unsure') return ok('done')
  const after = await readState()
  if (after?.checked === undefined || after.checked !== isChecked) return ok('done')
  return isMixed && !after.isMixed ? toggle(tab, element, after, readState) : err(unchangedCheckboxFailure)
}

/** The checked state that a value stands for; undefined for any other value. */
const parseChecked = (value: FieldValue): boolean | undefined => {
  if (typeof value === 'boolean') return value
  return value === 'true' ? true : value === 'false' ? false : undefined
}

const unchangedCheckboxFailure: Failure = {
  code: 'BROWSER_ERROR',
  text: 'Clicking the checkbox did not change its state',
}
