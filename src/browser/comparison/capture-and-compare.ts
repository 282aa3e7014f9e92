// A still screenshot and its difference to an earlier one.

import { comparePictures, type PictureDifference } from './picture-difference.ts'
import { isSameFile, takeStableScreenshot, type Unstable } from './stable-screenshot.ts'
import type { ImageSize } from '../../core/evidence/image-plan.ts'
import { readImageSize } from '../../core/evidence/image-size.ts'
import { invalidParameter, type Failure, type Outcome } from '../../core/failure.ts'
import { err, map, ok } from '../../core/result.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { Image } from '../../runtime/ports/page/screenshots.ts'

/** `comparison` is missing without a baseline. */
export interface StillScreenshot {
  readonly image: Image
  readonly comparison?: Comparison
}

/** `changedShare` is the share of pixels that changed, from 0 to 1. An image that is the same file has no `difference`. */
interface Comparison {
  readonly baselineSize: ImageSize
  readonly changedShare: number
  readonly matches: boolean
  readonly difference?: PictureDifference
}

/** The first screenshot if it matches the baseline, otherwise one that the next one agrees with. */
export async function captureAndCompare(
  capture: () => Promise<Outcome<Image>>,
  baseline: Uint8Array | undefined,
  tolerance: number,
  deadline: Deadline,
): Promise<Outcome<StillScreenshot | Unstable>> {
  const first = await capture()
  if (!first.ok) return first
  const problem = findSizeProblem(first.value)
  if (problem) return err(problem)
  const takeStable = () => takeStableScreenshot(first.value, capture, tolerance, deadline)
  if (!baseline) return map(await takeStable(), (last) => ('bytes' in last ? { image: last } : last))
  if (isSameFile(first.value.bytes, baseline)) {
    const { width, height } = first.value
    const comparison = { baselineSize: { width, height }, changedShare: 0, matches: true }
    return ok({ image: first.value, comparison })
  }
  const firstResult = await compare(baseline, first.value, tolerance, deadline)
  if (!firstResult.ok || firstResult.value.comparison?.matches) return firstResult
  const stable = await takeStable()
  if (!stable.ok) return stable
  if (!('bytes' in stable.value)) return ok(stable.value)
  return isSameFile(first.value.bytes, stable.value.bytes)
    ? firstResult
    : compare(baseline, stable.value, tolerance, deadline)
}

// --- internal ---

/** A comparison holds four copies of an image in memory, of four bytes for each pixel. */
const COMPARISON_LIMIT_MEGAPIXELS = 25
const COMPARISON_LIMIT_PIXELS = COMPARISON_LIMIT_MEGAPIXELS * 1_000_000
const BASELINE_FORM = `a PNG that has with the screenshot at most ${COMPARISON_LIMIT_MEGAPIXELS} million pixels`

const findSizeProblem = ({ width, height }: ImageSize): Failure | undefined =>
  width * height > COMPARISON_LIMIT_PIXELS
    ? {
        code: 'RESOURCE_EXHAUSTED',
        resource: 'image',
        text: `the screenshot has ${width} × ${height} pixels, and at most ${COMPARISON_LIMIT_MEGAPIXELS} million are compared`,
        next: 'Compare the viewport or one element.',
      }
    : undefined

async function compare(
  baseline: Uint8Array,
  image: Image,
  tolerance: number,
  deadline: Deadline,
): Promise<Outcome<StillScreenshot>> {
  const problem = findSizeProblem(image)
  if (problem) return err(problem)
  const baselineSize = readImageSize(baseline)
  // A picture with room for both is needed.
  const pixelCount = Math.max(baselineSize.width, image.width) * Math.max(baselineSize.height, image.height)
  if (pixelCount > COMPARISON_LIMIT_PIXELS)
    return err(
      invalidParameter('baseline', BASELINE_FORM, `${baselineSize.width} × ${baselineSize.height} pixels`),
    )
  const pair = { before: baseline, after: image.bytes, tolerance }
  const result =
    baselineSize.width > 0 ? await comparePictures(pair, deadline.remaining()) : err('before' as const)
  if (!result.ok)
    return err(
      result.error === 'before'
        ? invalidParameter('baseline', BASELINE_FORM, 'a file that is none')
        : { code: 'TIMEOUT', waitedFor: 'the screenshots to be compared', waited: deadline.timeout },
    )
  const { changedShare, matches } = result.value
  return ok({ image, comparison: { baselineSize, changedShare, matches, difference: result.value } })
}
