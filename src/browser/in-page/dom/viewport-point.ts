/** The size of the viewport in CSS pixels, and the element at a point of it as tag and id. */
export interface ViewportPoint {
  readonly width: number
  readonly height: number
  readonly element: string
}

interface Dependencies {
  hitElement(x: number, y: number): Element | null
}

interface Point {
  readonly x: number
  readonly y: number
}

export const elementAtPoint = ({ hitElement }: Dependencies, { x, y }: Point): Element | null =>
  hitElement(x, y)

export function readViewportPoint(
  { hitElement }: Dependencies,
  _: Element[],
  { x, y }: Point,
): ViewportPoint {
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
