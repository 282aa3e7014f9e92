// The options of a custom list.

import { isControlDisabled, isVisible, joinSpaces, textWithout } from '../page/elements.ts'

// Without characters that are not seen.
const normalize = (text: string): string => joinSpaces(text.replace(/\p{Cf}/gu, ''))

const REMOVE_BUTTON_SELECTOR =
  '[aria-label^="Remove "], [class*="selection-item-remove"], [class*="multi-value__remove"], [class*="deleteIcon"]'

/** What removes an option that is a chip too, as in Choices.js. */
export const removerOf = (option: Element): HTMLElement | null =>
  option.querySelector<HTMLElement>(REMOVE_BUTTON_SELECTOR)

/** The text of an option, without that of the buttons in it, unless they are all that it has. */
export function textOfOption(option: HTMLElement): string {
  const text = textWithout(option, [...option.querySelectorAll('button, [role="button"]')])
  return text.trim() === '' ? option.innerText : text
}

/** `findPopup` returns the element that shows the options, if the list is open. */
export function createOptionList(findPopup: () => Element | undefined) {
  const waitTwoFrames = () =>
    new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  const labels = new Map<string, string>()
  // cmdk, Downshift, Choices.js and others set aria-selected on the option under the mouse, selected or not.
  let isMarkedByHover = false

  // Ant Design has the roles on a list of no size, and the visible options beside it, some with states and some without.
  function options(): HTMLElement[] {
    const popup = findPopup()
    const slotted = [...(popup?.querySelectorAll('slot') ?? [])].flatMap((slot) =>
      slot.assignedElements({ flatten: true }),
    )
    const all = (selector: string) =>
      [
        ...(popup?.querySelectorAll<HTMLElement>(selector) ?? []),
        ...slotted.flatMap((one) => [
          ...(one.matches(selector) || one.shadowRoot?.querySelector(selector) ? [one as HTMLElement] : []),
          ...one.querySelectorAll<HTMLElement>(selector),
        ]),
      ].filter(isVisible)
    const byRole = all('[role="option"], [role="menuitemcheckbox"], [role="treeitem"]')
    if (byRole.length > 0) return byRole
    const others = all('[aria-selected], [aria-disabled], .ant-select-item-option')
    return others.filter((one) => !others.some((other) => other !== one && other.contains(one)))
  }

  const labelOf = (option: HTMLElement): string =>
    normalize(textOfOption(option)) || option.getAttribute('aria-label') || option.title || ''
  const isDisabled = (option: Element): boolean =>
    option.matches('[aria-disabled="true"], [data-disabled]:not([data-disabled="false"]), :disabled') ||
    /(^|[-_\s])(is-)?disabled($|\s)/i.test(option.getAttribute('class') ?? '')

  // Matches labels first, then the first lines of labels, then values.
  function findMatch(value: string): HTMLElement | undefined {
    const all = options()
    const normalized = normalize(value)
    return (
      all.find((one) =>
        [labelOf(one), normalize(one.innerText), one.getAttribute('aria-label')].includes(normalized),
      ) ??
      all.find(
        (one) => normalize(textOfOption(one).trim().split('\n')[0] ?? '') === normalized && normalized !== '',
      ) ??
      all.find((one) => ['data-value', 'value', 'data-key'].some((name) => one.getAttribute(name) === value))
    )
  }

  // The element that is scrolled to reach the other options of a long list.
  function findScrollContainer(): Element | undefined {
    const first = options()[0]
    for (let node = first?.parentElement ?? null; node; node = node.parentElement) {
      const style = getComputedStyle(node).overflowY
      if (style !== 'visible' && node.scrollHeight > node.clientHeight + 1) return node
      if (node === findPopup() || node === document.body) return undefined
    }
    return undefined
  }

  function recordLabels(): void {
    for (const one of options().slice(0, 1000))
      labels.set(
        labelOf(one),
        JSON.stringify(labelOf(one).slice(0, 80)) + (isDisabled(one) ? ' (disabled)' : ''),
      )
  }

  // Options may be added a moment after the list.
  async function waitForOptions(startedAt: number, ms: number): Promise<void> {
    const EMPTY_TIMEOUT_MS = 400
    const isLoading = () =>
      /loading|…|\.\.\./i.test(findPopup()?.textContent ?? '') || findPopup()?.closest('[aria-busy="true"]')
    const isTimedOut = () =>
      performance.now() - startedAt > (isLoading() ? ms : Math.min(ms, EMPTY_TIMEOUT_MS))
    while (options().length === 0 && !isTimedOut()) await waitTwoFrames()
  }

  // Scrolls and waits until other options are rendered: most lists need one task of the page, the rest a few frames.
  async function scrollTo(list: Element, scrollTop: number): Promise<void> {
    const currentLabels = () => options().map(labelOf).join('\n')
    const before = currentLabels()
    list.scrollTop = scrollTop
    const SCROLL_TASK_COUNT = 4
    list.dispatchEvent(new Event('scroll'))
    for (let task = 0; task < SCROLL_TASK_COUNT; task += 1) {
      await new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = resolve
        port2.postMessage(0)
      })
      if (currentLabels() !== before) return
    }
    await waitTwoFrames()
  }

  /** Waits for options; with `isWholeList` it scrolls through a long list. */
  async function find(value: string, ms: number, isWholeList: boolean): Promise<HTMLElement | undefined> {
    labels.clear()
    const startedAt = performance.now()
    await waitForOptions(startedAt, ms)
    return search(() => findMatch(value), startedAt + ms, isWholeList)
  }

  async function search(
    findCandidate: () => HTMLElement | undefined,
    deadline: number,
    isWholeList: boolean,
  ): Promise<HTMLElement | undefined> {
    recordLabels()
    const first = findCandidate()
    const list = first || !isWholeList ? undefined : findScrollContainer()
    if (!list) return first
    await scrollTo(list, 0)
    for (let previousTop = -1; previousTop !== list.scrollTop && performance.now() < deadline;) {
      recordLabels()
      const one = findCandidate()
      if (one) return one
      previousTop = list.scrollTop
      await scrollTo(list, previousTop + Math.max(20, list.clientHeight * 0.9))
    }
    recordLabels()
    return findCandidate()
  }

  /** A selected option with another label, anywhere in the list. */
  const findOther = (labels: readonly string[], ms: number) =>
    search(
      () => options().find((one) => isSelected(one) && !isDisabled(one) && !labels.includes(labelOf(one))),
      performance.now() + ms,
      true,
    )

  // The option of a component may be in it, as in Material Web.
  const matches = (option: Element, selector: string): boolean =>
    option.matches(selector) || option.shadowRoot?.querySelector(selector) != null
  const isSelected = (option: Element): boolean =>
    (!isMarkedByHover && matches(option, '[aria-selected="true"]')) ||
    matches(option, '[aria-checked="true"], .ant-select-item-option-selected') ||
    option.querySelector('input:checked, [aria-checked="true"]') !== null
  /** A list that draws its options anew has another element for it. */
  const currentOf = (option: HTMLElement): HTMLElement | undefined =>
    option.isConnected ? option : options().find((one) => labelOf(one) === labelOf(option))
  /** Another option, for the mouse to leave the first one. */
  const findNeighbor = (option: Element): HTMLElement | undefined =>
    options().find((one) => one !== option && !isDisabled(one))
  /** Compares the mark of an option with that before the mouse was moved; a mark that followed the mouse counts no more. */
  async function learnMark(option: HTMLElement, wasMarked: boolean): Promise<void> {
    await waitTwoFrames()
    const current = currentOf(option)
    if (current && isSelected(current) !== wasMarked) isMarkedByHover = true
  }
  /** The labels of the options that the last search went through, quoted; disabled ones are marked. */
  const searchedLabels = (): ReadonlyMap<string, string> => labels
  return {
    find,
    findOther,
    findNeighbor,
    currentOf,
    learnMark,
    labelOf,
    isDisabled,
    isSelected,
    searchedLabels,
  }
}

