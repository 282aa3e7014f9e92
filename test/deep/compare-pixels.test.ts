// Playwright's comparator is the oracle.

import { expect, test } from 'bun:test'
import { createRequire } from 'node:module'
import { crc32, deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { PNG } from 'pngjs'
import { pictureDifference } from '../../src/features/baseline/picture-difference.ts'
import { createPngWriter, openPngRows } from '../../src/features/baseline/png-rows.ts'

interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

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

async function compareHere(before: Uint8Array, after: Uint8Array) {
  const opened = await pictureDifference.open({ before, after, tolerance: 0 })
  if (!opened.ok) throw new Error(opened.error)
  return opened.value('all')
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
        const [was, is] = [pngOf(before), pngOf(after)]
        const compared = await compareHere(was, is)
        const expected = compareWithPlaywright(is, was, {})
        const picture = expected ? PNG.sync.read(expected.diff) : undefined
        const found = compared.picture && PNG.sync.read(Buffer.from(compared.picture))
        if (picture) expect(found?.data.equals(picture.data)).toBe(true)
        if (!picture) expect(compared.changedShare).toBe(0)
        const changedCount = compared.areas.reduce((sum, area) => sum + area.pixelCount, 0)
        changedTotal += changedCount
      },
    ),
    { numRuns: runs },
  )
  expect(changedTotal).toBeGreaterThan(0)
}, 120_000)

// It is wide enough to be compared in parts of a hundred rows.
test('the picture of a difference has no seams', async () => {
  const size = { width: 5000, height: 420 }
  const shapes = Array.from({ length: 900 }, (_, at) => ({
    x: (at * 41) % 5000,
    y: 40 + ((at * 7) % 330),
    size: 20 + (at % 30),
    gray: at % 200,
  }))
  const moved = shapes.map((shape, at) => ({ ...shape, y: shape.y + (at % 3) }))
  const [before, after] = [pngOf(draw(size, shapes)), pngOf(draw(size, moved))]
  const { picture, changedShare } = await compareHere(before, after)
  const expected = compareWithPlaywright(after, before, {})
  expect(changedShare).toBeGreaterThan(0)
  expect(
    PNG.sync
      .read(Buffer.from(picture ?? []))
      .data.equals(PNG.sync.read(expected?.diff ?? Buffer.alloc(0)).data),
  ).toBe(true)
})

async function rowsOf(bytes: Uint8Array): Promise<Pixels | undefined> {
  const rows = openPngRows(bytes)
  if (!rows) return undefined
  const lines: Uint8Array[] = []
  for (let y = 0; y < rows.height; y += 1) lines.push(Uint8Array.from((await rows.next()) ?? []))
  const data = Buffer.concat(lines)
  return data.length === rows.width * rows.height * 4 ? { ...rows, data } : undefined
}

test('the rows that are written are read, by pngjs too', async () => {
  const image = draw({ width: 31, height: 170 }, [{ x: 10, y: 20, size: 30, gray: 90 }])
  const writer = createPngWriter(image.width, image.height)
  for (let at = 0; at < image.data.length; at += 31 * 4 * 17)
    await writer.add(image.data.subarray(at, at + 31 * 4 * 17))
  const bytes = await writer.end()
  expect((await rowsOf(bytes))?.data).toEqual(Buffer.from(image.data))
  expect(PNG.sync.read(Buffer.from(bytes)).data).toEqual(Buffer.from(image.data))
})

// Gray, color, palette and alpha, with one to 16 bits: pngjs writes only some of them, so a file is made of random rows.
test('rows of each form and filter are those that pngjs reads', async () => {
  const forms = [
    [0, [1, 2, 4, 8, 16]],
    [2, [8, 16]],
    [3, [1, 2, 4, 8]],
    [4, [8, 16]],
    [6, [8, 16]],
  ] as const
  const channels = [1, 0, 3, 1, 2, 0, 4]
  for (const [colorType, depths] of forms)
    for (const depth of depths) {
      const [width, height] = [23, 40]
      const rowBytes = Math.ceil((width * (channels[colorType] ?? 0) * depth) / 8)
      const lines = Buffer.alloc((rowBytes + 1) * height)
      for (let at = 0; at < lines.length; at += 1)
        lines[at] =
          at % (rowBytes + 1) === 0 ? Math.floor(at / (rowBytes + 1)) % 5 : (at * 2_654_435_761) >>> 24
      const palette = Buffer.from(Array.from({ length: 768 }, (_, at) => (at * 37) % 256))
      const bytes = pngFile({ width, height, depth, colorType }, [
        ...(colorType === 3
          ? ([
              ['PLTE', palette],
              ['tRNS', palette.subarray(0, 9)],
            ] as const)
          : []),
        ['IDAT', deflateSync(lines)],
      ])
      expect(Buffer.compare((await rowsOf(bytes))?.data as Buffer, PNG.sync.read(bytes).data)).toBe(0)
    }
})

type Header = { width: number; height: number; depth: number; colorType: number }

function pngFile(
  { width, height, depth, colorType }: Header,
  chunks: readonly (readonly [string, Buffer])[],
) {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([depth, colorType], 8)
  const parts = ([['IHDR', header], ...chunks, ['IEND', Buffer.alloc(0)]] as const).map(([name, data]) => {
    const named = Buffer.concat([Buffer.from(name), data])
    const ends = Buffer.alloc(8)
    ends.writeUInt32BE(data.length)
    ends.writeUInt32BE(crc32(named), 4)
    return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)])
  })
  return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), ...parts])
}

test('what is no PNG, or ends early, is not read', async () => {
  const bytes = pngOf(draw({ width: 200, height: 200 }, [{ x: 10, y: 20, size: 30, gray: 90 }]))
  expect(await rowsOf(new TextEncoder().encode('no image'))).toBeUndefined()
  expect(await rowsOf(new Uint8Array())).toBeUndefined()
  for (const end of [20, 40, bytes.length - 30]) expect(await rowsOf(bytes.subarray(0, end))).toBeUndefined()
})
