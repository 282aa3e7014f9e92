// The elements of a subtree, level by level, so that what is cut is what lies deepest.

import type { DomNode } from '../../../runtime/ports/page.ts'

export function listDomNodes(root: Element, maxNodes: number): { nodes: DomNode[]; truncated: boolean } {
  type Open = { tag: string; attributes?: Record<string, string>; text?: string; children?: Open[] }
  const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most)}…` : text)
  let count = 0
  let chars = 0
  let truncated = false

  function shallow(element: Element): Open {
    const attributes: Record<string, string> = {}
    for (const { name, value } of [...element.attributes].slice(0, 30))
      attributes[cut(name, 100)] = cut(value, 200)
    const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)
    const text = own
      .map((node) => node.textContent ?? '')
      .join(' ')
      .replace(/\s+/g, ' ')
      .trim()
    const silent = element.localName === 'script' || element.localName === 'style'
    const node: Open = { tag: cut(element.localName, 100) }
    if (Object.keys(attributes).length > 0) node.attributes = attributes
    if (text !== '' && !silent) node.text = cut(text, 500)
    chars += JSON.stringify(node).length
    return node
  }

  const top = shallow(root)
  count = 1
  let level: [Element, Open][] = [[root, top]]
  for (let depth = 1; level.length > 0 && !truncated; depth += 1) {
    const next: [Element, Open][] = []
    for (const [element, node] of level) {
      for (const child of [...(element.shadowRoot?.children ?? []), ...element.children]) {
        if (count >= maxNodes || chars > 500_000 || depth > 500) {
          truncated = true
          break
        }
        count += 1
        const shown = shallow(child)
        ;(node.children ??= []).push(shown)
        next.push([child, shown])
      }
    }
    level = next
  }
  return { nodes: [top], truncated }
}
