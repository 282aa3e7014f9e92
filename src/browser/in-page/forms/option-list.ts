// The options of a custom list.

export interface OptionList {
  /** Waits for options, and scrolls through the `whole` of a long list if normalized. */
  find(value: string, ms: number, whole: boolean): Promise<HTMLElement | undefined>
  /** A selected one that is none of these, anywhere in the list. */
  findOther(labels: readonly string[], ms: number): Promise<HTMLElement | undefined>
  labelOf(option: HTMLElement): string
  isDisabled(option: Element): boolean
  isSelected(option: Element): boolean
  /** The labels of the options that the last search met, quoted, with those that are disabled marked. */
  foundLabels(): ReadonlyMap<string, string>
}

/** `popup` is the part of the page that shows the options, as long as there is one. */
export function createOptionList(popup: () => Element | undefined): OptionList {
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
      [...(popup()?.querySelectorAll<HTMLElement>(selector) ?? [])].filter(isVisible)
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

  // A label first, then the first line of one, then a value.
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

  // What has to be scrolled for the other options of a long list.
  function findScrollContainer(): Element | undefined {
    const first = options()[0]
    for (let node = first?.parentElement ?? null; node; node = node.parentElement) {
      const style = getComputedStyle(node).overflowY
      if (style !== 'visible' && node.scrollHeight > node.clientHeight + 1) return node
      if (node === popup() || node === document.body) return undefined
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

  // Options may come a moment after the list.
  async function waitForOptions(since: number, ms: number): Promise<void> {
    const EMPTY_TIMEOUT_MS = 400
    const isLoading = () =>
      /loading|…|\.\.\./i.test(popup()?.textContent ?? '') || popup()?.closest('[aria-busy="true"]')
    const isLate = () => performance.now() - since > (isLoading() ? ms : Math.min(ms, EMPTY_TIMEOUT_MS))
    while (options().length === 0 && !isLate()) await waitTwoFrames()
  }

  // Scrolls on and waits until other options are drawn: a task of the page for most, frames for the rest.
  async function scrollTo(list: Element, to: number): Promise<void> {
    const currentLabels = () => options().map(labelOf).join('\n')
    const before = currentLabels()
    list.scrollTop = to
    list.dispatchEvent(new Event('scroll'))
    for (let task = 0; task < 4; task += 1) {
      await new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = resolve
        port2.postMessage(0)
      })
      if (currentLabels() !== before) return
    }
    await waitTwoFrames()
  }

  async function find(value: string, ms: number, whole: boolean): Promise<HTMLElement | undefined> {
    labels.clear()
    const since = performance.now()
    await waitForOptions(since, ms)
    return search(() => findMatch(value), since + ms, whole)
  }

  async function search(
    findCandidate: () => HTMLElement | undefined,
    end: number,
    whole: boolean,
  ): Promise<HTMLElement | undefined> {
    recordLabels()
    const first = findCandidate()
    const list = first || !whole ? undefined : findScrollContainer()
    if (!list) return first
    await scrollTo(list, 0)
    for (let at = -1; at !== list.scrollTop && performance.now() < end;) {
      recordLabels()
      const one = findCandidate()
      if (one) return one
      at = list.scrollTop
      await scrollTo(list, at + Math.max(20, list.clientHeight * 0.9))
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
  return { find, findOther, labelOf, isDisabled, isSelected, foundLabels: () => labels }
}
