// Screenshots of a page that is still being painted differ, so one counts only when the next is equal.

import { comparePixels, type PixelDifference } from './compare-pixels.ts'
import { decodePng, type Pixels } from './png.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { Image } from '../../runtime/ports/screenshots.ts'

export interface DecodedImage {
  readonly image: Image
  readonly pixels: Pixels
}

/** A page that keeps changing; `last` is the difference of the last two screenshots, if they had the same size. */
export interface Unstable {
  readonly last: PixelDifference | undefined
}

/** Takes screenshots until the share of pixels that differ between two in a row is at most `tolerance`. */
export async function takeStableScreenshot(
  capture: () => Promise<Outcome<Image>>,
  tolerance: number,
  deadline: Deadline,
): Promise<Outcome<DecodedImage | Unstable>> {
  const limit = Math.max(deadline.timeout - STABLE_TIMEOUT_MS, deadline.timeout * REPORT_TIME_SHARE)
  let previous = await captureDecoded(capture, deadline)
  for (let attemptCount = 0; ; attemptCount += 1) {
    await waitFor(PAUSES_MS[attemptCount] ?? LAST_PAUSE_MS, deadline.signal)
    if (!previous.ok) return previous
    const current = await captureDecoded(capture, deadline)
    if (!current.ok) return current
    if (isSameFile(previous.value.image, current.value.image)) return current
    const last = await compareEqualSizes(previous.value.pixels, current.value.pixels, deadline.signal)
    if (last && last.changedCount <= tolerance * last.changed.length) return current
    if (deadline.remaining() < limit) return ok({ last })
    previous = current
  }
}

/** The image with its pixels. Fails with RESOURCE_EXHAUSTED if there are too many. */
export async function captureDecoded(
  capture: () => Promise<Outcome<Image>>,
  deadline: Deadline,
): Promise<Outcome<DecodedImage>> {
  const image = await capture()
  if (!image.ok) return image
  const { width, height, bytes } = image.value
  if (width * height > COMPARISON_LIMIT_PIXELS) return err(tooLarge(width, height))
  const pixels = await decodePng(bytes, deadline.remaining())
  return pixels ? ok({ image: image.value, pixels }) : err(notDecoded(deadline))
}

/** A comparison holds four copies of an image in memory, of four bytes for each pixel. */
export const COMPARISON_LIMIT_PIXELS = 25_000_000

// --- internal ---

/** As Playwright waits between two screenshots of toHaveScreenshot. */
const PAUSES_MS = [100, 250, 500]
const LAST_PAUSE_MS = 1000
/** A page that is still changing then is not about to stop. */
const STABLE_TIMEOUT_MS = 15_000
/** The share of a timeout that is left to report that the page keeps changing. */
const REPORT_TIME_SHARE = 0.25

const compareEqualSizes = async (a: Pixels, b: Pixels, signal: AbortSignal) =>
  a.width === b.width && a.height === b.height ? comparePixels(a, b, signal) : undefined

const isSameFile = (a: Image, b: Image): boolean => Buffer.from(a.bytes).equals(b.bytes)

const waitFor = (ms: number, signal: AbortSignal): Promise<unknown> =>
  settleWithin(ms, new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve())))

const tooLarge = (width: number, height: number): Failure => ({
  code: 'RESOURCE_EXHAUSTED',
  resource: 'image',
  text: `the screenshot has ${width} × ${height} pixels, and at most ${COMPARISON_LIMIT_PIXELS / 1_000_000} million are compared`,
  next: 'Compare the viewport or one element.',
})

const notDecoded = (deadline: Deadline): Failure => ({
  code: 'TIMEOUT',
  waitedFor: 'the screenshot to be decoded',
  waited: deadline.timeout,
})
