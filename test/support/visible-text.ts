// What a person can read of a page without a click.

/** Runs in the page. The text that is seen by scrolling, a block a line: drawn, with an area, and not cut off by what is around it. */
export function readVisibleText(): string {
  const isSeen = (text: Node): boolean => {
    const parent = text.parentElement
    if (
      !parent?.checkVisibility({
        opacityProperty: true,
        visibilityProperty: true,
        contentVisibilityAuto: true,
      })
    )
      return false
    const range = document.createRange()
    range.selectNodeContents(text)
    const box = range.getBoundingClientRect()
    const isWithin = ({ left, right, top, bottom }: DOMRect) =>
      box.left >= left - 1 && box.right <= right + 1 && box.top >= top - 1 && box.bottom <= bottom + 1
    for (let around: Element | null = parent; around; around = around.parentElement)
      if (getComputedStyle(around).overflow !== 'visible' && !isWithin(around.getBoundingClientRect()))
        return false
    return box.width > 0 && box.height > 0 && isWithin(document.documentElement.getBoundingClientRect())
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const blocks = new Map<Element | null, string>()
  while (walker.nextNode()) {
    const text = walker.currentNode
    const block = text.parentElement?.closest('pre, li, p, h1, h2, h3, dd, dt') ?? text.parentElement
    if (isSeen(text)) blocks.set(block, `${blocks.get(block) ?? ''} ${text.textContent}`)
  }
  return [...blocks.values()].join('\n')
}

/** Runs in the page: what a person does who wants to read all of it. */
export function unfoldAll(): void {
  for (const part of document.querySelectorAll('details')) part.open = true
}
