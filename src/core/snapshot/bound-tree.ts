// Limits the depth of an accessibility tree and the length of its texts, because a page can make both arbitrarily large.

import { clip } from '../text/clip.ts'
import { chooseIconName } from './icon-name.ts'
import type { AriaNode, AriaTree } from './snapshot-lines.ts'

const TEXT_LIMIT_CHARS = 4000
const DEPTH_LIMIT = 500

/** The tree with clipped texts and the names of icons; nodes that are too deep are replaced by `…`. */
export const truncateTree = (tree: AriaTree, depth = 0): AriaTree =>
  tree.map((node) => (typeof node === 'string' ? clip(node, TEXT_LIMIT_CHARS) : truncateNode(node, depth)))

function truncateNode(node: AriaNode, depth: number): AriaNode {
  const { icon, ...named } = node
  if (icon) return truncateNode({ ...named, name: chooseIconName(icon) }, depth)
  const clippedFields: [string, string][] = []
  for (const field of ['name', 'text', 'url', 'placeholder'] as const) {
    const text = node[field]
    if (text !== undefined && text.length > TEXT_LIMIT_CHARS)
      clippedFields.push([field, clip(text, TEXT_LIMIT_CHARS)])
  }
  const { children = [] } = node
  if (children.length === 0)
    return clippedFields.length === 0 ? node : { ...node, ...Object.fromEntries(clippedFields) }
  const boundedChildren = depth < DEPTH_LIMIT ? truncateTree(children, depth + 1) : ['…']
  return { ...node, ...Object.fromEntries(clippedFields), children: boundedChildren }
}
