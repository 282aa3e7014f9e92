// Screenshots and the stored state of a page, as tools get them.

import type { ElementName, Target } from '../../base/action.ts'
import type { Box, Size } from '../../base/geometry.ts'
import type { Image } from '../../base/image.ts'

/** The images of a screenshot: one, or the first parts of a tall one, if `whole` is too large to be shown. */
export interface ScreenshotImages {
  readonly images: readonly Image[]
  readonly whole?: Image
  /** How the images were scaled, split or encoded. */
  readonly notes: readonly string[]
}

/** A still screenshot as PNG. `result` is missing if there was no baseline. */
export interface ScreenshotComparison {
  readonly image: Image
  /** What the caller sees: the difference, or without a baseline the screenshot. Nothing if the baseline matches. */
  readonly preview?: ScreenshotImages
  /** The image of the difference in its full size. */
  readonly difference?: Image
  readonly result?: ComparisonResult
}

/** `changedShare` is the share of pixels that changed, from 0 to 1. `moreAreas` counts the areas that are not in `areas`. */
export interface ComparisonResult {
  readonly baselineSize: Size
  readonly changedShare: number
  readonly matches: boolean
  readonly areas: readonly AreaWithElements[]
  readonly moreAreas: number
}

/** A changed area in pixels of the image, and the elements that it belongs to. */
export interface AreaWithElements {
  readonly box: Box
  readonly elements: readonly ElementName[]
}

export interface ScreenshotOptions {
  readonly fullPage?: boolean
  readonly target?: Target
  readonly format?: 'png' | 'jpeg'
  readonly maxWidth?: number
}

/** `baseline` has the bytes of an earlier PNG; `tolerance` is the share of pixels, from 0 to 1, that may differ. */
export interface ComparisonOptions extends Omit<ScreenshotOptions, 'format'> {
  readonly baseline?: Uint8Array
  readonly tolerance: number
  /** The distance of two colors, from 0 to 1, from which on a pixel has changed; that of Playwright's toHaveScreenshot without it. */
  readonly threshold?: number
  /** Areas of the picture that may differ. */
  readonly ignored?: readonly Box[]
}

/** How a page lies in its viewport, in CSS pixels. */
export interface PageLayout {
  readonly width: number
  readonly height: number
  readonly scrollX: number
  readonly scrollY: number
  /** The outermost elements that stick out to the right of a page that can be scrolled for them. */
  readonly wide: readonly { readonly name: string; readonly selector: string; readonly right: number }[]
}
