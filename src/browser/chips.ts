// Runs inside the page: what a list of several choices shows of them beside its box, each with a button that takes it away. It may use nothing
// but its arguments and the DOM.

export interface Chips {
  labels(): string[]
  /** Whether several options can be chosen; `popup` shows them. */
  isMultiple(popup: Element | undefined): boolean
  /** The button of the first one that is none of these. */
  removerOfOther(labels: readonly string[]): HTMLElement | undefined
}

/** `isAround` says whether an element is no more than what belongs to the box. */
export function chipsAround(box: Element, isAround: (node: Element) => boolean): Chips {
  const REMOVERS =
    '[aria-label^="Remove "], [class*="selection-item-remove"], [class*="multi-value__remove"], [class*="deleteIcon"]'
  const MULTIPLE = '[aria-multiselectable="true"]'
  const FARTHEST = 5
  const plain = (text: string) => text.replace(/\s+/g, ' ').trim()

  function removers(): HTMLElement[] {
    let node = box.parentElement
    for (let level = 0; node && isAround(node) && level < FARTHEST; node = node.parentElement, level += 1) {
      const found = [...node.querySelectorAll<HTMLElement>(REMOVERS)]
      if (found.length > 0) return found
    }
    return []
  }
  const labelOf = (remover: HTMLElement) =>
    /^Remove (.*)/.exec(remover.getAttribute('aria-label') ?? '')?.[1]?.trim() ??
    plain(remover.parentElement?.innerText ?? '')
  return {
    labels: () => removers().map(labelOf),
    isMultiple: (popup) =>
      popup?.matches(MULTIPLE) ||
      popup?.querySelector(MULTIPLE) != null ||
      box.closest('.ant-select-multiple') !== null ||
      removers().length > 0,
    removerOfOther: (labels) => removers().find((one) => !labels.includes(labelOf(one))),
  }
}
