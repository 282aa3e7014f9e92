// Lists the elements of a subtree level by level, so that the deepest ones are truncated.

import type { DomNode } from '../../../runtime/ports/page/page-content.ts'

export function listDomNodes(root: Element, maxNodes: number): { nodes: DomNode[]; truncated: boolean } {
  type MutableNode = {
    tag: string
    attributes?: Record<string, string>
    text?: string
    children?: MutableNode[]
  }
  const truncate = (text: string, limit: number) => (text.length > limit ? `${text.slice(0, limit)}…` : text)
  const CHAR_LIMIT = 500_000
  const DEPTH_LIMIT = 500
  let count = 0
  let chars = 0
  let truncated = false

  function createNode(element: Element): MutableNode {
    const attributes: Record<string, string> = {}
    for (const { name, value } of [...element.attributes].slice(0, 30))
      attributes[truncate(name, 100)] = truncate(value, 200)
    const textNodes = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)
    const text = textNodes
      .map((node) => node.textContent ?? '')
      .join(' ')
      .replace(/\s+/g, ' ')
      .trim()
    const isCode = element.localName === 'script' || element.localName === 'style'
    const node: MutableNode = { tag: truncate(element.localName, 100) }
    if (Object.keys(attributes).length > 0) node.attributes = attributes
    if (text !== '' && !isCode) node.text = truncate(text, 500)
    chars += JSON.stringify(node).length
    return node
  }

  const rootNode = createNode(root)
  count = 1
  let level: [Element, MutableNode][] = [[root, rootNode]]
  for (let depth = 1; level.length > 0 && !truncated; depth += 1) {
    const next: [Element, MutableNode][] = []
    for (const [element, node] of level) {
      for (const child of [...(element.shadowRoot?.children ?? []), ...element.children]) {
        if (count >= maxNodes || chars > CHAR_LIMIT || depth > DEPTH_LIMIT) {
          truncated = true
          break
        }
        count += 1
        const childNode = createNode(child)
        ;(node.children ??= []).push(childNode)
        next.push([child, childNode])
      }
    }
    level = next
  }
  return { nodes: [rootNode], truncated }
}
