// The boxes of elements in an accessibility tree, in CSS pixels of the viewport of the page.

import type { AriaNode, AriaTree, Box } from './snapshot-lines.ts'

/** Where the document of a frame begins in its parent, in CSS pixels, and how much larger it is shown there. */
export interface FrameOrigin {
  readonly x: number
  readonly y: number
  readonly scaleX: number
  readonly scaleY: number
}

/** The tree of a frame with boxes in the viewport of its parent. */
export const placeFrame = (tree: AriaTree, frame: FrameOrigin): AriaTree =>
  mapNodes(tree, ({ box, ...node }) => (box ? { ...node, box: placeBox(box, frame) } : node))

/** A box of a frame in the viewport of its parent. */
export const placeBox = (box: Box, { x, y, scaleX, scaleY }: FrameOrigin): Box => ({
  x: Math.round(x + box.x * scaleX),
  y: Math.round(y + box.y * scaleY),
  width: Math.round(box.width * scaleX),
  height: Math.round(box.height * scaleY),
})

/** The tree with the content of its frames placed at their boxes; borders of frames are not known here. */
export const placeFrames = (tree: AriaTree): AriaTree =>
  tree.map((node) => {
    if (typeof node === 'string' || !node.children) return node
    const children = placeFrames(node.children)
    const isPlaced = node.role === 'iframe' && node.box
    return { ...node, children: isPlaced ? placeFrame(children, { ...isPlaced, ...UNSCALED }) : children }
  })

export const omitBoxes = (tree: AriaTree): AriaTree => mapNodes(tree, ({ box: _, ...node }) => node)

// --- internal ---

const UNSCALED = { scaleX: 1, scaleY: 1 }

const mapNodes = (tree: AriaTree, change: (node: AriaNode) => AriaNode): AriaTree =>
  tree.map((node) => {
    if (typeof node === 'string') return node
    const { children } = node
    return change(children ? { ...node, children: mapNodes(children, change) } : node)
  })