/** The option of a <select> for each value: by label, which is what a snapshot shows, else by value. Of equal labels, a value with the
 * group before it, as in "Billing / Other", tells which one is meant; without it the result has the labels with their groups. */
function findOptions(
  field: HTMLSelectElement,
  values: readonly string[],
): { option?: HTMLOptionElement; equalLabels?: string[] }[] {
  const options = [...field.options]
  const groupedLabel = ({ label, parentElement: parent }: HTMLOptionElement) =>
    normalize(parent instanceof HTMLOptGroupElement ? `${parent.label} / ${label}` : label)
  const candidatesFor = (value: string): HTMLOptionElement[] => {
    const normalized = normalize(value)
    const tests: ((option: HTMLOptionElement) => boolean)[] = [
      ({ label }) => label === value,
      ({ label }) => normalize(label) === normalized,
      (option) => groupedLabel(option) === normalized,
      (option) => option.value === value,
    ]
    return tests.map((test) => options.filter(test)).find((matches) => matches.length > 0) ?? []
  }
  return values.map((value) => {
    const candidates = candidatesFor(value)
    const exact = candidates.find((candidate) => candidate.value === value)
    const [option] = exact ? [exact] : candidates
    const groups = new Set(candidates.map(groupedLabel))
    return groups.size > 1 && !exact ? { equalLabels: [...groups] } : { option }
  })
}

