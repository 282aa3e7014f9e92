// Chooses in the lists that pages draw themselves: a combobox with its popup, or a list of options.

import type { Page, JSHandle, ElementHandle } from 'playwright'
import { attempt, isDetached } from '../playwright/errors.ts'
import { createComboboxWidget, isDocumentFocused } from '../in-page/generated.ts'
import { act, explainRefusal } from './explain-refusal.ts'
import { explainRejection, describeTarget, type ResolvedTarget } from '../playwright/locator.ts'
import { playwrightOptions } from '../playwright/engine.ts'
import { clip } from '../../base/text/clip.ts'
import { type Outcome, invalidParameter, type Failure } from '../../base/failure.ts'
import { err, ok, map } from '../../base/result.ts'
import type { FillMethod, Target } from '../../base/action.ts'
import type { ComboboxWidget, OptionSearchResult } from '../in-page/actions/combobox-widget.ts'
import { bringToFrontUnless } from './editable-fields.ts'

/** Chooses the options with these values, and no others; returns their labels. */
export const chooseInCombobox = (
  page: Page,
  element: ResolvedTarget,
  values: readonly string[],
): Promise<Outcome<readonly string[]>> => withWidget(page, element, (combobox) => chooseAll(combobox, values))

/** Clicks the option that a combobox lists for the text that was filled in, if one has exactly this label: many take nothing else. */
export async function chooseFilledOption(
  page: Page,
  element: ResolvedTarget,
  value: string,
): Promise<Outcome<FillMethod | void>> {
  if (value.trim() === '') return ok(undefined)
  return withWidget(page, element, async (combobox) => {
    const opening = (await isWidget(combobox)) ? await openFilledList(combobox) : 'none'
    if (opening === 'none') return ok(undefined)
    const { label, isDisabled } = await waitForOption(combobox, value, FILLED_LIST_TIMEOUT_MS)
    if (label !== value.trim() || isDisabled) {
      if (opening === 'text') return ok('unlisted')
      await closeList(combobox)
      return ok(undefined)
    }
    return map(await clickFoundOption(combobox, value, label, true), () => 'chosen')
  })
}

/** The failure for values that are not among the options, or are disabled. */
export function optionFailure(options: readonly string[], values: readonly string[], reason = ''): Failure {
  const labels = options.slice(0, LISTED_OPTION_LIMIT).map((label) => clip(label, 80))
  const moreNote =
    options.length > LISTED_OPTION_LIMIT ? [`… ${options.length - LISTED_OPTION_LIMIT} more`] : []
  const received = values.slice(0, LISTED_OPTION_LIMIT).map((value) => clip(value, 200))
  const expected =
    options.length > 0
      ? `some of ${[...labels, ...moreNote].join(', ')}`
      : 'one of its options (it shows none)'
  return invalidParameter('values', expected, `${received.join(', ')}${reason}`)
}

// --- internal ---

interface Combobox {
  readonly page: Page
  readonly element: ResolvedTarget
  readonly widget: JSHandle<ComboboxWidget>
}

const LISTED_OPTION_LIMIT = 30
// Most searches start 300 to 500 ms after the last key.
const FILLED_LIST_TIMEOUT_MS = 700

const isWidget = ({ widget }: Combobox): Promise<boolean> =>
  widget.evaluate((one: ComboboxWidget | undefined) => one !== undefined)

const LIST_OPEN_TIMEOUT_MS = 700
const SELECTION_TIMEOUT_MS = 1000

async function withWidget<Value>(
  page: Page,
  element: ResolvedTarget,
  use: (combobox: Combobox) => Promise<Outcome<Value>>,
): Promise<Outcome<Value>> {
  const { locator, deadline } = element
  const explain = (error: Error) => explainRejection(element, error)
  const handle = await attempt(
    locator.evaluateHandle(createComboboxWidget, undefined, playwrightOptions(deadline)),
    explain,
  )
  if (!handle.ok) return handle
  const widget = handle.value as JSHandle<ComboboxWidget>
  const outcome = await attempt(use({ page, element, widget }), explain)
  await callWidget(widget, 'stopWatching').catch(() => {})
  await widget.dispose().catch(() => {})
  return outcome.ok ? outcome.value : outcome
}

