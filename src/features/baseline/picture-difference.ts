// The difference of two PNG pictures, found as Playwright's toHaveScreenshot does: with pixelmatch and its threshold, where smoothed edges do
// not count. The libraries are loaded when they are needed, because most sessions compare nothing.

import type { DocumentType } from '../../core/base/files/files.ts'
import { openDocument } from '../../core/base/files/open-document.ts'
import type { Box } from '../../core/base/geometry.ts'
import { readImageSize } from '../../core/base/image-plan.ts'
import { err, ok, type Result } from '../../core/base/result.ts'
import { type ChangedArea, type ChangedPixels, findChangedAreas } from './changed-areas.ts'

/** Four bytes for each pixel, row by row: red, green, blue, alpha. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** `picture` has the unchanged pixels in light gray, the changed ones in red and smoothed edges in yellow. */
interface PixelDifference extends ChangedPixels {
  readonly changedCount: number
  readonly picture: Uint8Array
}

/** The size is that of both together. `matches`: both have the same size, and no larger share of the pixels than was tolerated changed. Else
 * `picture` is a PNG of the difference. */
export interface PictureDifference {
  readonly width: number
  readonly height: number
  /** From 0 to 1. */
  readonly changedShare: number
  readonly matches: boolean
  /** The largest areas. */
  readonly areas: readonly ChangedArea[]
  readonly moreAreas: number
  readonly picture?: Uint8Array
}

interface PicturePair {
  readonly before: Uint8Array
  readonly after: Uint8Array
  readonly tolerance: number
  /** The distance of two colors, from 0 to 1, from which on a pixel has changed; Playwright's without it. */
  readonly threshold?: number
  /** Pixels in them count as unchanged. */
  readonly ignored?: readonly Box[]
}

/** The error names the one that is no picture. */
export const pictureDifference: DocumentType<PicturePair, 'all', PictureDifference, 'before' | 'after'> = {
  name: 'picture-difference',
  isSmall: ({ before, after }) => pixelCountOf(before) + pixelCountOf(after) <= SMALL_PICTURE_PIXELS,
  async open({ before, after, tolerance, threshold, ignored = [] }) {
    const [first, second] = [await decodePng(before), await decodePng(after)]
    if (!first || !second) return err(first ? 'after' : 'before')
    const difference = await comparePixels(first, second, threshold)
    const { width, height, changed, picture } = difference
    const ignoredCount = ignored.reduce((sum, box) => sum + clearBox(difference, box), 0)
    const changedShare = (difference.changedCount - ignoredCount) / changed.length
    const isSameSize = first.width === second.width && first.height === second.height
    const matches = isSameSize && changedShare <= tolerance
    const areas = findChangedAreas(difference)
    return ok(async () => ({
      width,
      height,
      changedShare,
      matches,
      areas: areas.slice(0, AREA_LIMIT),
      moreAreas: Math.max(0, areas.length - AREA_LIMIT),
      ...(!matches && { picture: await encodePng({ width, height, data: picture }) }),
    }))
  },
}

/** Compares two pictures within `timeoutMs`. */
export async function comparePictures(
  pair: PicturePair,
  timeoutMs: number,
): Promise<Result<PictureDifference, 'before' | 'after' | 'unreadable'>> {
  const openResult = await openDocument(pictureDifference, pair, timeoutMs)
  if (!openResult.ok) return openResult
  const difference = await openResult.value.ask('all')
  openResult.value.close()
  return difference ? ok(difference) : err('unreadable')
}

/** The pixels that differ. A picture that is smaller than the other is extended with transparent pixels. */
export async function comparePixels(
  before: Pixels,
  after: Pixels,
  threshold = PLAYWRIGHT_THRESHOLD,
): Promise<PixelDifference> {
  const { default: pixelmatch } = await import('pixelmatch')
  const width = Math.max(before.width, after.width)
  const height = Math.max(before.height, after.height)
  const picture = new Uint8Array(width * height * BYTES_PER_PIXEL)
  pixelmatch(extend(before, width, height), extend(after, width, height), picture, width, height, {
    threshold,
    checkerboard: false,
  })
  const changed = new Uint8Array(width * height)
  let changedCount = 0
  for (let pixel = 0, at = 0; pixel < changed.length; pixel += 1, at += BYTES_PER_PIXEL) {
    const isRed = picture[at] === 255 && picture[at + 1] === 0 && picture[at + 2] === 0
    if (isRed) changed[pixel] = 1
    if (isRed) changedCount += 1
  }
  return { width, height, changedCount, changed, picture }
}

/** The pixels of a PNG; undefined if it is none. */
export async function decodePng(bytes: Uint8Array): Promise<Pixels | undefined> {
  const { PNG } = await import('pngjs')
  try {
    return PNG.sync.read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  } catch {
    return undefined
  }
}

/** A PNG without transparency. Its lines are stored as they are, which takes a fraction of the time that the best filters take. */
export async function encodePng({ width, height, data }: Pixels): Promise<Uint8Array> {
  const { PNG } = await import('pngjs')
  const png = new PNG({ width, height })
  png.data = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  return PNG.sync.write(png, { colorType: RGB, inputHasAlpha: true, filterType: 0 })
}

// --- internal ---

const AREA_LIMIT = 10
const BYTES_PER_PIXEL = 4
const RGB = 2
const PLAYWRIGHT_THRESHOLD = 0.2
/** They take about 10 ms. */
const SMALL_PICTURE_PIXELS = 100_000

/** Marks the pixels of a box as unchanged; returns how many had changed. */
function clearBox({ width, height, changed }: ChangedPixels, box: Box): number {
  const [left, right] = [Math.max(0, box.x), Math.min(width, box.x + box.width)]
  let count = 0
  for (let y = Math.max(0, box.y); y < Math.min(height, box.y + box.height); y += 1)
    for (let at = y * width + left; at < y * width + right; at += 1) {
      count += changed[at] ?? 0
      changed[at] = 0
    }
  return count
}

function pixelCountOf(bytes: Uint8Array): number {
  const { width, height } = readImageSize(bytes)
  return width * height
}

function extend({ data, ...size }: Pixels, width: number, height: number): Uint8Array {
  if (size.width === width && size.height === height) return data
  const extended = new Uint8Array(width * height * BYTES_PER_PIXEL)
  const rowBytes = size.width * BYTES_PER_PIXEL
  for (let row = 0; row < size.height; row += 1)
    extended.set(data.subarray(row * rowBytes, (row + 1) * rowBytes), row * width * BYTES_PER_PIXEL)
  return extended
}
