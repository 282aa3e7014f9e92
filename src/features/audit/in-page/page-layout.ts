// What is wider than the page, and where it is scrolled to.

/** How a page lies in its viewport, in CSS pixels. */
export interface PageLayout {
  readonly width: number
  readonly height: number
  readonly scrollX: number
  readonly scrollY: number
  /** The outermost elements that stick out to the right of a page that can be scrolled for them. */
  readonly wide: readonly { readonly name: string; readonly selector: string; readonly right: number }[]
}

export function readLayout(root: Element): PageLayout {
  const limit = 5
  const view = root.ownerDocument.defaultView
  const page = root.ownerDocument.scrollingElement ?? root
  const width = root.clientWidth
  const isWide = (element: Element) => {
    const { right, height } = element.getBoundingClientRect()
    return height > 0 && right + page.scrollLeft > width + 1
  }
  const isCut = (element: Element) => {
    for (let parent = element.parentElement; parent && parent !== root; parent = parent.parentElement)
      if (view?.getComputedStyle(parent).overflowX !== 'visible' && !isWide(parent)) return true
    return view?.getComputedStyle(element).position === 'fixed'
  }
  const selectorOf = (element: Element): string => {
    const steps = []
    for (let one: Element | null = element; one && one !== root; one = one.parentElement)
      steps.unshift(`:nth-child(${[...(one.parentElement?.children ?? [])].indexOf(one) + 1})`)
    return `css=:root > ${steps.join(' > ')}`
  }
  const nameOf = (element: Element): string => {
    const label =
      element.id !== ''
        ? `#${element.id}`
        : [...element.classList]
            .slice(0, 2)
            .map((name) => `.${name}`)
            .join('')
    return `<${element.localName}${label}>`
  }
  const candidates =
    page.scrollWidth > width + 1 && root.ownerDocument.body
      ? [...root.ownerDocument.body.querySelectorAll('*')].filter(
          (element) =>
            isWide(element) &&
            !(
              element.parentElement &&
              element.parentElement !== root.ownerDocument.body &&
              isWide(element.parentElement)
            ) &&
            !isCut(element),
        )
      : []
  return {
    width,
    height: view?.innerHeight ?? 0,
    scrollX: page.scrollLeft,
    scrollY: page.scrollTop,
    wide: candidates.slice(0, limit).map((element) => ({
      name: nameOf(element),
      selector: selectorOf(element),
      right: Math.round(element.getBoundingClientRect().right + page.scrollLeft),
    })),
  }
}
