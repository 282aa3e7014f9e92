import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { findChangedAreas } from '../../../src/features/baseline/changed-areas.ts'

const images = fc
  .record({ width: fc.integer({ min: 1, max: 150 }), height: fc.integer({ min: 1, max: 150 }) })
  .chain(({ width, height }) =>
    fc.record({
      width: fc.constant(width),
      height: fc.constant(height),
      pixels: fc.uniqueArray(fc.record({ x: fc.nat({ max: width - 1 }), y: fc.nat({ max: height - 1 }) }), {
        maxLength: 60,
        selector: ({ x, y }) => y * width + x,
      }),
    }),
  )

const areasOf = ({ width, height, pixels }: { width: number; height: number; pixels: readonly Point[] }) => {
  const changed = new Uint8Array(width * height)
  for (const { x, y } of pixels) changed[y * width + x] = 1
  return findChangedAreas({ width, height, changed })
}

interface Point {
  readonly x: number
  readonly y: number
}

const isIn = ({ x, y }: Point, box: Point & { width: number; height: number }) =>
  x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height

test('every changed pixel counts in one area, and no area is larger than its pixels', () => {
  fc.assert(
    fc.property(images, (image) => {
      const areas = areasOf(image)
      const total = areas.reduce((sum, { pixelCount }) => sum + pixelCount, 0)
      expect(total).toBe(image.pixels.length)
      for (const pixel of image.pixels) expect(areas.some(({ box }) => isIn(pixel, box))).toBe(true)
      for (const { box, pixelCount } of areas) {
        const own = image.pixels.filter((pixel) => isIn(pixel, box))
        expect(own.length).toBeGreaterThanOrEqual(pixelCount)
        expect(Math.min(...own.map(({ x }) => x))).toBe(box.x)
        expect(Math.max(...own.map(({ y }) => y))).toBe(box.y + box.height - 1)
      }
      const counts = areas.map(({ pixelCount }) => pixelCount)
      expect(counts).toEqual(counts.toSorted((a, b) => b - a))
    }),
  )
})

test('pixels that are close are one area, pixels that are far from each other are two', () => {
  fc.assert(
    fc.property(images, (image) => {
      const areas = areasOf(image)
      const areaOf = (pixel: Point) => areas.filter(({ box }) => isIn(pixel, box))
      for (const a of image.pixels)
        for (const b of image.pixels)
          if (Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y)) <= 16)
            expect(areaOf(a).some((area) => areaOf(b).includes(area))).toBe(true)
    }),
  )
  const far = [
    { x: 3, y: 3 },
    { x: 35, y: 3 },
  ]
  expect(areasOf({ width: 100, height: 20, pixels: far })).toHaveLength(2)
  // The left and the right edge are no neighbors.
  const edges = [
    { x: 0, y: 17 },
    { x: 99, y: 3 },
  ]
  expect(areasOf({ width: 100, height: 40, pixels: edges })).toHaveLength(2)
})

test('an unchanged image has no areas; a changed one has one box', () => {
  expect(areasOf({ width: 5, height: 5, pixels: [] })).toEqual([])
  const changed = new Uint8Array(2_000_000).fill(1)
  expect(findChangedAreas({ width: 2000, height: 1000, changed })).toEqual([
    { box: { x: 0, y: 0, width: 2000, height: 1000 }, pixelCount: 2_000_000 },
  ])
})
