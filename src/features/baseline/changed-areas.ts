// Groups the changed pixels of an image: pixels that are close to each other are one area.

import type { Box, Size } from '../../core/base/geometry.ts'

/** One byte for each pixel, row by row: 1 if it changed. */
export interface ChangedPixels extends Size {
  readonly changed: Uint8Array
}

/** `box` is the smallest that has all changed pixels of the area. */
export interface ChangedArea {
  readonly box: Box
  readonly pixelCount: number
}

/** The areas with changed pixels, those with the most first. Each changed pixel counts in one of them. */
export function findChangedAreas(pixels: ChangedPixels): readonly ChangedArea[] {
  const columns = Math.ceil(pixels.width / TILE_PIXELS)
  const tiles = boundsOfTiles(pixels, columns)
  const areas: ChangedArea[] = []
  for (const [key, bounds] of tiles) if (tiles.delete(key)) areas.push(areaOf(takeGroup(key, bounds)))
  return areas.sort((a, b) => b.pixelCount - a.pixelCount || a.box.y - b.box.y || a.box.x - b.box.x)

  // Takes all tiles out that are connected to this one by a side or a corner.
  function takeGroup(first: number, firstBounds: Bounds): Bounds {
    let group = firstBounds
    const pending = [first]
    for (let key = pending.pop(); key !== undefined; key = pending.pop())
      for (const neighbor of neighborsOf(key, columns)) {
        const bounds = tiles.get(neighbor)
        if (!bounds) continue
        tiles.delete(neighbor)
        group = unite(group, bounds)
        pending.push(neighbor)
      }
    return group
  }
}

// --- internal ---

/** Two changed pixels with at least this distance may be two areas: more than between two words or two lines of a text. */
const TILE_PIXELS = 16

interface Bounds {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
  readonly pixelCount: number
}

// An image has millions of pixels, so their bounds are changed in place.
function boundsOfTiles({ width, changed }: ChangedPixels, columns: number): Map<number, Bounds> {
  const tiles = new Map<number, { -readonly [K in keyof Bounds]: Bounds[K] }>()
  for (let at = changed.indexOf(1); at >= 0; at = changed.indexOf(1, at + 1)) {
    const x = at % width
    const y = (at - x) / width
    const key = Math.floor(y / TILE_PIXELS) * columns + Math.floor(x / TILE_PIXELS)
    const tile = tiles.get(key)
    if (!tile) {
      tiles.set(key, { left: x, top: y, right: x + 1, bottom: y + 1, pixelCount: 1 })
      continue
    }
    if (x < tile.left) tile.left = x
    if (x >= tile.right) tile.right = x + 1
    tile.bottom = y + 1
    tile.pixelCount += 1
  }
  return tiles
}

const unite = (a: Bounds, b: Bounds): Bounds => ({
  left: Math.min(a.left, b.left),
  top: Math.min(a.top, b.top),
  right: Math.max(a.right, b.right),
  bottom: Math.max(a.bottom, b.bottom),
  pixelCount: a.pixelCount + b.pixelCount,
})

const areaOf = ({ left, top, right, bottom, pixelCount }: Bounds): ChangedArea => ({
  box: { x: left, y: top, width: right - left, height: bottom - top },
  pixelCount,
})

function neighborsOf(key: number, columns: number): readonly number[] {
  const column = key % columns
  const columnSteps = [column > 0 ? -1 : 0, 0, column < columns - 1 ? 1 : 0]
  return [-columns, 0, columns].flatMap((rowStep) => columnSteps.map((step) => key + rowStep + step))
}
