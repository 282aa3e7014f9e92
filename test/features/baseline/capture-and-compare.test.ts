import { expect, test } from 'bun:test'
import type { Image } from '../../../src/core/base/image.ts'
import { ok } from '../../../src/core/base/result.ts'
import { createDeadline } from '../../../src/core/base/system/race-deadline.ts'
import { captureAndCompare } from '../../../src/features/baseline/compare-screenshot.ts'
import { createPngWriter } from '../../../src/features/baseline/png-rows.ts'

/** An image of one gray, with `dots` black pixels. */
async function imageOf(width: number, height: number, dots = 0, gray = 200): Promise<Image> {
  const data = new Uint8Array(width * height * 4).fill(gray)
  for (let dot = 0; dot < dots; dot += 1) data.fill(0, dot * 4, dot * 4 + 3)
  for (let at = 3; at < data.length; at += 4) data[at] = 255
  const writer = createPngWriter(width, height)
  await writer.add(data)
  return { bytes: await writer.end(), mimeType: 'image/png', width, height }
}

/** Takes the images one after the other, and then the last one again and again. */
async function run(images: readonly Image[], baseline?: Image, tolerance = 0, timeout = 60_000) {
  let count = 0
  const capture = async () => ok(images[Math.min(count++, images.length - 1)]!)
  const deadline = createDeadline(timeout, new AbortController().signal, () => performance.now())
  const outcome = await captureAndCompare(capture, baseline?.bytes, { tolerance }, deadline)
  return { count, outcome: outcome as any }
}

const plain = await imageOf(20, 10)

test('a page that equals its baseline is captured once', async () => {
  const { count, outcome } = await run([plain], plain)
  expect([count, outcome.value.comparison]).toEqual([
    1,
    { matches: true, changedShare: 0, baselineSize: { width: 20, height: 10 } },
  ])
})

test('a first screenshot that differs does not count: the last two that agree do', async () => {
  const early = await imageOf(20, 10, 5)
  const { count, outcome } = await run([early, await imageOf(20, 10, 4), early, plain], plain)
  expect([count, outcome.value.comparison.matches]).toEqual([5, true])
  const { outcome: late } = await run([plain, early], await imageOf(20, 10, 9))
  expect([late.value.comparison.matches, late.value.image.bytes]).toEqual([false, early.bytes])
})

test('a baseline is not made of the first screenshot either', async () => {
  const { count, outcome } = await run([await imageOf(20, 10, 5), plain])
  expect([count, outcome.value.image.bytes]).toEqual([3, plain.bytes])
})

test('the tolerance is a share of all pixels, and holds for the page that keeps changing too', async () => {
  const dots = await imageOf(20, 10, 4)
  expect((await run([dots], plain, 0.02)).outcome.value.comparison.matches).toBe(true)
  expect((await run([dots], plain, 0.019)).outcome.value.comparison.matches).toBe(false)
  const { outcome } = await run([await imageOf(20, 10, 2), dots], undefined, 0.02)
  expect(outcome.value.image.bytes).toEqual(dots.bytes)
})

test('two sizes are a difference, whatever the tolerance', async () => {
  const { outcome } = await run([plain], await imageOf(30, 5), 1)
  expect(outcome.value.comparison).toMatchObject({ matches: false, baselineSize: { width: 30, height: 5 } })
  expect(outcome.value.comparison.difference).toMatchObject({ width: 30, height: 10 })
})

test('a page that changes until the end of its time is unstable, also if only its size does', async () => {
  const flickering = await Promise.all(Array.from({ length: 40 }, (_, index) => imageOf(20, 10, index % 7)))
  const { outcome } = await run(flickering, undefined, 0, 2000)
  expect(outcome.value.last).toMatchObject({ width: 20, height: 10, matches: false })
  const growing = await Promise.all(Array.from({ length: 40 }, (_, index) => imageOf(20, 10 + index)))
  expect((await run(growing, undefined, 1, 2000)).outcome).toEqual({ ok: true, value: { last: undefined } })
})

test('images that would need too much memory are refused', async () => {
  // Each of them is small, but the smallest image that has room for both has ten billion pixels.
  const wide = await imageOf(100_000, 1)
  const tall = await imageOf(1, 100_000)
  expect((await run([tall], wide)).outcome).toMatchObject({
    ok: false,
    error: { code: 'INVALID_PARAMETERS', field: 'baseline' },
  })
  const huge = { ...plain, width: 5001, height: 5000 }
  expect((await run([huge])).outcome).toMatchObject({ ok: false, error: { code: 'RESOURCE_EXHAUSTED' } })
  const header = Buffer.from(plain.bytes)
  header.writeUInt32BE(30_000_000, 16)
  expect((await run([plain], { ...plain, bytes: header })).outcome).toMatchObject({
    ok: false,
    error: { field: 'baseline', received: '30000000 × 10 pixels' },
  })
  // No page draws one row of millions of pixels, and a row is the least that is in memory.
  header.writeUInt32BE(40_000, 16)
  header.writeUInt32BE(1, 20)
  expect((await run([plain], { ...plain, bytes: header })).outcome).toMatchObject({
    ok: false,
    error: { field: 'baseline', received: '40000 × 1 pixels' },
  })
})
