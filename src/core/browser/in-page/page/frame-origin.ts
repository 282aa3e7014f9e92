import { shownParentOf } from './elements.ts'
import type { FrameOrigin } from '../../../snapshot/element-boxes.ts'
import type { Point } from '../../../base/geometry.ts'

/** Where the document of a frame element is in the viewport, inside of its border and padding, with the zoom and the transforms around it. */
export function readFrameOrigin(element: Node): FrameOrigin {
  const frame = element as HTMLElement & { readonly currentCSSZoom?: number }
  const zoom = frame.currentCSSZoom ?? 1
  let matrix = new DOMMatrix([zoom, 0, 0, zoom, 0, 0])
  for (let node: Element | null = frame; node; node = shownParentOf(node)) {
    const { transform, rotate, scale } = getComputedStyle(node)
    const own = new DOMMatrix(transform === 'none' ? '' : transform)
    const factors = scale && scale !== 'none' ? scale.split(' ').map(Number) : [1]
    const before = new DOMMatrix(rotate && /^-?[\d.e-]+deg$/.test(rotate) ? `rotate(${rotate})` : '')
    matrix = before
      .scale(factors[0], factors[1] ?? factors[0])
      .multiply(own)
      .multiply(matrix)
  }
  const { a, b, c, d } = matrix
  const { x, y, width, height } = frame.getBoundingClientRect()
  const { paddingLeft, paddingTop } = getComputedStyle(frame)
  // The middle of the box that the browser tells is that of the element, however it is turned.
  const left = frame.clientLeft + parseFloat(paddingLeft) - frame.offsetWidth / 2
  const top = frame.clientTop + parseFloat(paddingTop) - frame.offsetHeight / 2
  return { a, b, c, d, x: x + width / 2 + a * left + c * top, y: y + height / 2 + b * left + d * top }
}

/** The same, with arguments as those of Playwright's utility world. */
export const readOriginOfFrame = ([, element]: [unknown, Element, unknown]): FrameOrigin =>
  readFrameOrigin(element)

type Quad = Point[]

/** The corners of the parts of an element that are in the viewport of its frame. Arguments as those of Playwright's utility world. */
export function readShownQuads([, element]: [unknown, Element, unknown]): Quad[] {
  const rects = [...element.getClientRects()].map((rect) => {
    const [left, top] = [Math.max(rect.left, 0), Math.max(rect.top, 0)]
    const [right, bottom] = [Math.min(rect.right, innerWidth), Math.min(rect.bottom, innerHeight)]
    return { left, top, right, bottom }
  })
  const visibleRects = rects.filter(({ left, top, right, bottom }) => right > left && bottom > top)
  return visibleRects.map(({ left, top, right, bottom }) => [
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y: bottom },
    { x: left, y: bottom },
  ])
}

/** The corners of its border box. */
export function readBorderQuad([, element]: [unknown, Element, unknown]): Quad {
  const { left, top, right, bottom } = element.getBoundingClientRect()
  return [
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y: bottom },
    { x: left, y: bottom },
  ]
}
