// A custom combobox or listbox, found by its ARIA attributes. Libraries differ: the list is a portal elsewhere in the document, only the
// visible options exist, or the list with the roles is empty and stands beside the visible one.

import type { SelectedChips } from './selected-chips.ts'
import type { OptionList } from './option-list.ts'

export interface OptionSearchResult {
  /** Missing where no option matches. */
  readonly label?: string
  readonly isDisabled: boolean
  readonly isSelected: boolean
  /** The labels of all options that the search met. */
  readonly options: string[]
}

export interface ComboboxWidget {
  readonly isList: boolean
  isDisabled(): boolean
  /** It takes text that filters the options. */
  isEditable(): boolean
  isOpen(): boolean
  /** Waits until the list is visible. */
  waitUntilOpen(ms: number): Promise<boolean>
  /** The element to click to open the list: the box, or what covers it. */
  openerElement(): Element
  boxElement(): Element
  findOption(value: string, ms: number, whole: boolean): Promise<OptionSearchResult>
  /** Several of its options can be selected. */
  isMultiple(): boolean
  /** A chip shows the label as selected; its option may not be listed any more. */
  hasChip(label: string): boolean
  /** The label of a selected option that is none of these; `optionElement` is then what deselects it. */
  findOther(labels: readonly string[], ms: number): Promise<string | undefined>
  waitUntilDeselected(ms: number): Promise<boolean>
  /** The option of the last search. */
  optionElement(): Element
  /** Waits until the box shows the label. */
  waitForSelection(label: string, ms: number): Promise<'shown' | 'changed' | 'same'>
  displayedText(): string
}

interface Dependencies {
  createPopupFinder(box: Element, root: Document | ShadowRoot): () => Element | undefined
  createOptionList(popup: () => Element | undefined): OptionList
  createSelectedChips(box: Element, belongsToBox: (node: Element) => boolean): SelectedChips
}

export function createComboboxWidget(
  { createPopupFinder, createOptionList, createSelectedChips }: Dependencies,
  element: Element,
): ComboboxWidget | undefined {
  const BOX_SELECTOR = '[role="combobox"], [aria-haspopup="listbox"]'
  const LIST_SELECTOR = '[role="listbox"]'
  const OPTION_SELECTOR = '[role="option"], [aria-selected], .ant-select-item-option'
  const normalize = (text: string) => text.replace(/\s+/g, ' ').trim()
  const waitFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const root = element.getRootNode() as Document | ShadowRoot
  const start = element instanceof HTMLLabelElement ? (element.control ?? element) : element

  function findBox(): Element | undefined {
    if (start.matches(`${BOX_SELECTOR}, ${LIST_SELECTOR}`)) return start
    const inside = [...start.querySelectorAll(BOX_SELECTOR)]
    if (inside.length === 1) return inside[0]
    if (inside.length > 1) return undefined
    return start.closest(BOX_SELECTOR) ?? start.querySelector(LIST_SELECTOR) ?? undefined
  }
  const boxOrNone = findBox()
  if (!boxOrNone) return undefined
  const box = boxOrNone
  const isList = box.matches(LIST_SELECTOR)

  function isVisible(node: Element): boolean {
    const { width, height } = node.getBoundingClientRect()
    return width > 0 && height > 0 && getComputedStyle(node).visibility === 'visible'
  }

  const popup = createPopupFinder(box, root)

  // The text of the box and of what is drawn around it, without that of the list.
  function displayedText(): string {
    const parts = [(box as HTMLInputElement).value ?? '', (box as HTMLElement).innerText ?? '']
    for (let node = box.parentElement, level = 0; node && level < 4; node = node.parentElement, level += 1) {
      const visiblePart = popup()
      if ((visiblePart && node.contains(visiblePart)) || node.querySelectorAll(BOX_SELECTOR).length > 1) break
      parts.push(node.innerText)
      if (normalize(node.innerText) !== '') break
    }
    return normalize(parts.filter((part) => typeof part === 'string').join(' '))
  }
  const list = createOptionList(popup)
  const chips = createSelectedChips(
    box,
    (node) => node !== document.body && node.querySelectorAll(BOX_SELECTOR).length <= 1,
  )
  let option: HTMLElement | undefined
  let previousText = displayedText()

  return {
    isList,
    isDisabled: () =>
      box.matches(':disabled, [data-disabled]:not([data-disabled="false"])') ||
      box.closest('[aria-disabled="true"]') !== null,
    isEditable: () => box instanceof HTMLInputElement && !box.readOnly,
    isOpen: () => isList || (popup() !== undefined && box.getAttribute('aria-expanded') !== 'false'),
    async waitUntilOpen(ms) {
      const end = performance.now() + ms
      while (!popup() && performance.now() < end) await waitFrame()
      return popup() !== undefined
    },
    openerElement() {
      box.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
      const { left, top, width, height } = box.getBoundingClientRect()
      const hit = root.elementFromPoint(left + width / 2, top + height / 2)
      if (!hit || box.contains(hit)) return box
      for (
        let node = box.parentElement, level = 0;
        node && level < 4;
        node = node.parentElement, level += 1
      ) {
        if (node.querySelectorAll(BOX_SELECTOR).length > 1 || node === document.body) break
        if (node.contains(hit)) return hit
      }
      return box
    },
    boxElement: () => box,
    async findOption(value, ms, whole) {
      previousText = displayedText()
      option = await list.find(value, ms, whole)
      const options = [...list.foundLabels().values()]
      if (!option) return { isDisabled: false, isSelected: false, options }
      option.scrollIntoView({ block: 'nearest', behavior: 'instant' })
      await waitFrame()
      // Lists that draw only what is in sight may have drawn it anew.
      if (!option.isConnected) option = (await list.find(value, ms, false)) ?? option
      return {
        label: list.labelOf(option),
        isDisabled: list.isDisabled(option),
        isSelected: list.isSelected(option),
        options,
      }
    },
    isMultiple: () => chips.isMultiple(popup()),
    hasChip: (label) => chips.labels().includes(normalize(label)),
    async findOther(labels, ms) {
      const selected = popup() ? await list.findOther(labels, ms) : undefined
      option = selected ?? chips.findOtherRemoveButton(labels)
      option?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
      await waitFrame()
      // The icon of a chip may be an SVG element, which has no text.
      return option && normalize(option.innerText || (option.parentElement?.innerText ?? ''))
    },
    async waitUntilDeselected(ms) {
      const isSelected = () =>
        option?.isConnected && (!option.matches(OPTION_SELECTOR) || list.isSelected(option))
      const end = performance.now() + ms
      while (isSelected() && performance.now() < end) await waitFrame()
      return !isSelected()
    },
    optionElement: () => option ?? box,
    async waitForSelection(label, ms) {
      const end = performance.now() + ms
      const firstLine = normalize(option?.innerText.trim().split('\n')[0] ?? '') || label
      const isMarked = () => option?.isConnected && isVisible(option) && list.isSelected(option)
      for (;;) {
        const currentText = displayedText()
        if (!box.isConnected || isMarked() || (currentText.includes(firstLine) && firstLine !== ''))
          return 'shown'
        const isOtherLabel = [...list.foundLabels().keys()].some(
          (one) => one !== '' && one !== label && currentText === one,
        )
        if (performance.now() >= end)
          return currentText !== previousText && !isOtherLabel ? 'changed' : 'same'
        await waitFrame()
      }
    },
    displayedText,
  }
}
