import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  describePlan,
  LONG_SIDE_LIMIT_PIXELS,
  matchesPlan,
  planImage,
} from '../../../src/core/base/image-plan.ts'

const size = fc.record({
  width: fc.integer({ min: 1, max: 10_000 }),
  height: fc.integer({ min: 1, max: 60_000 }),
})

test('no part is longer than the limit, and the parts follow each other from the top', () =>
  fc.assert(
    fc.property(size, ({ width, height }) => {
      const { parts, total } = planImage({ width, height })
      let bottom = 0
      for (const part of parts) {
        expect(Math.max(part.width, part.height)).toBeLessThanOrEqual(LONG_SIDE_LIMIT_PIXELS)
        expect(Math.min(part.width, part.height)).toBeGreaterThan(0)
        expect(part.top).toBe(bottom)
        bottom += part.sourceHeight
      }
      expect(bottom).toBe(parts.length === total ? height : Math.min(height, bottom))
      expect(parts.length).toBe(Math.min(total, 4))
    }),
    { numRuns: 500 },
  ))

test('a picture within the limits stays as it is, and nothing is said of it', () =>
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1568 }), fc.integer({ min: 1, max: 1568 }), (width, height) => {
      const plan = planImage({ width, height })
      expect(matchesPlan({ width, height }, plan)).toBe(true)
      expect(describePlan({ width, height }, plan)).toBeUndefined()
    }),
  ))

test('maxWidth replaces the limit, and never enlarges', () =>
  fc.assert(
    fc.property(size, fc.integer({ min: 16, max: 10_000 }), ({ width, height }, maxWidth) => {
      const { parts, total } = planImage({ width, height }, maxWidth)
      expect(total).toBe(1)
      expect(parts[0]?.width).toBe(Math.min(width, maxWidth))
    }),
  ))

test('what is up to twice the limit is scaled, what is taller is cut, what is only wide is scaled', () => {
  expect(planImage({ width: 1280, height: 2000 })).toMatchObject({ total: 1, parts: [{ height: 1568 }] })
  const tall = { width: 1280, height: 20_000 }
  expect(planImage(tall)).toMatchObject({ total: 13, parts: [{ width: 1280, height: 1568 }, {}, {}, {}] })
  expect(describePlan(tall, planImage(tall))).toBe(
    'The image has 1280 × 20000 pixels and is split into 13 parts from top to bottom; this result has the first 4, down to pixel 6272.',
  )
  expect(planImage({ width: 9000, height: 100 })).toMatchObject({ total: 1, parts: [{ width: 1568 }] })
  expect(describePlan({ width: 100, height: 4000 }, planImage({ width: 100, height: 4000 }))).toContain(
    'split into 3 parts from top to bottom; this result has all, down to pixel 4000',
  )
})
