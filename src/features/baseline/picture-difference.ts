// The difference of two PNG pictures, found as Playwright's toHaveScreenshot does: with pixelmatch and its threshold, where smoothed edges do
// not count. The libraries are loaded when they are needed, because most sessions compare nothing.

import type { DocumentType } from '../../core/base/files/files.ts'
import { openDocument } from '../../core/base/files/open-document.ts'
import type { Box, Size } from '../../core/base/geometry.ts'
import { readImageSize } from '../../core/base/image-plan.ts'
import { err, ok, type Result } from '../../core/base/result.ts'
import { type ChangedArea, type ChangedPixels, findChangedAreas } from './changed-areas.ts'
import { createPngWriter, openPngRows, type PngRows } from './png-rows.ts'

/** The size is that of both together. `matches`: both have the same size, and no larger share of the pixels than was tolerated changed. Else
 * `picture` is a PNG of the difference. */
export interface PictureDifference extends Size {
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
    const [first, second] = [await openRows(before), await openRows(after)]
    if (!first || !second) return err(first ? 'after' : 'before')
    const compared = await compareRows(first, second, threshold)
    if (!compared.ok) return compared
    const { width, height, changed, picture } = compared.value
    const ignoredCount = ignored.reduce((sum, box) => sum + clearBox(compared.value, box), 0)
    const changedShare = (compared.value.changedCount - ignoredCount) / changed.length
    const isSameSize = first.width === second.width && first.height === second.height
    const matches = isSameSize && changedShare <= tolerance
    const areas = findChangedAreas(compared.value)
    return ok(async () => ({
      width,
      height,
      changedShare,
      matches,
      areas: areas.slice(0, AREA_LIMIT),
      moreAreas: Math.max(0, areas.length - AREA_LIMIT),
      ...(!matches && { picture }),
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

// --- internal ---

const AREA_LIMIT = 10
const BYTES_PER_PIXEL = 4
const PLAYWRIGHT_THRESHOLD = 0.2
/** They take about 10 ms. */
const SMALL_PICTURE_PIXELS = 100_000
/** A picture with interlaced rows is decoded as a whole. */
const INTERLACED_LIMIT_PIXELS = 4_000_000

/** `picture` is a PNG that has the unchanged pixels in light gray, the changed ones in red and smoothed edges in yellow. */
interface PixelDifference extends ChangedPixels {
  readonly changedCount: number
  readonly picture: Uint8Array
}

async function openRows(bytes: Uint8Array): Promise<PngRows | undefined> {
  const rows = openPngRows(bytes)
  if (rows || pixelCountOf(bytes) > INTERLACED_LIMIT_PIXELS) return rows
  const { PNG } = await import('pngjs')
  try {
    const { width, height, data } = PNG.sync.read(viewOf(bytes))
    let at = 0
    return { width, height, next: async () => data.subarray(at, (at += width * BYTES_PER_PIXEL)) }
  } catch {
    return undefined
  }
}

const BAND_PIXELS = 500_000
/** Whether an edge is smoothed is seen by the rows next to it and by those next to them. */
const MARGIN_ROWS = 2

/** The pixels that differ. A picture that is smaller than the other is extended with transparent pixels. */
async function compareRows(
  before: PngRows,
  after: PngRows,
  threshold = PLAYWRIGHT_THRESHOLD,
): Promise<Result<PixelDifference, 'before' | 'after'>> {
  const { default: pixelmatch } = await import('pixelmatch')
  const width = Math.max(before.width, after.width)
  const height = Math.max(before.height, after.height)
  const bandRows = Math.max(1, Math.floor(BAND_PIXELS / width))
  const rowBytes = width * BYTES_PER_PIXEL
  const bandBytes = (bandRows + 2 * MARGIN_ROWS) * rowBytes
  const [first, second] = [createBand(before, rowBytes, bandBytes), createBand(after, rowBytes, bandBytes)]
  const band = new Uint8Array(bandBytes)
  const changed = new Uint8Array(width * height)
  const writer = createPngWriter(width, height)
  let changedCount = 0
  for (let top = 0; top < height; top += bandRows) {
    const from = Math.max(0, top - MARGIN_ROWS)
    const end = Math.min(height, top + bandRows)
    const to = Math.min(height, end + MARGIN_ROWS)
    const [upper, lower] = [await first(from, to), await second(from, to)]
    if (!upper || !lower) return err(upper ? 'after' : 'before')
    const drawn = band.subarray(0, upper.length)
    pixelmatch(upper, lower, drawn, width, to - from, { threshold, checkerboard: false })
    const rows = drawn.subarray((top - from) * rowBytes, (end - from) * rowBytes)
    for (let pixel = top * width, at = 0; at < rows.length; pixel += 1, at += BYTES_PER_PIXEL) {
      if (rows[at] !== 255 || rows[at + 1] !== 0 || rows[at + 2] !== 0) continue
      changed[pixel] = 1
      changedCount += 1
    }
    await writer.add(rows)
  }
  return ok({ width, height, changedCount, changed, picture: await writer.end() })
}

/** Reads the rows from `from` to before `to`, which both grow. Undefined if the file is damaged. */
function createBand(
  picture: PngRows,
  rowBytes: number,
  bandBytes: number,
): (from: number, to: number) => Promise<Uint8Array | undefined> {
  const band = new Uint8Array(bandBytes)
  let [first, end] = [0, 0]
  return async (from, to) => {
    band.copyWithin(0, (from - first) * rowBytes, (end - first) * rowBytes)
    first = from
    for (; end < to; end += 1) {
      const row = end < picture.height ? await picture.next() : new Uint8Array()
      if (!row) return undefined
      const at = (end - first) * rowBytes
      band.fill(0, at + row.length, at + rowBytes)
      band.set(row, at)
    }
    return band.subarray(0, (to - from) * rowBytes)
  }
}

const viewOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

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
