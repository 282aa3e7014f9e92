// A page can nest its elements, and fill their names, without end.

import { clip } from '../text/clip.ts'
import type { Node, Tree } from './snapshot-lines.ts'

const TEXT_LENGTH = 4000
const DEPTH = 500

/** The tree with its texts cut; what lies too deep is `…`. */
export const boundTree = (tree: Tree, depth = 0): Tree =>
  tree.map((node) => (typeof node === 'string' ? clip(node, TEXT_LENGTH) : boundNode(node, depth)))

function boundNode(node: Node, depth: number): Node {
  const cut: [string, string][] = []
  for (const field of ['name', 'text', 'url', 'placeholder'] as const) {
    const text = node[field]
    if (text !== undefined && text.length > TEXT_LENGTH) cut.push([field, clip(text, TEXT_LENGTH)])
  }
  const { children = [] } = node
  if (children.length === 0) return cut.length === 0 ? node : { ...node, ...Object.fromEntries(cut) }
  const inner = depth < DEPTH ? boundTree(children, depth + 1) : ['…']
  return { ...node, ...Object.fromEntries(cut), children: inner }
}
