// Selecting in a custom list: it is opened, the option is found and clicked, and the displayed value is read.

import type { JSHandle, Page } from 'playwright'
import { createComboboxWidget, type ComboboxWidget } from '../in-page/forms/combobox-widget.ts'
import { elementOf, findOption, type Combobox } from './find-combobox-option.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import { deselectOtherOptions } from './deselect-options.ts'
import { optionFailure, notListFailure, notSelectedFailure } from './option-failures.ts'
import { attempt, isDetached } from '../playwright/errors.ts'
import { bringToFrontUnless } from './focused-element.ts'
import { isDocumentFocused } from '../in-page/forms/focus.ts'
import { createPopupFinder } from '../in-page/forms/combobox-popup.ts'
import { createSelectedChips } from '../in-page/forms/selected-chips.ts'
import { createOptionList } from '../in-page/forms/option-list.ts'
import { waitForTarget } from '../actions/wait-for-target.ts'
import { explainRefusal } from '../actions/explain-refusal.ts'
import { explainRejection, describeTarget, type ResolvedTarget } from '../playwright/locator.ts'
import { playwrightOptions } from '../playwright/playwright-options.ts'
import type { Outcome } from '../../core/failure.ts'
import { err, map, ok } from '../../core/result.ts'

const LIST_OPEN_TIMEOUT_MS = 700
const SELECTION_TIMEOUT_MS = 1000

export async function chooseInCombobox(
  page: Page,
  element: ResolvedTarget,
  values: readonly string[],
): Promise<Outcome<readonly string[]>> {
  const { locator, deadline } = element
  const explain = (error: Error) => explainRejection(element, error)
  const handle = await attempt(
    locator.evaluateHandle(composedCreateComboboxWidget, undefined, playwrightOptions(deadline)),
    explain,
  )
  if (!handle.ok) return handle
  const widget = handle.value as JSHandle<ComboboxWidget>
  const combobox = { page, element, widget }
  const outcome = await attempt(chooseAll(combobox, values), explain)
  await widget.dispose().catch(() => {})
  return outcome.ok ? outcome.value : outcome
}

// --- internal ---

const composedCreateComboboxWidget = composeInPage(createComboboxWidget, {
  createPopupFinder,
  createOptionList,
  createSelectedChips,
})

async function chooseAll(combobox: Combobox, values: readonly string[]): Promise<Outcome<readonly string[]>> {
  const { widget, element } = combobox
  const state = await widget.evaluate(
    (combobox: ComboboxWidget | undefined) => combobox && { isDisabled: combobox.isDisabled() },
  )
  if (!state) return err(notListFailure(element.target))
  if (state.isDisabled)
    return err({
      code: 'ELEMENT_NOT_CLICKABLE',
      target: describeTarget(element.target),
      reason: 'disabled',
      waited: 0,
    })
  const labels: string[] = []
  for (const value of values) {
    const selectResult = await chooseOne(combobox, value)
    if (!selectResult.ok) {
      await closeList(combobox).catch(() => {})
      return selectResult
    }
    labels.push(selectResult.value)
  }
  const deselectResult = await deselectOtherOptions(combobox, labels)
  await closeList(combobox).catch(() => {})
  return map(deselectResult, () => labels)
}

async function chooseOne(combobox: Combobox, value: string): Promise<Outcome<string>> {
  const { widget, element } = combobox
  if (await widget.evaluate((one, value) => one.hasChip(value), value)) return ok(value)
  const openResult = await openList(combobox)
  if (!openResult.ok) return openResult
  const result = await findOption(combobox, value)
  const { label, isDisabled, isSelected, options } = result
  if (label === undefined) return err(optionFailure(options, [value]))
  if (isDisabled) return err(optionFailure(options, [value], ', disabled'))
  if (isSelected) return ok(label)
  const clickResult = await clickOption(combobox, value)
  if (!clickResult.ok) return clickResult
  const selection = await attempt(
    widget.evaluate((one, { label, ms }) => one.waitForSelection(label, ms), {
      label,
      ms: Math.min(element.deadline.remaining(), SELECTION_TIMEOUT_MS),
    }),
    () => undefined,
  )
  // A selection may start a navigation.
  if (!selection.ok || selection.value !== 'same') return ok(label)
  return err(notSelectedFailure(label, await widget.evaluate((one) => one.displayedText())))
}

// In a list that redraws its options, the option is searched again.
async function clickOption({ element, widget }: Combobox, value: string): Promise<Outcome<void>> {
  for (let attemptsLeft = 3; ; attemptsLeft -= 1) {
    const option = await elementOf(widget, (one) => one.optionElement())
    const clickResult = await attempt(option.click(playwrightOptions(element.deadline)), (error) => error)
    if (clickResult.ok) return clickResult
    const isRedrawn = isDetached(clickResult.error) && attemptsLeft > 1
    if (!isRedrawn)
      return err(await explainRefusal(element, clickResult.error, 'click', `the choice of ${value}`))
    await widget.evaluate((one, { value, ms }) => one.findOption(value, ms, true), {
      value,
      ms: element.deadline.remaining() / 2,
    })
  }
}

async function openList(combobox: Combobox): Promise<Outcome<void>> {
  const { page, element, widget } = combobox
  const isOpen = () =>
    widget.evaluate(
      (one, ms) => one.isOpen() || one.waitUntilOpen(ms),
      Math.min(element.deadline.remaining(), LIST_OPEN_TIMEOUT_MS),
    )
  if (await widget.evaluate((one) => one.isOpen())) return ok(undefined)
  await bringToFrontUnless(page, () => widget.evaluate(isDocumentFocused))
  const opener = await elementOf(widget, (one) => one.openerElement())
  const clicking = waitForTarget(element, 'clickable', (limit) => opener.click(playwrightOptions(limit)))
  const clickResult = await attempt(clicking, (error) => error)
  if (!clickResult.ok) return err(await explainRefusal(element, clickResult.error, 'click', 'the choice'))
  if (await isOpen()) return ok(undefined)
  const box = await elementOf(widget, (one) => one.boxElement())
  await box.focus()
  await page.keyboard.press('ArrowDown')
  if (await isOpen()) return ok(undefined)
  return err({
    code: 'BROWSER_ERROR',
    text: `${describeTarget(element.target)} did not open a list of options`,
    next: 'Take a snapshot to see what the click did.',
  })
}

async function closeList({ page, widget }: Combobox): Promise<void> {
  const isOpen = await widget.evaluate((one) => !one.isList && one.isOpen() && one.boxElement().isConnected)
  if (isOpen) await page.keyboard.press('Escape')
}
