// Selecting options, in a <select> or in a custom list.

import type { Page } from 'playwright'
import { chooseInCombobox } from './combobox.ts'
import { optionFailure } from './option-failures.ts'
import { attempt, isTimeout } from '../playwright/errors.ts'
import { canSelectOptions, readSelectState } from '../in-page/forms/select-options.ts'
import { explainRefusal } from '../actions/explain-refusal.ts'
import {
  evaluateTarget,
  remainingTime,
  locate,
  explainTimeout,
  describeTarget,
  targetFailure,
  type ResolvedTarget,
} from '../playwright/locator.ts'
import { clip } from '../../core/text/clip.ts'
import type { Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { Call, Target } from '../../runtime/ports/page.ts'

export async function selectOptions(
  page: Page,
  target: Target,
  values: readonly string[],
  call: Call,
): Promise<Outcome<readonly string[]>> {
  const located = await locate(page, target)
  return located.ok ? selectInElement(page, { locator: located.value, target, call }, values) : located
}

/** Chooses options by value or label. An option that cannot be chosen fails at once; the failure lists those that can. */
export async function selectInElement(
  page: Page,
  element: ResolvedTarget,
  values: readonly string[],
): Promise<Outcome<readonly string[]>> {
  const { locator, target, call } = element
  const since = performance.now()
  const selectOptions = async (timeout: number) => {
    const chosen = await attempt(locator.selectOption([...values], { ...call, timeout }), (error) => error)
    if (chosen.ok) return ok(chosen.value.map((one) => clip(one, 4000)))
    if (!isTimeout(chosen.error)) return err(targetFailure(chosen.error, target))
    return err(await explainRefusal(element, chosen.error, 'click', 'the choice'))
  }
  // One message is enough for nearly every <select>.
  if (await evaluateTarget(element, canSelectOptions, [...values]).catch(() => false))
    return selectOptions(call.timeout)
  const input = { values: [...values], timeoutMs: call.timeout }
  const state = await attempt(locator.evaluate(readSelectState, input, { ...call }), (error) =>
    isTimeout(error) ? explainTimeout(element) : targetFailure(error, target),
  )
  if (!state.ok) return state
  const rest = { ...call, timeout: remainingTime(call, since) }
  if (!state.value) return chooseInCombobox(page, { locator, target, call: rest }, values)
  const { isDisabled, missing, disabled, options } = state.value
  const waited = Math.round(performance.now() - since)
  if (isDisabled)
    return err({ code: 'ELEMENT_NOT_CLICKABLE', target: describeTarget(target), reason: 'disabled', waited })
  if (missing.length > 0) return err(optionFailure(options, missing))
  if (disabled.length > 0) return err(optionFailure(options, disabled, ', disabled'))
  return selectOptions(rest.timeout)
}
