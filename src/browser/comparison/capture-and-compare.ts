// A still screenshot and its difference to an earlier one, found as Playwright's toHaveScreenshot does.

import { comparePixels, type PixelDifference } from './compare-pixels.ts'
import { decodePng, type Pixels } from './png.ts'
import {
  captureDecoded,
  COMPARISON_LIMIT_PIXELS,
  takeStableScreenshot,
  type DecodedImage,
  type Unstable,
} from './stable-screenshot.ts'
import type { ImageSize } from '../../core/evidence/image-plan.ts'
import { readImageSize } from '../../core/evidence/image-size.ts'
import { invalidParameter, type Failure, type Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { Image } from '../../runtime/ports/screenshots.ts'

export interface ComparedScreenshot {
  readonly image: Image
  readonly baselineSize: ImageSize
  readonly difference: PixelDifference
  readonly matches: boolean
}

/** The first screenshot if it matches the baseline, otherwise one that the next one agrees with. Without a baseline only the image. */
export async function captureAndCompare(
  capture: () => Promise<Outcome<Image>>,
  baseline: Uint8Array | undefined,
  tolerance: number,
  deadline: Deadline,
): Promise<Outcome<ComparedScreenshot | Pick<DecodedImage, 'image'> | Unstable>> {
  if (!baseline) return takeStableScreenshot(capture, tolerance, deadline)
  const expected = await decodeBaseline(baseline, deadline)
  if (!expected.ok) return expected
  const first = await captureDecoded(capture, deadline)
  if (!first.ok) return first
  const compared = await compare(expected.value, first.value, tolerance, deadline)
  if (compared.ok && compared.value.matches) return compared
  const stable = await takeStableScreenshot(capture, tolerance, deadline)
  if (!stable.ok || 'last' in stable.value) return stable
  return compare(expected.value, stable.value, tolerance, deadline)
}

/** The share of pixels that changed, from 0 to 1. */
export const changedShareOf = ({ changedCount, changed }: PixelDifference): number =>
  changedCount / changed.length

// --- internal ---

async function compare(
  expected: Pixels,
  { image, pixels }: DecodedImage,
  tolerance: number,
  { signal }: Deadline,
): Promise<Outcome<ComparedScreenshot>> {
  const { width, height } = expected
  const pixelCount = Math.max(width, pixels.width) * Math.max(height, pixels.height)
  if (pixelCount > COMPARISON_LIMIT_PIXELS) return err(invalidBaseline(expected))
  const isSameSize = width === pixels.width && height === pixels.height
  const difference = await comparePixels(expected, pixels, signal)
  const matches = isSameSize && changedShareOf(difference) <= tolerance
  return ok({ image, baselineSize: { width, height }, difference, matches })
}

async function decodeBaseline(bytes: Uint8Array, deadline: Deadline): Promise<Outcome<Pixels>> {
  const size = readImageSize(bytes)
  if (size.width * size.height > COMPARISON_LIMIT_PIXELS) return err(invalidBaseline(size))
  const pixels = size.width > 0 ? await decodePng(bytes, deadline.remaining()) : undefined
  return pixels ? ok(pixels) : err(invalidParameter('baseline', BASELINE_FORM, 'a file that is none'))
}

const BASELINE_FORM = `a PNG that has with the screenshot at most ${COMPARISON_LIMIT_PIXELS / 1_000_000} million pixels`

const invalidBaseline = ({ width, height }: ImageSize): Failure =>
  invalidParameter('baseline', BASELINE_FORM, `${width} × ${height} pixels`)
