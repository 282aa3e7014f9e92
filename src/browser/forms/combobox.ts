// Selecting in a custom list: it is opened, the option is found and clicked, and the displayed value is read.

import type { JSHandle, Page } from 'playwright'
import { createComboboxWidget, type ComboboxWidget } from '../in-page/forms/combobox-widget.ts'
import { elementOf, findOption, type Combobox } from './find-combobox-option.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import { deselectOtherOptions } from './deselect-options.ts'
import { optionFailure, notListFailure, notSelectedFailure } from './option-failures.ts'
import { attempt, isTimeout } from '../playwright/errors.ts'
import { bringToFrontUnless } from './focused-element.ts'
import { isDocumentFocused } from '../in-page/forms/focus.ts'
import { createPopupFinder } from '../in-page/forms/combobox-popup.ts'
import { createSelectedChips } from '../in-page/forms/selected-chips.ts'
import { createOptionList } from '../in-page/forms/option-list.ts'
import { explainRefusal } from '../actions/explain-refusal.ts'
import {
  remainingTime,
  explainTimeout,
  describeTarget,
  targetFailure,
  type ResolvedTarget,
} from '../playwright/locator.ts'
import type { Outcome } from '../../core/failure.ts'
import { err, map, ok } from '../../core/result.ts'

const OPEN_TIMEOUT_MS = 700
const SELECTION_TIMEOUT_MS = 1000

export async function chooseInCombobox(
  page: Page,
  element: ResolvedTarget,
  values: readonly string[],
): Promise<Outcome<readonly string[]>> {
  const { locator, target, call } = element
  const since = performance.now()
  const remainingMs = () => remainingTime(call, since)
  const explain = (error: Error) =>
    isTimeout(error) ? explainTimeout(element) : targetFailure(error, target)
  const handle = await attempt(
    locator.evaluateHandle(composedCreateComboboxWidget, undefined, { ...call }),
    explain,
  )
  if (!handle.ok) return handle
  const widget = handle.value as JSHandle<ComboboxWidget>
  const combobox = { page, element, widget, remainingMs }
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
    (one: ComboboxWidget | undefined) => one && { isDisabled: one.isDisabled() },
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
    const selected = await chooseOne(combobox, value)
    if (!selected.ok) {
      await closeList(combobox).catch(() => {})
      return selected
    }
    labels.push(selected.value)
  }
  const deselected = await deselectOtherOptions(combobox, labels)
  await closeList(combobox).catch(() => {})
  return map(deselected, () => labels)
}

async function chooseOne(combobox: Combobox, value: string): Promise<Outcome<string>> {
  const { widget, remainingMs } = combobox
  if (await widget.evaluate((one, value) => one.hasChip(value), value)) return ok(value)
  const openOutcome = await openList(combobox)
  if (!openOutcome.ok) return openOutcome
  const result = await findOption(combobox, value)
  const { label, isDisabled, isSelected, options } = result
  if (label === undefined) return err(optionFailure(options, [value]))
  if (isDisabled) return err(optionFailure(options, [value], ', disabled'))
  if (isSelected) return ok(label)
  const clicked = await clickOption(combobox, value)
  if (!clicked.ok) return clicked
  const selection = await attempt(
    widget.evaluate((one, { label, ms }) => one.waitForSelection(label, ms), {
      label,
      ms: Math.min(remainingMs(), SELECTION_TIMEOUT_MS),
    }),
    () => undefined,
  )
  // A choice may lead to another page.
  if (!selection.ok || selection.value !== 'same') return ok(label)
  return err(notSelectedFailure(label, await widget.evaluate((one) => one.displayedText())))
}

// A list that draws its options anew is looked into again.
async function clickOption(
  { element, widget, remainingMs }: Combobox,
  value: string,
): Promise<Outcome<void>> {
  for (let tries = 3; ; tries -= 1) {
    const option = await elementOf(widget, (one) => one.optionElement())
    const clicked = await attempt(
      option.click({ timeout: remainingMs(), signal: element.call.signal }),
      (error) => error,
    )
    if (clicked.ok) return clicked
    const isRedrawn = /not attached/.test(clicked.error.message) && tries > 1
    if (!isRedrawn)
      return err(await explainRefusal(element, clicked.error, 'click', `the choice of ${value}`))
    await widget.evaluate((one, { value, ms }) => one.findOption(value, ms, true), {
      value,
      ms: remainingMs() / 2,
    })
  }
}

async function openList(combobox: Combobox): Promise<Outcome<void>> {
  const { page, element, widget, remainingMs } = combobox
  const isOpen = () =>
    widget.evaluate(
      (one, ms) => one.isOpen() || one.waitUntilOpen(ms),
      Math.min(remainingMs(), OPEN_TIMEOUT_MS),
    )
  if (await widget.evaluate((one) => one.isOpen())) return ok(undefined)
  await bringToFrontUnless(page, () => widget.evaluate(isDocumentFocused))
  const opener = await elementOf(widget, (one) => one.openerElement())
  const clicked = await attempt(
    opener.click({ timeout: remainingMs(), signal: element.call.signal }),
    (error) => error,
  )
  if (!clicked.ok) return err(await explainRefusal(element, clicked.error, 'click', 'the choice'))
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
