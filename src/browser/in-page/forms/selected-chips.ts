// The chips in which a multi-select combobox shows its selection, each with a button that removes it.

export interface Chip {
  readonly label: string
  readonly removeButton: HTMLElement
}

export interface SelectedChips {
  labels(): string[]
  /** Whether several options can be selected; `popup` shows them. */
  isMultiple(popup: Element | undefined): boolean
  /** The first chip with another label. */
  findOther(labels: readonly string[]): Chip | undefined
}

/** `belongsToBox` returns whether an element contains nothing but parts of the box. */
export function createSelectedChips(box: Element, belongsToBox: (node: Element) => boolean): SelectedChips {
  const REMOVE_BUTTON_SELECTOR =
    '[aria-label^="Remove "], [class*="selection-item-remove"], [class*="multi-value__remove"], [class*="deleteIcon"]'
  const MULTIPLE_SELECTOR = '[aria-multiselectable="true"]'
  const ANCESTOR_LIMIT = 5
  const normalize = (text: string) => text.replace(/\s+/g, ' ').trim()

  function removeButtons(): HTMLElement[] {
    let node = box.parentElement
    for (let level = 0; node && belongsToBox(node) && level < ANCESTOR_LIMIT; level += 1) {
      const buttons = [...node.querySelectorAll<HTMLElement>(REMOVE_BUTTON_SELECTOR)]
      if (buttons.length > 0) return buttons
      node = node.parentElement
    }
    return []
  }
  const labelOf = (button: HTMLElement) =>
    /^Remove (.*)/.exec(button.getAttribute('aria-label') ?? '')?.[1]?.trim() ??
    normalize(button.parentElement?.innerText ?? '')
  const findAll = (): Chip[] =>
    removeButtons().map((removeButton) => ({ label: labelOf(removeButton), removeButton }))
  return {
    labels: () => findAll().map(({ label }) => label),
    isMultiple: (popup) =>
      popup?.matches(MULTIPLE_SELECTOR) ||
      popup?.querySelector(MULTIPLE_SELECTOR) != null ||
      box.closest('.ant-select-multiple') !== null ||
      removeButtons().length > 0,
    findOther: (labels) => findAll().find(({ label }) => !labels.includes(label)),
  }
}
