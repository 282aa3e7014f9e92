// Selects options in a <select>, or in a list that the page draws itself.

import type { Page } from 'playwright'
import { indicesOfOptions, readSelectState } from '../in-page/generated.ts'
import type { SelectState } from '../in-page/actions/option-list.ts'
import { act } from './explain-refusal.ts'
import { chooseInCombobox, optionFailure } from './combobox.ts'
import { evaluateTarget, locateTarget, type ResolvedTarget } from '../playwright/locator.ts'
import { playwrightOptions } from '../playwright/engine.ts'
import { clip } from '../../base/text/clip.ts'
import type { Outcome } from '../../base/failure.ts'
import { err, map } from '../../base/result.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import type { Target } from '../../base/action.ts'

const LABEL_LIMIT_CHARS = 4000

export async function selectOptions(
  page: Page,
  target: Target,
  values: readonly string[],
  deadline: Deadline,
): Promise<Outcome<readonly string[]>> {
  const element = await locateTarget(page, target, deadline)
  return element.ok ? selectInElement(page, element.value, values) : element
}

/** Selects options by value or label. An option that is missing or disabled fails at once; the failure lists the available ones. */
export async function selectInElement(
  page: Page,
  element: ResolvedTarget,
  values: readonly string[],
): Promise<Outcome<readonly string[]>> {
  const { locator } = element
  const selectOptions = async (indices: readonly number[]) => {
    const choices = indices.map((index) => ({ index }))
    const selected = await act(element, 'selectable', 'the choice', (options) =>
      locator.selectOption(choices, options),
    )
    return map(selected, (labels) => labels.map((label) => clip(label, LABEL_LIMIT_CHARS)))
  }
  // For nearly every <select> one message suffices.
  const ready = await evaluateTarget(element, indicesOfOptions, [...values]).catch(() => undefined)
  if (ready) return selectOptions(ready)
  const state = await act(element, 'selectable', 'the choice', (_, limit) =>
    readEnabledState(element, values, limit),
  )
  if (!state.ok) return state
  if (!state.value) return chooseInCombobox(page, element, values)
  const { missing, disabled, equalLabels, indices, options } = state.value
  if (equalLabels.length > 0)
    return err(
      optionFailure(
        equalLabels.map((label) => JSON.stringify(label)),
        values,
      ),
    )
  if (missing.length > 0) return err(optionFailure(options, missing))
  if (disabled.length > 0) return err(optionFailure(options, disabled, ', disabled'))
  return selectOptions(indices)
}

// --- internal ---

/** What a <select> is once it is enabled; undefined for another element. Rejects as Playwright does. */
async function readEnabledState(
  { locator }: ResolvedTarget,
  values: readonly string[],
  limit: Deadline,
): Promise<SelectState | undefined> {
  for (;;) {
    const input = { values: [...values], timeoutMs: limit.remaining() }
    const state = await locator.evaluate(readSelectState, input, playwrightOptions(limit))
    if (!state?.isDisabled) return state
    limit.signal.throwIfAborted()
  }
}
