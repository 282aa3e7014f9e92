// Places and sizes, in CSS pixels of the viewport or in pixels of an image.

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Box extends Point, Size {}