async function chooseAll(combobox: Combobox, values: readonly string[]): Promise<Outcome<readonly string[]>> {
  if (!(await isWidget(combobox))) return err(notListFailure(combobox.element.target))
  const enabling = await waitUntilEnabled(combobox)
  if (!enabling.ok) return enabling
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
  if (!deselectResult.ok) return deselectResult
  // A selection may have started a navigation.
  const missing = await attempt(callWidget(combobox.widget, 'missingChip', labels), () => undefined)
  if (!missing.ok || missing.value === undefined) return ok(labels)
  return err(notSelectedFailure(missing.value, await callWidget(combobox.widget, 'displayedText')))
}

async function waitUntilEnabled({ element, widget }: Combobox): Promise<Outcome<void>> {
  if (!(await callWidget(widget, 'isDisabled'))) return ok(undefined)
  const box = await elementOf(widget, (one) => one.boxElement())
  const enabling = await act(element, 'selectable', 'the choice', (options) =>
    box.waitForElementState('enabled', options),
  )
  // Some are disabled by another attribute, which Playwright does not know.
  if (!enabling.ok || !(await callWidget(widget, 'isDisabled'))) return enabling
  const target = describeTarget(element.target)
  return err({ code: 'ELEMENT_NOT_CLICKABLE', target, reason: 'disabled', waited: 0 })
}

async function chooseOne(combobox: Combobox, value: string): Promise<Outcome<string>> {
  const { widget } = combobox
  if (await callWidget(widget, 'hasChip', value)) return ok(value)
  const openResult = await openList(combobox)
  if (!openResult.ok) return openResult
  const result = await findOption(combobox, value)
  const { label, isDisabled, isSelected, isTyped = false, options } = result
  if (label === undefined) return err(optionFailure(options, [value]))
  if (isDisabled) return err(optionFailure(options, [value], ', disabled'))
  if (await callWidget(widget, 'isListedInBox', label)) return ok(label)
  // What was typed to find it is no choice yet.
  const isShown = isSelected && !isTyped && (await callWidget(widget, 'isShown', label))
  if (isShown || (isSelected && (await isReallySelected(combobox)))) return ok(label)
  return clickFoundOption(combobox, value, label, isTyped)
}

async function clickFoundOption(
  combobox: Combobox,
  value: string,
  label: string,
  isTyped: boolean,
): Promise<Outcome<string>> {
  const { widget, element } = combobox
  const clickResult = await clickOption(combobox, value)
  if (!clickResult.ok) return clickResult
  const timeoutMs = Math.min(element.deadline.remaining(), SELECTION_TIMEOUT_MS)
  const selection = await attempt(
    callWidget(widget, 'waitForSelection', label, timeoutMs, isTyped),
    () => undefined,
  )
  // A selection may start a navigation.
  if (!selection.ok || selection.value !== 'same') return ok(label)
  return err(notSelectedFailure(label, await callWidget(widget, 'displayedText')))
}

// The mark of an option may be that of the highlight: then it is gone once the mouse is on another one.
async function isReallySelected({ widget, element: { deadline } }: Combobox): Promise<boolean> {
  const neighbor = (await widget.evaluateHandle((one) => one.neighborElement())).asElement()
  if (!neighbor) return callWidget(widget, 'isMultiple')
  await attempt((neighbor as ElementHandle<Element>).hover(playwrightOptions(deadline)), () => undefined)
  return callWidget(widget, 'learnMark', true)
}

const isOnlyHighlighted = async (combobox: Combobox, label: string): Promise<boolean> =>
  (await callWidget(combobox.widget, 'isListed')) &&
  !(await callWidget(combobox.widget, 'isShown', label)) &&
  !(await isReallySelected(combobox))

