import { hitElement, parentOf } from '../page/elements.ts'
import type { Point } from '../../../base/geometry.ts'

/** The size of the viewport in CSS pixels, and the element at a point of it as tag and id. */
export interface ViewportPoint {
  readonly width: number
  readonly height: number
  readonly element: string
}

export const elementAtPoint = ({ x, y }: Point): Element | null => hitElement(x, y)

export function readViewportPoint(_: Element[], { x, y }: Point): ViewportPoint {
  // Coordinates beyond the range of a float are an error of the page.
  const isInside = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight
  const hit = isInside ? hitElement(x, y) : null
  const id = /^[\w-]{1,40}$/.test(hit?.id ?? '') ? `#${hit?.id}` : ''
  return {
    width: innerWidth,
    height: innerHeight,
    element: hit ? `${hit.localName.slice(0, 40)}${id}` : '',
  }
}

/** The middle of an area of an image map in the viewport; undefined for other elements, and if the mouse would not reach it there. */
export function findAreaPoint([area, second]: Element[]): Point | undefined {
  if (!(area instanceof HTMLAreaElement) || second || window !== window.top) return undefined
  const name = area.closest('map')?.getAttribute('name') ?? ''
  const image = document.querySelector(`img[usemap="#${CSS.escape(name)}"]`)
  if (!image) return undefined
  image.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
  const box = image.getBoundingClientRect()
  const { borderLeftWidth, borderTopWidth, paddingLeft, paddingTop } = getComputedStyle(image)
  const coords = area.coords.split(/[\s,]+/).map(Number)
  const middleOf = (values: readonly number[]) => (Math.min(...values) + Math.max(...values)) / 2
  const isOdd = (_: number, index: number) => index % 2 === 1
  const points = area.shape === 'circle' ? coords.slice(0, 2) : coords
  const isWhole = area.shape === 'default' || points.length < 2
  const [left, top] = isWhole
    ? [box.width / 2, box.height / 2]
    : [middleOf(points.filter((value, index) => !isOdd(value, index))), middleOf(points.filter(isOdd))]
  const x = box.left + parseFloat(borderLeftWidth) + parseFloat(paddingLeft) + left
  const y = box.top + parseFloat(borderTopWidth) + parseFloat(paddingTop) + top
  const hit = document.elementFromPoint(x, y)
  return hit === area || hit === image ? { x, y } : undefined
}

/** The part of an element that its scrolling ancestors and the viewport show, relative to the element; all of it if they show none. */
export function findVisiblePart(element: Element): Pick<DOMRect, 'x' | 'y' | 'width' | 'height'> {
  const box = element.getBoundingClientRect()
  let [left, top, right, bottom] = [
    Math.max(box.left, 0),
    Math.max(box.top, 0),
    Math.min(box.right, innerWidth),
    Math.min(box.bottom, innerHeight),
  ]
  for (
    let parent = parentOf(element);
    parent && parent !== document.documentElement;
    parent = parentOf(parent)
  ) {
    const { overflowX, overflowY } = getComputedStyle(parent)
    const area = parent.getBoundingClientRect()
    if (overflowX !== 'visible') [left, right] = [Math.max(left, area.left), Math.min(right, area.right)]
    if (overflowY !== 'visible') [top, bottom] = [Math.max(top, area.top), Math.min(bottom, area.bottom)]
  }
  if (right <= left || bottom <= top) return { x: 0, y: 0, width: box.width, height: box.height }
  return { x: left - box.left, y: top - box.top, width: right - left, height: bottom - top }
}
