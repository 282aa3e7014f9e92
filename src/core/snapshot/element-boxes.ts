// The boxes of elements in an accessibility tree, in CSS pixels of the viewport of the page.

import type { Box, Point } from '../base/geometry.ts'
import type { AriaNode, AriaTree } from '../sessions/types/snapshot.ts'

/** Where a point of the document of a frame is in the viewport of its parent: (x + a·left + c·top, y + b·left + d·top), in CSS pixels. */
export interface FrameOrigin extends Point {
  readonly a: number
  readonly b: number
  readonly c: number
  readonly d: number
}

/** A point of a frame in the viewport of its parent. */
export const placePoint = (point: Point, { a, b, c, d, x, y }: FrameOrigin): Point => ({
  x: x + a * point.x + c * point.y,
  y: y + b * point.x + d * point.y,
})

/** A point of the viewport of its parent in a frame. */
export function findFramePoint(point: Point, { a, b, c, d, x, y }: FrameOrigin): Point {
  const determinant = a * d - b * c || 1
  const [left, top] = [point.x - x, point.y - y]
  return { x: (d * left - c * top) / determinant, y: (a * top - b * left) / determinant }
}

/** The tree of a frame with boxes in the viewport of its parent. */
export const placeFrame = (tree: AriaTree, frame: FrameOrigin): AriaTree =>
  mapNodes(tree, ({ box, ...node }) => (box ? { ...node, box: placeBox(box, frame) } : node))

/** What a box of a frame takes in the viewport of its parent. */
export function placeBox({ x, y, width, height }: Box, frame: FrameOrigin): Box {
  const corners = [x, x + width].flatMap((left) =>
    [y, y + height].map((top) => placePoint({ x: left, y: top }, frame)),
  )
  const left = Math.min(...corners.map((corner) => corner.x))
  const top = Math.min(...corners.map((corner) => corner.y))
  const right = Math.max(...corners.map((corner) => corner.x))
  const bottom = Math.max(...corners.map((corner) => corner.y))
  return {
    x: Math.round(left),
    y: Math.round(top),
    width: Math.round(right - left),
    height: Math.round(bottom - top),
  }
}

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

const UNSCALED = { a: 1, b: 0, c: 0, d: 1 }

const mapNodes = (tree: AriaTree, change: (node: AriaNode) => AriaNode): AriaTree =>
  tree.map((node) => {
    if (typeof node === 'string') return node
    const { children } = node
    return change(children ? { ...node, children: mapNodes(children, change) } : node)
  })