// In a list that redraws its options, the option is searched again.
async function clickOption({ element, widget }: Combobox, value: string): Promise<Outcome<void>> {
  for (let attemptsLeft = 3; ; attemptsLeft -= 1) {
    const option = await elementOf(widget, (one) => one.optionElement())
    const options = playwrightOptions(element.deadline)
    const clickResult = await attempt(
      option
        .hover(options)
        .then(() => callWidget(widget, 'learnMark', false))
        .then(() => option.click(options)),
      (error) => error,
    )
    if (clickResult.ok) return clickResult
    const isRedrawn = isDetached(clickResult.error) && attemptsLeft > 1
    if (!isRedrawn)
      return err(await explainRefusal(element, clickResult.error, 'click', `the choice of ${value}`))
    await callWidget(widget, 'findOption', value, element.deadline.remaining() / 2, true)
  }
}

async function openList(combobox: Combobox): Promise<Outcome<void>> {
  const { page, element, widget } = combobox
  const isOpened = () =>
    callWidget(widget, 'waitUntilOpen', Math.min(element.deadline.remaining(), LIST_OPEN_TIMEOUT_MS))
  if (await callWidget(widget, 'isOpen')) return ok(undefined)
  await bringToFrontUnless(page, () => widget.evaluate(isDocumentFocused))
  const opener = await elementOf(widget, (one) => one.openerElement())
  const clickResult = await act(element, 'clickable', 'the choice', (options) => opener.click(options))
  if (!clickResult.ok) return clickResult
  if (await isOpened()) return ok(undefined)
  const box = await elementOf(widget, (one) => one.boxElement())
  await box.focus()
  await page.keyboard.press('ArrowDown')
  if (await isOpened()) return ok(undefined)
  return err({
    code: 'BROWSER_ERROR',
    text: `${describeTarget(element.target)} did not open a list of options`,
    next: 'Take a snapshot to see what the click did.',
  })
}

// Some lists are opened by keys alone, not by a text.
async function openFilledList({ page, widget }: Combobox): Promise<'text' | 'key' | 'none'> {
  if (await callWidget(widget, 'waitUntilOpen', FILLED_LIST_TIMEOUT_MS)) return 'text'
  if (!(await callWidget(widget, 'isClosed'))) return 'none'
  await page.keyboard.press('ArrowDown')
  return (await callWidget(widget, 'waitUntilOpen', FILLED_LIST_TIMEOUT_MS / 2)) ? 'key' : 'none'
}

async function closeList({ page, widget }: Combobox): Promise<void> {
  const isOpen = await widget.evaluate((one) => !one.isList && one.isOpen() && one.boxElement().isConnected)
  if (isOpen) await page.keyboard.press('Escape')
}

const notListFailure = (target: Target): Failure =>
  invalidParameter(
    'selector',
    'a <select>, a combobox or a listbox; use click in any other list',
    describeTarget(target),
  )

const notSelectedFailure = (label: string, text: string): Failure => ({
  code: 'BROWSER_ERROR',
  text: `the option ${JSON.stringify(clip(label, 100))} was clicked, but the page does not show it as selected: it shows ${JSON.stringify(clip(text, 100))}`,
  next: 'Take a snapshot to see the result.',
})

const DESELECTED_OPTION_LIMIT = 200
const SEARCH_TIMEOUT_MS = 4000
const DESELECT_TIMEOUT_MS = 1000