/** The indices of the options if the elements are one <select> in which all values can be selected now. */
export function indicesOfOptions(elements: Element[], values: string[]): number[] | undefined {
  const [field] = elements
  if (elements.length !== 1 || !(field instanceof HTMLSelectElement)) return undefined
  if (isControlDisabled(field)) return undefined
  const indices = findOptions(field, values).map(({ option }) =>
    !option || option.disabled || option.closest('optgroup:disabled') ? -1 : option.index,
  )
  return indices.includes(-1) ? undefined : indices
}

export interface SelectState {
  readonly isDisabled: boolean
  /** The values without an option, and those with a disabled option. */
  readonly missing: string[]
  readonly disabled: string[]
  /** Of a value that several options have as their label, their labels with their groups. */
  readonly equalLabels: string[]
  readonly indices: number[]
  /** The labels of all options, quoted; disabled ones are marked. */
  readonly options: string[]
}

/** Undefined if the element is no <select>. Waits for options that are added while the page loads. */
export async function readSelectState(
  element: Element,
  { values, timeoutMs }: { values: string[]; timeoutMs: number },
): Promise<SelectState | undefined> {
  const OPTIONS_GRACE_MS = 300
  const field = element instanceof HTMLLabelElement ? element.control : element
  if (!(field instanceof HTMLSelectElement)) return undefined
  const isOptionDisabled = (option: HTMLOptionElement) =>
    option.disabled || option.closest('optgroup')?.disabled === true
  const readState = (): SelectState => {
    const matches = findOptions(field, values)
    const isDisabledOption = ({ option }: { option?: HTMLOptionElement }) =>
      option !== undefined && isOptionDisabled(option)
    return {
      isDisabled: isControlDisabled(field),
      missing: values.filter((_, index) => !matches[index]?.option),
      disabled: values.filter((_, index) => isDisabledOption(matches[index] ?? {})),
      equalLabels: matches.flatMap(({ equalLabels = [] }) => equalLabels),
      indices: matches.flatMap(({ option }) => option?.index ?? []),
      options: [...field.options]
        .slice(0, 1000)
        .map(
          (option) =>
            JSON.stringify(joinSpaces(option.label).slice(0, 80)) +
            (isOptionDisabled(option) ? ' (disabled)' : ''),
        ),
    }
  }
  const startedAt = performance.now()
  for (;;) {
    const state = readState()
    const elapsedMs = performance.now() - startedAt
    const canSelect = !state.isDisabled && state.missing.length === 0 && state.disabled.length === 0
    const isTimedOut = elapsedMs > OPTIONS_GRACE_MS && document.readyState === 'complete'
    if (canSelect || isTimedOut || elapsedMs > timeoutMs - OPTIONS_GRACE_MS) return state
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
}

// The chips in which a multi-select combobox shows its selection, each with a button that removes it.
interface Chip {
  readonly label: string
  readonly removeButton: HTMLElement
}

/** `belongsToBox` returns whether an element contains nothing but parts of the box. */
export function createSelectedChips(box: Element, belongsToBox: (node: Element) => boolean) {
  const MULTIPLE_SELECTOR = '[aria-multiselectable="true"]'
  const ANCESTOR_LIMIT = 5

  function removeButtons(): HTMLElement[] {
    // The box of Choices.js has its chips and its list within it.
    let node = box.querySelector('[role="listbox"]') ? box : box.parentElement
    for (let level = 0; node && belongsToBox(node) && level < ANCESTOR_LIMIT; level += 1) {
      const buttons = [...node.querySelectorAll<HTMLElement>(REMOVE_BUTTON_SELECTOR)]
      if (buttons.length > 0) return buttons
      node = node.parentElement
    }
    return []
  }
  const labelOf = (button: HTMLElement) =>
    /^Remove (?:item: )?(.*)/.exec(button.getAttribute('aria-label') ?? '')?.[1]?.trim() ??
    joinSpaces(button.parentElement?.innerText ?? '')
  const findAll = (): Chip[] =>
    removeButtons().map((removeButton) => ({ label: labelOf(removeButton), removeButton }))
  return {
    labels: (): string[] => findAll().map(({ label }) => label),
    /** Whether several options can be selected; `popup` shows them. */
    isMultiple: (popup: Element | undefined): boolean =>
      popup?.matches(MULTIPLE_SELECTOR) ||
      popup?.querySelector(`${MULTIPLE_SELECTOR}, [role="menuitemcheckbox"]`) != null ||
      box.closest('.ant-select-multiple') !== null ||
      removeButtons().length > 0,
    /** The first chip with another label. */
    findOther: (labels: readonly string[]): Chip | undefined =>
      findAll().find(({ label }) => !labels.includes(label)),
  }
}
