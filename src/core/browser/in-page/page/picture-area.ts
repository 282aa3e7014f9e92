// What a picture of an element shows, or of the page if it is the element of the document.

import type { ElementMatches } from './element-arguments.ts'
import type { Box } from '../../../base/geometry.ts'

/** In CSS pixels of the document. */
export interface PictureArea extends Box {
  /** Pixels of the screen for each. */
  readonly scale: number
}

export function readArea({ elements: [element] }: ElementMatches): PictureArea | undefined {
  // In a frame the document is not that of the picture.
  if (!element || parent !== window) return undefined
  const scale = devicePixelRatio
  if (element === document.documentElement) {
    const { scrollWidth, scrollHeight } = element
    const height = Math.max(scrollHeight, document.body?.scrollHeight ?? 0)
    return { x: 0, y: 0, width: Math.max(scrollWidth, document.body?.scrollWidth ?? 0), height, scale }
  }
  const { x, y, width, height } = element.getBoundingClientRect()
  return { x: x + scrollX, y: y + scrollY, width, height, scale }
}
