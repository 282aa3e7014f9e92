// Selects options in a <select> or in a custom list.

import type { Page } from 'playwright'
import { chooseInCombobox } from './combobox.ts'
import { optionFailure } from './option-failures.ts'
import { attempt, isTimeout } from '../playwright/errors.ts'
import { canSelectOptions, readSelectState } from '../in-page/forms/select-options.ts'
import { waitForTarget } from '../actions/wait-for-target.ts'
import { explainRefusal } from '../actions/explain-refusal.ts'
import {
  evaluateTarget,
  locate,
  explainRejection,
  describeTarget,
  targetFailure,
  type ResolvedTarget,
} from '../playwright/locator.ts'
import { playwrightOptions } from '../playwright/playwright-options.ts'
import { clip } from '../../core/text/clip.ts'
import type { Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { Target } from '../../runtime/ports/page/target.ts'

const LABEL_LIMIT_CHARS = 4000

export async function selectOptions(
  page: Page,
  target: Target,
  values: readonly string[],
  deadline: Deadline,
): Promise<Outcome<readonly string[]>> {
  const targetResult = await locate(page, target)
  return targetResult.ok
    ? selectInElement(page, { locator: targetResult.value, target, deadline }, values)
    : targetResult
}

/** Selects options by value or label. An option that is missing or disabled fails at once; the failure lists the available ones. */
export async function selectInElement(
  page: Page,
  element: ResolvedTarget,
  values: readonly string[],
): Promise<Outcome<readonly string[]>> {
  const { locator, target, deadline } = element
  const startedAt = performance.now()
  const selectOptions = async () => {
    const selecting = waitForTarget(element, 'selectable', (limit) =>
      locator.selectOption([...values], playwrightOptions(limit)),
    )
    const selectResult = await attempt(selecting, (error) => error)
    if (selectResult.ok) return ok(selectResult.value.map((label) => clip(label, LABEL_LIMIT_CHARS)))
    if (!isTimeout(selectResult.error)) return err(targetFailure(selectResult.error, target))
    return err(await explainRefusal(element, selectResult.error, 'click', 'the choice'))
  }
  // For nearly every <select> one message suffices.
  if (await evaluateTarget(element, canSelectOptions, [...values]).catch(() => false)) return selectOptions()
  const input = { values: [...values], timeoutMs: deadline.remaining() }
  const waiting = waitForTarget(element, 'attached', (limit) =>
    locator.evaluate(readSelectState, input, playwrightOptions(limit)),
  )
  const state = await attempt(waiting, (error) => explainRejection(element, error))
  if (!state.ok) return state
  if (!state.value) return chooseInCombobox(page, element, values)
  const { isDisabled, missing, disabled, options } = state.value
  const waited = Math.round(performance.now() - startedAt)
  if (isDisabled)
    return err({ code: 'ELEMENT_NOT_CLICKABLE', target: describeTarget(target), reason: 'disabled', waited })
  if (missing.length > 0) return err(optionFailure(options, missing))
  if (disabled.length > 0) return err(optionFailure(options, disabled, ', disabled'))
  return selectOptions()
}
