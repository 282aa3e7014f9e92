// A custom combobox or listbox, found by its ARIA attributes. Libraries differ: the list may be a portal elsewhere in the document, may
// contain only the visible options, or may be empty beside a visible list without roles.

import { isControlDisabled, isVisible, joinSpaces, textWithout } from '../page/elements.ts'
import { createOptionList, createSelectedChips, removerOf, textOfOption } from './option-list.ts'

const BOX_SELECTOR = '[role="combobox"], [aria-haspopup="listbox"]'
const LIST_SELECTOR = '[role="listbox"]'
const POPUP_SELECTOR = '[role="listbox"], [role="tree"]'

export interface OptionSearchResult {
  /** Missing if no option matches. */
  readonly label?: string
  readonly isDisabled: boolean
  readonly isSelected: boolean
  /** Its label was typed into the box to find it. */
  readonly isTyped?: boolean
  /** The labels of all options that the search went through. */
  readonly options: string[]
}

export type ComboboxWidget = NonNullable<ReturnType<typeof createComboboxWidget>>

export function createComboboxWidget(element: Element) {
  const waitFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const root = element.getRootNode() as Document | ShadowRoot
  const startElement = element instanceof HTMLLabelElement ? (element.control ?? element) : element

  function findBox(): Element | undefined {
    if (startElement.matches(`${BOX_SELECTOR}, ${LIST_SELECTOR}`)) return startElement
    const innerBoxes = [...startElement.querySelectorAll(BOX_SELECTOR)]
    if (innerBoxes.length === 1) return innerBoxes[0]
    if (innerBoxes.length > 1) return undefined
    return startElement.closest(BOX_SELECTOR) ?? startElement.querySelector(LIST_SELECTOR) ?? undefined
  }
  const matchingBox = findBox()
  if (!matchingBox) return undefined
  const box = matchingBox
  const isList = box.matches(LIST_SELECTOR)

  const POINT_PX = 3
  const findPopup = createPopupFinder(box, root)

  // Without the list, and without a <select> that the box stands for, whose options have a text also where nothing shows them.
  function ownTextOf(node: Element): string {
    const popup = findPopup()
    return textWithout(node, [
      ...(popup && node.contains(popup) ? [popup] : []),
      ...node.querySelectorAll('select'),
    ])
  }

  // The text of the box and of the elements around it, without the text of the list.
  function displayedText(): string {
    const parts = [(box as HTMLInputElement).value ?? '', ownTextOf(box)]
    for (let node = box.parentElement, level = 0; node && level < 4; node = node.parentElement, level += 1) {
      const visiblePart = findPopup()
      if ((visiblePart && node.contains(visiblePart)) || node.querySelectorAll(BOX_SELECTOR).length > 1) break
      const ownText = ownTextOf(node)
      parts.push(ownText)
      if (joinSpaces(ownText) !== '') break
    }
    return joinSpaces(parts.filter((part) => typeof part === 'string').join(' '))
  }
  const list = createOptionList(findPopup)
  const chips = createSelectedChips(
    box,
    (node) => node !== document.body && node.querySelectorAll(BOX_SELECTOR).length <= 1,
  )
  let option: HTMLElement | undefined
  let remover: HTMLElement | null | undefined
  // The label of the chip whose remove button is the option.
  let chipLabel: string | undefined
  // The text around a box includes what is beside its list only while that is closed.
  let previousText = displayedText()
  let closedText = previousText
  let hasChanged = false
  // A text field that loses the focus to the option has changed by what was typed.
  const onChange = ({ isTrusted, target }: Event) => {
    const isText =
      target instanceof Element && target.matches('textarea, input:not([type=checkbox], [type=radio])')
    if (!(isTrusted && isText)) hasChanged = true
  }
  addEventListener('change', onChange, true)

  // The labels that a box without chips lists.
  function listedLabels(): string[] {
    const parts = displayedText().split(',').map(joinSpaces)
    const known = list.searchedLabels()
    return parts.length > 1 && parts.every((part) => known.has(part)) ? parts : []
  }
  const shownLabels = (): string[] => [...chips.labels(), ...listedLabels()]

  const firstLineOf = (label: string): string =>
    joinSpaces((option && textOfOption(option).trim().split('\n')[0]) ?? '') || label
  const isWordIn = (text: string, word: string): boolean =>
    word !== '' && ` ${text.replace(/[,;:|/]/g, ' ')} `.includes(` ${word.replace(/[,;:|/]/g, ' ')} `)

  return {
    isList,
    isDisabled: (): boolean =>
      box.matches('[data-disabled]:not([data-disabled="false"])') || isControlDisabled(box),
    /** Whether it accepts text that filters the options. */
    isEditable: (): boolean =>
      box instanceof HTMLInputElement && !box.readOnly && box.ariaReadOnly !== 'true',
    isOpen: (): boolean =>
      isList || (findPopup() !== undefined && box.getAttribute('aria-expanded') !== 'false'),
    /** Whether it has the focus, and says that it has a list which is closed. */
    isClosed: (): boolean =>
      root.activeElement === box &&
      box.matches(
        '[role="combobox"][aria-expanded="false"]:is([aria-haspopup="listbox"], :not([aria-haspopup]))',
      ),
    async waitUntilOpen(ms: number): Promise<boolean> {
      const deadline = performance.now() + ms
      while (!findPopup() && performance.now() < deadline) await waitFrame()
      return findPopup() !== undefined
    },
    /** The element to click to open the list: the box, or its part that covers it. */
    openerElement(): Element {
      box.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
      const { left, top, width, height } = box.getBoundingClientRect()
      // react-select has an input of one pixel beside the box, if nothing can be typed.
      if (width < POINT_PX && height < POINT_PX && getComputedStyle(box).opacity === '0')
        return box.parentElement ?? box
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
    boxElement: (): Element => box,
    async findOption(value: string, ms: number, whole: boolean): Promise<OptionSearchResult> {
      previousText = displayedText()
      remover = undefined
      option = await list.find(value, ms, whole)
      const options = [...list.searchedLabels().values()]
      if (!option) return { isDisabled: false, isSelected: false, options }
      option.scrollIntoView({ block: 'nearest', behavior: 'instant' })
      await waitFrame()
      // Virtual lists may have redrawn it.
      if (!option.isConnected) option = (await list.find(value, ms, false)) ?? option
      return {
        label: list.labelOf(option),
        isDisabled: list.isDisabled(option),
        isSelected: list.isSelected(option),
        options,
      }
    },
    /** Whether the box, and not only the list, shows the option of the last search as selected. */
    isShown: (label: string): boolean =>
      !isList && (isWordIn(displayedText(), firstLineOf(label)) || chips.labels().includes(label)),
    /** Whether the box lists the label among others. */
    isListedInBox: (label: string): boolean => listedLabels().includes(label),
    /** Another option than that of the last search. */
    neighborElement: (): Element | undefined => option && list.findNeighbor(option),
    /** Learns from a move of the mouse whether `aria-selected` only follows it. */
    async learnMark(wasMarked: boolean): Promise<boolean> {
      if (!option) return false
      await list.learnMark(option, wasMarked)
      hasChanged = false
      return list.isSelected(option)
    },
    /** Whether several options can be selected. */
    isMultiple: (): boolean => chips.isMultiple(findPopup()) || listedLabels().length > 0,
    /** Whether a chip shows the label as selected; its option may not be listed any more. */
    hasChip: (label: string): boolean => chips.labels().includes(joinSpaces(label)),
    /** The first of these labels that no chip shows, where the box has fewer chips and does not count those that it hides. */
    missingChip(labels: readonly string[]): string | undefined {
      const chipLabels = chips.labels()
      const hasAll =
        chipLabels.length === 0 ||
        chipLabels.length >= labels.length ||
        /\+\s?\d|\d+ (more|others?|items?|selected)\b|…|\.\.\./i.test(displayedText())
      return hasAll ? undefined : labels.find((label) => !chipLabels.includes(label))
    },
    /** The label of a selected option that is none of these; `optionElement` is then the element that deselects it. */
    async findOther(labels: readonly string[], ms: number): Promise<string | undefined> {
      const listed = findPopup() && listedLabels().find((label) => !labels.includes(label))
      const selected =
        listed === undefined
          ? findPopup() && (await list.findOther(labels, ms))
          : await list.find(listed, ms, true)
      remover = selected && removerOf(selected)
      const chip = selected ? undefined : chips.findOther(labels)
      option = selected ?? chip?.removeButton
      chipLabel = chip?.label ?? listed
      option?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
      await waitFrame()
      return option && (chipLabel ?? list.labelOf(option))
    },
    /** Whether what `findOther` found is an option of the list, not a chip. */
    isListed: (): boolean => option !== undefined && chipLabel === undefined,
    async waitUntilDeselected(ms: number): Promise<boolean> {
      // A page may reuse the element of a removed chip for another one.
      const isSelected = () =>
        chipLabel === undefined
          ? option?.isConnected && list.isSelected(option)
          : shownLabels().includes(chipLabel)
      const deadline = performance.now() + ms
      while (isSelected() && performance.now() < deadline) await waitFrame()
      return !isSelected()
    },
    /** The option of the last search, or what removes it. */
    optionElement: (): Element => remover ?? option ?? box,
    /** Waits until the box shows the label. With `isTyped` its text was the label before the option was clicked. */
    async waitForSelection(
      label: string,
      ms: number,
      isTyped: boolean,
    ): Promise<'shown' | 'changed' | 'same'> {
      const deadline = performance.now() + ms
      const firstLine = firstLineOf(label)
      const isMarked = () => {
        const current = option && list.currentOf(option)
        return current !== undefined && isVisible(current) && list.isSelected(current)
      }
      const isTextProof = (text: string) =>
        isWordIn(text, firstLine) && (!isTyped || findPopup() === undefined)
      for (;;) {
        const currentText = displayedText()
        if (!box.isConnected || hasChanged || isMarked() || isTextProof(currentText)) {
          closedText = currentText
          return 'shown'
        }
        const isOtherLabel = [...list.searchedLabels().keys()].some(
          (one) => one !== '' && one !== label && currentText === one,
        )
        // In a list that stays open, the click may have taken the choice back.
        const isOpenForMore = !isList && !isTyped && option?.isConnected && isVisible(option)
        if (performance.now() >= deadline)
          return [previousText, closedText].includes(currentText) || isOtherLabel || isOpenForMore
            ? 'same'
            : 'changed'
        await waitFrame()
      }
    },
    displayedText,
    stopWatching: (): void => removeEventListener('change', onChange, true),
  }
}

// Returns a function that finds the visible element with the options of a combobox. The list may be anywhere in the document.
function createPopupFinder(box: Element, root: Document | ShadowRoot): () => Element | undefined {
  const lists = () => [
    ...root.querySelectorAll(POPUP_SELECTOR),
    ...(box.shadowRoot?.querySelectorAll(POPUP_SELECTOR) ?? []),
    ...(root === document ? [] : document.querySelectorAll(POPUP_SELECTOR)),
  ]

  // For a list without a size, the closest visible ancestor is used.
  function visiblePartOf(list: Element | null | undefined): Element | undefined {
    let node = list ?? null
    while (node && !isVisible(node) && node !== document.body) node = node.parentElement
    return node && node !== document.body && !node.contains(box) ? node : undefined
  }
  const initialLists = new Set(lists().filter(visiblePartOf))

  return function findPopup(): Element | undefined {
    if (box.matches(LIST_SELECTOR)) return box
    const ids = ['aria-controls', 'aria-owns'].flatMap((name) => (box.getAttribute(name) ?? '').split(/\s+/))
    const referenced = ids.map((id) => (id ? (root.getElementById(id) ?? document.getElementById(id)) : null))
    const activeId = box.getAttribute('aria-activedescendant')
    const labelledLists = lists().filter(
      (list) => box.id !== '' && (list.getAttribute('aria-labelledby') ?? '').split(/\s+/).includes(box.id),
    )
    const candidates = [
      ...referenced.map((node) =>
        node?.matches(POPUP_SELECTOR) ? node : (node?.querySelector(POPUP_SELECTOR) ?? node),
      ),
      activeId ? root.getElementById(activeId)?.closest(POPUP_SELECTOR) : undefined,
      ...labelledLists,
      ...lists().filter((list) => !initialLists.has(list)),
      // The list may have been open before.
      ...(box.ariaExpanded === 'true' && initialLists.size === 1 ? initialLists : []),
    ]
    for (const candidate of candidates) {
      const visiblePart = visiblePartOf(candidate)
      if (visiblePart) return visiblePart
    }
    return undefined
  }
}
