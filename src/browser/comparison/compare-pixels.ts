// Compares images as Playwright's toHaveScreenshot does: with pixelmatch and its threshold, where smoothed edges do not count.

import pixelmatch from 'pixelmatch'
import { setImmediate } from 'node:timers/promises'
import type { ChangedPixels } from '../../core/comparison/changed-areas.ts'
import type { Pixels } from './png.ts'

/** `picture` has the unchanged pixels in light gray, the changed ones in red and smoothed edges in yellow. */
export interface PixelDifference extends ChangedPixels {
  readonly changedCount: number
  readonly picture: Uint8Array
}

/** The pixels that differ. An image that is smaller than the other is extended with transparent pixels. Other sessions are served between
 * strips of it. */
export async function comparePixels(
  before: Pixels,
  after: Pixels,
  signal: AbortSignal,
): Promise<PixelDifference> {
  const width = Math.max(before.width, after.width)
  const height = Math.max(before.height, after.height)
  const sources = [extend(before, width, height), extend(after, width, height)] as const
  const picture = new Uint8Array(width * height * BYTES_PER_PIXEL)
  const changed = new Uint8Array(width * height)
  let changedCount = 0
  for (let top = 0; top < height; top += STRIP_ROWS) {
    const rows = { top, bottom: Math.min(height, top + STRIP_ROWS) }
    changedCount += compareStrip(sources, width, height, rows, picture, changed)
    await setImmediate(undefined, { signal })
  }
  return { width, height, changedCount, changed, picture }
}

// --- internal ---

const BYTES_PER_PIXEL = 4
const STRIP_ROWS = 64
/** A pixel counts as a smoothed edge by its neighbors and theirs. */
const NEIGHBOR_ROWS = 2
// Playwright's threshold and background.
const OPTIONS = { threshold: 0.2, checkerboard: false }

interface Rows {
  readonly top: number
  readonly bottom: number
}

function compareStrip(
  [before, after]: readonly [Uint8Array, Uint8Array],
  width: number,
  height: number,
  { top, bottom }: Rows,
  picture: Uint8Array,
  changed: Uint8Array,
): number {
  const rowBytes = width * BYTES_PER_PIXEL
  const first = Math.max(0, top - NEIGHBOR_ROWS)
  const end = Math.min(height, bottom + NEIGHBOR_ROWS)
  const strip = new Uint8Array((end - first) * rowBytes)
  const rowsOf = (data: Uint8Array) => data.subarray(first * rowBytes, end * rowBytes)
  const differs = pixelmatch(rowsOf(before), rowsOf(after), strip, width, end - first, OPTIONS) > 0
  picture.set(strip.subarray((top - first) * rowBytes, (bottom - first) * rowBytes), top * rowBytes)
  if (!differs) return 0
  let changedCount = 0
  for (let pixel = top * width; pixel < bottom * width; pixel += 1) {
    const at = pixel * BYTES_PER_PIXEL
    const isRed = picture[at] === 255 && picture[at + 1] === 0 && picture[at + 2] === 0
    if (isRed) changed[pixel] = 1
    if (isRed) changedCount += 1
  }
  return changedCount
}

function extend({ data, ...size }: Pixels, width: number, height: number): Uint8Array {
  if (size.width === width && size.height === height) return data
  const extended = new Uint8Array(width * height * BYTES_PER_PIXEL)
  const rowBytes = size.width * BYTES_PER_PIXEL
  for (let row = 0; row < size.height; row += 1)
    extended.set(data.subarray(row * rowBytes, (row + 1) * rowBytes), row * width * BYTES_PER_PIXEL)
  return extended
}
