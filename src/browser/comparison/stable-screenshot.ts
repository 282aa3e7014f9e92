// Screenshots of a page that is still being painted differ, so one counts only when the next is equal.

import { comparePictures, type PictureDifference } from './picture-difference.ts'
import type { Outcome } from '../../core/failure.ts'
import { ok } from '../../core/result.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { Image } from '../../runtime/ports/page/screenshots.ts'

/** A page that keeps changing; `last` is the difference of the last two screenshots, if they had the same size. */
export interface Unstable {
  readonly last: PictureDifference | undefined
}

/** Takes screenshots after `first` until the share of pixels that differ between two in a row is at most `tolerance`. */
export async function takeStableScreenshot(
  first: Image,
  capture: () => Promise<Outcome<Image>>,
  tolerance: number,
  deadline: Deadline,
): Promise<Outcome<Image | Unstable>> {
  const limit = Math.max(deadline.timeout - STABLE_TIMEOUT_MS, deadline.timeout * REPORT_TIME_SHARE)
  let previous = first
  for (let attemptCount = 0; ; attemptCount += 1) {
    await waitFor(pauseOf(attemptCount), deadline.signal)
    const current = await capture()
    if (!current.ok || isSameFile(previous.bytes, current.value.bytes)) return current
    const isSameSize = previous.width === current.value.width && previous.height === current.value.height
    const pair = { before: previous.bytes, after: current.value.bytes, tolerance }
    const difference = isSameSize ? await comparePictures(pair, deadline.remaining()) : undefined
    const last = difference?.ok ? difference.value : undefined
    if (last?.matches) return current
    if (deadline.remaining() - pauseOf(attemptCount + 1) < limit) return ok({ last })
    previous = current.value
  }
}

/** Encoding is deterministic, so equal pixels are mostly equal files. */
export const isSameFile = (a: Uint8Array, b: Uint8Array): boolean => Buffer.from(a).equals(b)

// --- internal ---

/** As Playwright waits between two screenshots of toHaveScreenshot. */
const PAUSES_MS = [100, 250, 500]
const LAST_PAUSE_MS = 1000
const pauseOf = (attemptCount: number): number => PAUSES_MS[attemptCount] ?? LAST_PAUSE_MS
/** A page that is still changing then is not about to stop. */
const STABLE_TIMEOUT_MS = 15_000
/** The share of a timeout that is left to report that the page keeps changing. */
const REPORT_TIME_SHARE = 0.25

const waitFor = (ms: number, signal: AbortSignal): Promise<unknown> =>
  settleWithin(ms, new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve())))
