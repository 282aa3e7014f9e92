/** Returns a function that finds the visible element with the options of a combobox. The list may be anywhere in the document. */
export function createPopupFinder(box: Element, root: Document | ShadowRoot): () => Element | undefined {
  const LIST_SELECTOR = '[role="listbox"]'

  function isVisible(node: Element): boolean {
    const { width, height } = node.getBoundingClientRect()
    return width > 0 && height > 0 && getComputedStyle(node).visibility === 'visible'
  }

  const lists = () => [
    ...root.querySelectorAll(LIST_SELECTOR),
    ...(root === document ? [] : document.querySelectorAll(LIST_SELECTOR)),
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
        node?.matches(LIST_SELECTOR) ? node : (node?.querySelector(LIST_SELECTOR) ?? node),
      ),
      activeId ? root.getElementById(activeId)?.closest(LIST_SELECTOR) : undefined,
      ...labelledLists,
      ...lists().filter((list) => !initialLists.has(list)),
    ]
    for (const candidate of candidates) {
      const visiblePart = visiblePartOf(candidate)
      if (visiblePart) return visiblePart
    }
    return undefined
  }
}
