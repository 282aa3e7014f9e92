import type { FrameOrigin } from '../../../core/snapshot/element-boxes.ts'

/** Where the document of a frame element begins in the viewport, inside of its border and padding. */
export function readFrameOrigin(element: Node): FrameOrigin {
  const frame = element as HTMLElement
  const { x, y, width, height } = frame.getBoundingClientRect()
  const { paddingLeft, paddingTop } = getComputedStyle(frame)
  const scaleX = width / frame.offsetWidth || 1
  const scaleY = height / frame.offsetHeight || 1
  return {
    x: x + (frame.clientLeft + parseFloat(paddingLeft)) * scaleX,
    y: y + (frame.clientTop + parseFloat(paddingTop)) * scaleY,
    scaleX,
    scaleY,
  }
}
