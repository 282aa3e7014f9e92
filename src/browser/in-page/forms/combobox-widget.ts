// Runs inside the page: one list of options that the page has made itself, from the box that opens it to what it shows. It may use nothing
// but its arguments and the DOM. What says where the list is are the ARIA attributes; libraries keep to those in their own ways: the list
// is a portal elsewhere, only the options in sight exist, or the list with the roles is empty and stands beside the one that is shown.

import type { OptionList } from './option-list.ts'

export interface Found {
  /** What the option says of itself; missing where there is none such. */
  readonly label?: string
  readonly isDisabled: boolean
  readonly isSelected: boolean
  /** All that were seen on the way. */
  readonly options: string[]
}

export interface Widget {
  readonly isList: boolean
  isDisabled(): boolean
  /** A person could type into it, to search. */
  isEditable(): boolean
  isOpen(): boolean
  /** Waits until the list is there. */
  opened(ms: number): Promise<boolean>
  /** What to press to open it: the box, or what lies over it. */
  opener(): Element
  box(): Element
  find(value: string, ms: number, whole: boolean): Promise<Found>
  /** The option that was found last. */
  option(): Element
  /** Waits until the box shows the label. */
  shows(label: string, ms: number): Promise<'shown' | 'changed' | 'same'>
  text(): string
}

interface Dependencies {
  optionList(popup: () => Element | undefined): OptionList
}

export function comboboxWidget({ optionList }: Dependencies, element: Element): Widget | undefined {
  const BOXES = '[role="combobox"], [aria-haspopup="listbox"]'
  const LIST = '[role="listbox"]'
  const plain = (text: string) => text.replace(/\s+/g, ' ').trim()
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const root = element.getRootNode() as Document | ShadowRoot
  const start = element instanceof HTMLLabelElement ? (element.control ?? element) : element

  function boxOf(): Element | undefined {
    if (start.matches(`${BOXES}, ${LIST}`)) return start
    const inside = [...start.querySelectorAll(BOXES)]
    if (inside.length === 1) return inside[0]
    if (inside.length > 1) return undefined
    return start.closest(BOXES) ?? start.querySelector(LIST) ?? undefined
  }
  const found = boxOf()
  if (!found) return undefined
  const box = found
  const isList = box.matches(LIST)

  function isVisible(node: Element): boolean {
    const { width, height } = node.getBoundingClientRect()
    return width > 0 && height > 0 && getComputedStyle(node).visibility === 'visible'
  }

  const lists = () => [
    ...root.querySelectorAll(LIST),
    ...(root === document ? [] : document.querySelectorAll(LIST)),
  ]

  // A list without a size stands for what is shown beside it.
  function shownOf(list: Element | null | undefined): Element | undefined {
    let node = list ?? null
    while (node && !isVisible(node) && node !== document.body) node = node.parentElement
    return node && node !== document.body && !node.contains(box) ? node : undefined
  }
  const before = new Set(lists().filter(shownOf))

  // The part of the page that shows the options, if it does.
  function popup(): Element | undefined {
    if (isList) return box
    const ids = ['aria-controls', 'aria-owns'].flatMap((name) => (box.getAttribute(name) ?? '').split(/\s+/))
    const named = ids.map((id) => (id ? (root.getElementById(id) ?? document.getElementById(id)) : null))
    const active = box.getAttribute('aria-activedescendant')
    const labelled = lists().filter(
      (one) => box.id !== '' && (one.getAttribute('aria-labelledby') ?? '').split(/\s+/).includes(box.id),
    )
    const candidates = [
      ...named.map((node) => (node?.matches(LIST) ? node : (node?.querySelector(LIST) ?? node))),
      active ? root.getElementById(active)?.closest(LIST) : undefined,
      ...labelled,
      ...lists().filter((one) => !before.has(one)),
    ]
    for (const candidate of candidates) {
      const shown = shownOf(candidate)
      if (shown) return shown
    }
    return undefined
  }

  // The text of the box and of what is drawn around it, without that of the list.
  function text(): string {
    const parts = [(box as HTMLInputElement).value ?? '', (box as HTMLElement).innerText ?? '']
    for (let node = box.parentElement, level = 0; node && level < 4; node = node.parentElement, level += 1) {
      const shown = popup()
      if ((shown && node.contains(shown)) || node.querySelectorAll(BOXES).length > 1) break
      parts.push(node.innerText)
      if (plain(node.innerText) !== '') break
    }
    return plain(parts.filter((part) => typeof part === 'string').join(' '))
  }
  const list = optionList(popup)
  let chosen: HTMLElement | undefined
  let last = text()

  return {
    isList,
    isDisabled: () =>
      box.matches(':disabled, [data-disabled]:not([data-disabled="false"])') ||
      box.closest('[aria-disabled="true"]') !== null,
    isEditable: () => box instanceof HTMLInputElement && !box.readOnly,
    isOpen: () => isList || (popup() !== undefined && box.getAttribute('aria-expanded') !== 'false'),
    async opened(ms) {
      const end = performance.now() + ms
      while (!popup() && performance.now() < end) await frame()
      return popup() !== undefined
    },
    opener() {
      box.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
      const { left, top, width, height } = box.getBoundingClientRect()
      const hit = root.elementFromPoint(left + width / 2, top + height / 2)
      if (!hit || box.contains(hit)) return box
      for (
        let node = box.parentElement, level = 0;
        node && level < 4;
        node = node.parentElement, level += 1
      ) {
        if (node.querySelectorAll(BOXES).length > 1 || node === document.body) break
        if (node.contains(hit)) return hit
      }
      return box
    },
    box: () => box,
    async find(value, ms, whole) {
      last = text()
      chosen = await list.find(value, ms, whole)
      const options = [...list.seen().values()]
      if (!chosen) return { isDisabled: false, isSelected: false, options }
      chosen.scrollIntoView({ block: 'nearest', behavior: 'instant' })
      await frame()
      // Lists that draw only what is in sight may have drawn it anew.
      if (!chosen.isConnected) chosen = (await list.find(value, ms, false)) ?? chosen
      return {
        label: list.labelOf(chosen),
        isDisabled: list.isDisabled(chosen),
        isSelected: list.isSelected(chosen),
        options,
      }
    },
    option: () => chosen ?? box,
    async shows(label, ms) {
      const end = performance.now() + ms
      const first = plain(chosen?.innerText.trim().split('\n')[0] ?? '') || label
      const isMarked = () => chosen?.isConnected && isVisible(chosen) && list.isSelected(chosen)
      for (;;) {
        const now = text()
        if (!box.isConnected || isMarked() || (now.includes(first) && first !== '')) return 'shown'
        const others = [...list.seen().keys()].some((one) => one !== '' && one !== label && now === one)
        if (performance.now() >= end) return now !== last && !others ? 'changed' : 'same'
        await frame()
      }
    },
    text,
  }
}
