// Screenshots of a page, as tools get them.

import type { Target } from '../../base/action.ts'
import type { Image } from '../../base/image.ts'

/** The images of a screenshot: one, or the first parts of a tall one, if `whole` is too large to be shown. */
export interface ScreenshotImages {
  readonly images: readonly Image[]
  readonly whole?: Image
  /** How the images were scaled, split or encoded. */
  readonly notes: readonly string[]
}

export interface ScreenshotOptions {
  readonly fullPage?: boolean
  readonly target?: Target
  readonly format?: 'png' | 'jpeg'
  readonly maxWidth?: number
}
