// A still screenshot and its difference to an earlier one, found as Playwright's toHaveScreenshot does.

import { checkSize, decodeBaseline, decodeImage } from './compare-images.ts'
import { comparePixels, type PixelDifference } from './compare-pixels.ts'
import type { Pixels } from './png.ts'
import { isSameFile, takeStableScreenshot, type Unstable } from './stable-screenshot.ts'
import type { ImageSize } from '../../core/evidence/image-plan.ts'
import type { Outcome } from '../../core/failure.ts'
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
  readonly difference?: PixelDifference
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
  const problem = checkSize(first.value)
  if (problem) return err(problem)
  const takeStable = () => takeStableScreenshot(first.value, capture, tolerance, deadline)
  if (!baseline) return map(await takeStable(), (last) => ('bytes' in last ? { image: last } : last))
  if (isSameFile(first.value.bytes, baseline)) {
    const { width, height } = first.value
    const comparison = { baselineSize: { width, height }, changedShare: 0, matches: true }
    return ok({ image: first.value, comparison })
  }
  const expected = await decodeBaseline(baseline, first.value, deadline)
  if (!expected.ok) return expected
  const firstResult = await compare(expected.value, first.value, tolerance, deadline)
  if (!firstResult.ok || firstResult.value.comparison?.matches) return firstResult
  const stable = await takeStable()
  if (!stable.ok) return stable
  if (!('bytes' in stable.value)) return ok(stable.value)
  return isSameFile(first.value.bytes, stable.value.bytes)
    ? firstResult
    : compare(expected.value, stable.value, tolerance, deadline)
}

// --- internal ---

async function compare(
  expected: Pixels,
  image: Image,
  tolerance: number,
  deadline: Deadline,
): Promise<Outcome<StillScreenshot>> {
  const pixels = await decodeImage(image, deadline)
  if (!pixels.ok) return pixels
  const { width, height } = expected
  const isSameSize = width === image.width && height === image.height
  const difference = await comparePixels(expected, pixels.value, deadline.signal)
  const changedShare = difference.changedCount / difference.changed.length
  const matches = isSameSize && changedShare <= tolerance
  return ok({ image, comparison: { baselineSize: { width, height }, changedShare, matches, difference } })
}
