// The options of a custom list.

export interface OptionList {
  /** Waits for options; with `isWholeList` it scrolls through a long list. */
  find(value: string, ms: number, isWholeList: boolean): Promise<HTMLElement | undefined>
  /** A selected option with another label, anywhere in the list. */
  findOther(labels: readonly string[], ms: number): Promise<HTMLElement | undefined>
  labelOf(option: HTMLElement): string
  isDisabled(option: Element): boolean
  isSelected(option: Element): boolean
  /** The labels of the options that the last search went through, quoted; disabled ones are marked. */
  searchedLabels(): ReadonlyMap<string, string>
}

/** `findPopup` returns the element that shows the options, if the list is open. */
export function createOptionList(findPopup: () => Element | undefined): OptionList {
  const normalize = (text: string) => text.replace(/\s+/g, ' ').trim()
  const waitTwoFrames = () =>
    new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  const labels = new Map<string, string>()

  function isVisible(node: Element): boolean {
    const { width, height } = node.getBoundingClientRect()
    return width > 0 && height > 0 && getComputedStyle(node).visibility === 'visible'
  }

  // Ant Design has the roles on a list of no size, and the visible options beside it, some with states and some without.
  function options(): HTMLElement[] {
    const all = (selector: string) =>
      [...(findPopup()?.querySelectorAll<HTMLElement>(selector) ?? [])].filter(isVisible)
    const byRole = all('[role="option"]')
    if (byRole.length > 0) return byRole
    const others = all('[aria-selected], [aria-disabled], .ant-select-item-option')
    return others.filter((one) => !others.some((other) => other !== one && other.contains(one)))
  }

  const labelOf = (option: HTMLElement) =>
    normalize(option.innerText) || option.getAttribute('aria-label') || option.title || ''
  const isDisabled = (option: Element) =>
    option.matches('[aria-disabled="true"], [data-disabled]:not([data-disabled="false"]), :disabled') ||
    /(^|[-_\s])(is-)?disabled($|\s)/i.test(option.getAttribute('class') ?? '')

  // Matches labels first, then the first lines of labels, then values.
  function findMatch(value: string): HTMLElement | undefined {
    const all = options()
    const normalized = normalize(value)
    return (
      all.find((one) => labelOf(one) === normalized || one.getAttribute('aria-label') === normalized) ??
      all.find(
        (one) => normalize(one.innerText.trim().split('\n')[0] ?? '') === normalized && normalized !== '',
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

  const findOther = (labels: readonly string[], ms: number) =>
    search(
      () => options().find((one) => isSelected(one) && !isDisabled(one) && !labels.includes(labelOf(one))),
      performance.now() + ms,
      true,
    )

  const isSelected = (option: Element) =>
    option.matches('[aria-selected="true"], [aria-checked="true"], .ant-select-item-option-selected')
  return { find, findOther, labelOf, isDisabled, isSelected, searchedLabels: () => labels }
}