/** Deselects all options with other labels. A single-select list is not changed. */
async function deselectOtherOptions(combobox: Combobox, labels: readonly string[]): Promise<Outcome<void>> {
  const { widget, element } = combobox
  const { deadline } = element
  // A selection may have started a navigation.
  const isMultiple = await attempt(callWidget(widget, 'isMultiple'), () => undefined)
  if (!isMultiple.ok || !isMultiple.value) return ok(undefined)
  for (let count = 0; count < DESELECTED_OPTION_LIMIT; count += 1) {
    const ms = Math.min(deadline.remaining() / 2, SEARCH_TIMEOUT_MS)
    const other = await callWidget(widget, 'findOther', labels, ms)
    if (other === undefined) return ok(undefined)
    if (await isOnlyHighlighted(combobox, other)) continue
    const option = await elementOf(widget, (one) => one.optionElement())
    const clickResult = await attempt(option.click(playwrightOptions(deadline)), () => undefined)
    const timeoutMs = Math.min(deadline.remaining(), DESELECT_TIMEOUT_MS)
    const isDeselected = clickResult.ok && (await callWidget(widget, 'waitUntilDeselected', timeoutMs))
    if (!isDeselected) return err(notDeselectedFailure(other))
  }
  return ok(undefined)
}

const notDeselectedFailure = (label: string): Failure => ({
  code: 'BROWSER_ERROR',
  text: `the option ${JSON.stringify(clip(label, 100))} was chosen before and could not be taken back`,
  next: 'Take a snapshot to see what is chosen, and click it away.',
})

const OPTION_SEARCH_TIMEOUT_MS = 8000
const FILTER_TIMEOUT_MS = 2000

/** An editable box is filtered by the value before the whole list is scrolled, which is faster. */
async function findOption({ page, widget, element }: Combobox, value: string): Promise<OptionSearchResult> {
  const { deadline } = element
  const search = (share: number, limitMs: number, isWholeList: boolean) =>
    callWidget(widget, 'findOption', value, Math.min(deadline.remaining() * share, limitMs), isWholeList)
  const isEditable = await callWidget(widget, 'isEditable')
  const initialResult = await search(0.8, OPTION_SEARCH_TIMEOUT_MS, !isEditable)
  if (initialResult.label !== undefined || !isEditable) return initialResult
  const box = (await elementOf(widget, (one) => one.boxElement())) as ElementHandle<HTMLInputElement>
  const textBefore = await box.inputValue()
  await enterText(page, box, value)
  const filteredResult = await waitForOption({ widget, element }, value, FILTER_TIMEOUT_MS)
  if (filteredResult.label !== undefined) return { ...filteredResult, isTyped: true }
  // Most boxes drop the filter text on blur and keep their selection; clearing the text would drop the selection too.
  await page.keyboard.press('Escape')
  await box.evaluate((one) => one.blur())
  if ((await box.inputValue()) === value) await enterText(page, box, textBefore)
  return { ...filteredResult, options: initialResult.options }
}

/** A list shows the options for another text until the page has filtered it. */
async function waitForOption(
  { widget, element: { deadline } }: Pick<Combobox, 'widget' | 'element'>,
  value: string,
  limitMs: number,
): Promise<OptionSearchResult> {
  const startedAt = performance.now()
  for (;;) {
    const ms = Math.min(deadline.remaining() / 2, limitMs - (performance.now() - startedAt))
    const result = await callWidget(widget, 'findOption', value, Math.max(0, ms), true)
    if (result.label !== undefined || ms <= 0) return result
  }
}

async function enterText(page: Page, box: ElementHandle<HTMLInputElement>, text: string): Promise<void> {
  await box.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await (text === '' ? page.keyboard.press('Delete') : page.keyboard.insertText(text))
}

type WidgetMethod = Exclude<keyof ComboboxWidget, 'isList'>

const callWidget = <Name extends WidgetMethod>(
  widget: JSHandle<ComboboxWidget>,
  name: Name,
  ...args: Parameters<ComboboxWidget[Name]>
): Promise<Awaited<ReturnType<ComboboxWidget[Name]>>> =>
  widget.evaluate((one, call) => (one[call.name] as (...args: unknown[]) => never)(...call.args), {
    name,
    args: args as unknown[],
  })

async function elementOf(
  widget: JSHandle<ComboboxWidget>,
  selectElement: (widget: ComboboxWidget) => Element,
): Promise<ElementHandle<Element>> {
  return (await widget.evaluateHandle(selectElement)) as ElementHandle<Element>
}
