/** A rectangle in CSS pixels of the viewport, or in pixels of an image. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}
