// Playwright's comparator is the oracle.

import { expect, test } from 'bun:test'
import { createRequire } from 'node:module'
import fc from 'fast-check'
import { PNG } from 'pngjs'
import {
  comparePixels,
  decodePng,
  encodePng,
  type Pixels,
} from '../../src/features/baseline/picture-difference.ts'

type Compare = (actual: Buffer, expected: Buffer, options: object) => { diff: Buffer } | null
const { utils } = createRequire(import.meta.url)('playwright-core/lib/coreBundle') as {
  utils: { getComparator(mimeType: string): Compare }
}
const compareWithPlaywright = utils.getComparator('image/png')

function pngOf({ width, height, data }: Pixels): Buffer {
  const png = new PNG({ width, height })
  png.data = Buffer.from(data)
  return PNG.sync.write(png)
}

// Shapes of few colors have edges, of which some are smoothed.
const shapes = fc.array(
  fc.record({
    x: fc.nat({ max: 40 }),
    y: fc.nat({ max: 180 }),
    size: fc.integer({ min: 1, max: 60 }),
    gray: fc.nat({ max: 255 }),
  }),
  { maxLength: 12 },
)
const sizes = fc.record({ width: fc.integer({ min: 1, max: 40 }), height: fc.integer({ min: 1, max: 180 }) })

function draw(
  { width, height }: { width: number; height: number },
  list: readonly { x: number; y: number; size: number; gray: number }[],
): Pixels {
  const data = new Uint8Array(width * height * 4).fill(255)
  for (const { x, y, size, gray } of list)
    for (let row = Math.max(0, y - size); row < Math.min(height, y + size); row += 1)
      for (let column = Math.max(0, x - size); column < Math.min(width, x + size); column += 1) {
        const distance = Math.hypot(row - y, column - x) - size / 2
        const share = Math.max(0, Math.min(1, 0.5 - distance))
        const at = (row * width + column) * 4
        for (const channel of [0, 1, 2])
          data[at + channel] = Math.round((data[at + channel] ?? 0) * (1 - share) + gray * share)
      }
  return { width, height, data }
}

const runs = process.env['COMPARE_RUNS'] ? Number(process.env['COMPARE_RUNS']) : 60

test('the changed pixels and the picture are those of toHaveScreenshot, also for images of two sizes', async () => {
  let changedTotal = 0
  await fc.assert(
    fc.asyncProperty(
      sizes,
      sizes,
      shapes,
      shapes,
      fc.boolean(),
      async (size, other, common, more, isSame) => {
        const before = draw(size, common)
        const after = draw(isSame ? size : other, [...common, ...more])
        const difference = await comparePixels(before, after)
        const expected = compareWithPlaywright(pngOf(after), pngOf(before), {})
        const picture = expected ? PNG.sync.read(expected.diff) : undefined
        if (picture) expect(Buffer.from(difference.picture).equals(picture.data)).toBe(true)
        if (!picture) expect(difference.changedCount).toBe(0)
        expect(difference.changed.reduce((sum, one) => sum + one, 0)).toBe(difference.changedCount)
        changedTotal += difference.changedCount
      },
    ),
    { numRuns: runs },
  )
  expect(changedTotal).toBeGreaterThan(0)
}, 120_000)

test('an encoded image has the pixels that it was made of', async () => {
  const image = draw({ width: 31, height: 170 }, [{ x: 10, y: 20, size: 30, gray: 90 }])
  const decoded = await decodePng(await encodePng(image))
  expect(decoded?.data).toEqual(Buffer.from(image.data))
})

test('what is no PNG, or ends early, is not decoded', async () => {
  const bytes = pngOf(draw({ width: 200, height: 200 }, [{ x: 10, y: 20, size: 30, gray: 90 }]))
  expect(await decodePng(new TextEncoder().encode('no image'))).toBeUndefined()
  expect(await decodePng(new Uint8Array())).toBeUndefined()
  for (const end of [20, 40, bytes.length - 30])
    expect(await decodePng(bytes.subarray(0, end))).toBeUndefined()
})
