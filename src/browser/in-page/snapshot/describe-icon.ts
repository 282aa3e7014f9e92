import type { IconDescription } from '../../../core/snapshot/icon-name.ts'

/** What may name an element without a text: its own attributes, and those of the icon in it. */
export function describeIcon(element: Element, testIdAttribute: string): IconDescription {
  const LIMIT_CHARS = 200
  const nodes = [element, ...element.querySelectorAll('*')].slice(0, 8)
  const read = (...names: string[]): string => {
    for (const node of nodes)
      for (const name of names) {
        const value = node.getAttribute(name)?.trim()
        if (value) return value.slice(0, LIMIT_CHARS)
      }
    return ''
  }
  // A symbol of a sprite
  const readSymbol = () => /#(.+)$/.exec(read('href', 'xlink:href'))?.[1] ?? ''
  const readSource = () => {
    const background = /url\("?([^")]*)/.exec(getComputedStyle(element).backgroundImage)?.[1] ?? ''
    const source = read('src') || background
    return source.startsWith('data:') ? '' : source.slice(0, LIMIT_CHARS)
  }
  const title = element.querySelector('title')?.textContent?.trim() ?? ''
  return {
    label: (read('aria-label', 'title', 'alt') || title).slice(0, LIMIT_CHARS),
    icon: read('data-icon', 'data-lucide', 'icon', 'data-action') || readSymbol(),
    classes: nodes.map((node) => (node.getAttribute('class') ?? '').trim().slice(0, LIMIT_CHARS)),
    id: read(testIdAttribute, 'data-testid', 'data-test', 'name', 'id'),
    source: readSource(),
    tag: element.localName,
  }
}
