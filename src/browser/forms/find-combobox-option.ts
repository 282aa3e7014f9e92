// The search for an option of a custom list: what is visible, else by text, else by scrolling.

import type { ElementHandle, JSHandle, Page } from 'playwright'
import type { ComboboxWidget, OptionSearchResult } from '../in-page/forms/combobox-widget.ts'
import type { ResolvedTarget } from '../playwright/locator.ts'

const SEARCH_TIMEOUT_MS = 8000
const FILTER_TIMEOUT_MS = 2000

export interface Combobox {
  readonly page: Page
  readonly element: ResolvedTarget
  readonly widget: JSHandle<ComboboxWidget>
  remainingMs(): number
}

/** A box that takes text finds an option sooner by that than a long list by scrolling. */
export async function findOption(
  { page, widget, remainingMs }: Combobox,
  value: string,
): Promise<OptionSearchResult> {
  const search = (share: number, limitMs: number, whole: boolean) =>
    widget.evaluate((one, { value, ms, whole }) => one.findOption(value, ms, whole), {
      value,
      ms: Math.min(remainingMs() * share, limitMs),
      whole,
    })
  const isEditable = await widget.evaluate((one) => one.isEditable())
  const initial = await search(0.8, SEARCH_TIMEOUT_MS, !isEditable)
  if (initial.label !== undefined || !isEditable) return initial
  const box = (await elementOf(widget, (one) => one.boxElement())) as ElementHandle<HTMLInputElement>
  const textBefore = await box.inputValue()
  await enterText(page, box, value)
  const filtered = await search(0.5, FILTER_TIMEOUT_MS, true)
  if (filtered.label !== undefined) return filtered
  // Most boxes forget what was searched for when they are left, and keep their choice; it would be lost by emptying them.
  await page.keyboard.press('Escape')
  await box.evaluate((one) => one.blur())
  if ((await box.inputValue()) === value) await enterText(page, box, textBefore)
  return { ...filtered, options: initial.options }
}

async function enterText(page: Page, box: ElementHandle<HTMLInputElement>, text: string): Promise<void> {
  await box.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await (text === '' ? page.keyboard.press('Delete') : page.keyboard.insertText(text))
}

/** A handle of an element that the widget names. */
export async function elementOf(
  widget: JSHandle<ComboboxWidget>,
  part: (widget: ComboboxWidget) => Element,
): Promise<ElementHandle<Element>> {
  return (await widget.evaluateHandle(part)) as ElementHandle<Element>
}
