// Finds an option of a custom list: among the visible ones, by filtering, or by scrolling.

import type { ElementHandle, JSHandle, Page } from 'playwright'
import type { ComboboxWidget, OptionSearchResult } from '../in-page/forms/combobox-widget.ts'
import type { ResolvedTarget } from '../playwright/locator.ts'

const SEARCH_TIMEOUT_MS = 8000
const FILTER_TIMEOUT_MS = 2000

export interface Combobox {
  readonly page: Page
  readonly element: ResolvedTarget
  readonly widget: JSHandle<ComboboxWidget>
}

/** An editable box is filtered by the value before the whole list is scrolled, which is faster. */
export async function findOption(
  { page, widget, element: { deadline } }: Combobox,
  value: string,
): Promise<OptionSearchResult> {
  const search = (share: number, limitMs: number, isWholeList: boolean) =>
    widget.evaluate((one, { value, ms, isWholeList }) => one.findOption(value, ms, isWholeList), {
      value,
      ms: Math.min(deadline.remaining() * share, limitMs),
      isWholeList,
    })
  const isEditable = await widget.evaluate((one) => one.isEditable())
  const initialResult = await search(0.8, SEARCH_TIMEOUT_MS, !isEditable)
  if (initialResult.label !== undefined || !isEditable) return initialResult
  const box = (await elementOf(widget, (one) => one.boxElement())) as ElementHandle<HTMLInputElement>
  const textBefore = await box.inputValue()
  await enterText(page, box, value)
  const filteredResult = await search(0.5, FILTER_TIMEOUT_MS, true)
  if (filteredResult.label !== undefined) return filteredResult
  // Most boxes drop the filter text on blur and keep their selection; clearing the text would drop the selection too.
  await page.keyboard.press('Escape')
  await box.evaluate((one) => one.blur())
  if ((await box.inputValue()) === value) await enterText(page, box, textBefore)
  return { ...filteredResult, options: initialResult.options }
}

async function enterText(page: Page, box: ElementHandle<HTMLInputElement>, text: string): Promise<void> {
  await box.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await (text === '' ? page.keyboard.press('Delete') : page.keyboard.insertText(text))
}

/** A handle of an element of the widget. */
export async function elementOf(
  widget: JSHandle<ComboboxWidget>,
  selectElement: (widget: ComboboxWidget) => Element,
): Promise<ElementHandle<Element>> {
  return (await widget.evaluateHandle(selectElement)) as ElementHandle<Element>
}
