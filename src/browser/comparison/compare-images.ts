// Two PNG images as pixels, and their difference.

import { comparePixels, type PixelDifference } from './compare-pixels.ts'
import { decodePng, type Pixels } from './png.ts'
import type { ImageSize } from '../../core/evidence/image-plan.ts'
import { readImageSize } from '../../core/evidence/image-size.ts'
import { invalidParameter, type Failure, type Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { Image } from '../../runtime/ports/page/screenshots.ts'

/** The pixels of a screenshot. Fails with RESOURCE_EXHAUSTED if it has too many. */
export async function decodeImage(image: Image, deadline: Deadline): Promise<Outcome<Pixels>> {
  const problem = checkSize(image)
  if (problem) return err(problem)
  const pixels = await decodePng(image.bytes, deadline.remaining())
  return pixels ? ok(pixels) : err(notDecoded(deadline))
}

/** The difference of two screenshots of the same size. */
export async function compareImages(
  before: Image,
  after: Image,
  deadline: Deadline,
): Promise<Outcome<PixelDifference>> {
  const [first, second] = await Promise.all([decodeImage(before, deadline), decodeImage(after, deadline)])
  if (!first.ok) return first
  return second.ok ? ok(await comparePixels(first.value, second.value, deadline.signal)) : second
}

/** The pixels of a file that an agent names, to be compared with an image of this size. Fails with INVALID_PARAMETERS. */
export async function decodeBaseline(
  bytes: Uint8Array,
  image: ImageSize,
  deadline: Deadline,
): Promise<Outcome<Pixels>> {
  const size = readImageSize(bytes)
  // An image with room for both is needed.
  const pixelCount = Math.max(size.width, image.width) * Math.max(size.height, image.height)
  if (pixelCount > COMPARISON_LIMIT_PIXELS)
    return err(invalidParameter('baseline', BASELINE_FORM, `${size.width} × ${size.height} pixels`))
  const pixels = size.width > 0 ? await decodePng(bytes, deadline.remaining()) : undefined
  return pixels ? ok(pixels) : err(invalidParameter('baseline', BASELINE_FORM, 'a file that is none'))
}

/** The failure of a screenshot with too many pixels to be compared. */
export const checkSize = ({ width, height }: ImageSize): Failure | undefined =>
  width * height > COMPARISON_LIMIT_PIXELS
    ? {
        code: 'RESOURCE_EXHAUSTED',
        resource: 'image',
        text: `the screenshot has ${width} × ${height} pixels, and at most ${COMPARISON_LIMIT_MEGAPIXELS} million are compared`,
        next: 'Compare the viewport or one element.',
      }
    : undefined

// --- internal ---

/** A comparison holds four copies of an image in memory, of four bytes for each pixel. */
const COMPARISON_LIMIT_MEGAPIXELS = 25
const COMPARISON_LIMIT_PIXELS = COMPARISON_LIMIT_MEGAPIXELS * 1_000_000
const BASELINE_FORM = `a PNG that has with the screenshot at most ${COMPARISON_LIMIT_MEGAPIXELS} million pixels`

const notDecoded = (deadline: Deadline): Failure => ({
  code: 'TIMEOUT',
  waitedFor: 'the screenshot to be decoded',
  waited: deadline.timeout,
})
