import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import {
  addMoment,
  chooseMoments,
  formatTime,
  type Moment,
  planSheet,
} from '../../../src/features/video/contact-sheet.ts'

const momentOf = (action: number, time: number): Moment<string> => ({
  action,
  time,
  frame: `${action} at ${time}`,
})
const addAll = (all: readonly Moment<string>[]) => all.reduce<readonly Moment<string>[]>(addMoment, [])

test('an action has the picture of its end at the time of its begin; a long one has several', () => {
  const moments = addAll([
    momentOf(0, 0),
    momentOf(1, 1000),
    momentOf(1, 1200),
    momentOf(1, 3000),
    momentOf(1, 9000),
  ])
  expect(moments.map(({ time, frame }) => [time, frame])).toEqual([
    [0, '0 at 0'],
    [1000, '1 at 3000'],
    [9000, '1 at 9000'],
  ])
})

test('however many actions: few are kept, at most 12 are shown, in order, the first and the last among them', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), (count) => {
      const all = Array.from({ length: count }, (_, index) => momentOf(index, index * 300))
      const moments = addAll(all)
      expect(moments.length).toBeLessThanOrEqual(24)
      const shown = chooseMoments(moments)
      expect(shown.length).toBeLessThanOrEqual(12)
      expect([shown[0], shown.at(-1)]).toEqual([all[0], all.at(-1)])
      expect(shown.toSorted((a, b) => a.time - b.time)).toEqual([...shown])
      expect(new Set(shown.map(({ action }) => action)).size).toBe(shown.length)
    }),
  )
})

test('the pictures of a sheet are within it and beside each other, and it is within its limit', () => {
  const chars = fc.integer({ min: 4, max: 200 })
  const sides = fc.integer({ min: 60, max: 1320 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), sides, sides, chars, (count, width, height, most) => {
      const plan = planSheet(count, { width, height }, 1568, most)
      expect(plan.cells.length).toBe(count)
      expect(Math.max(plan.width, plan.height)).toBeLessThanOrEqual(1568)
      for (const [index, cell] of plan.cells.entries()) {
        expect(cell.x + cell.width).toBeLessThan(plan.width)
        expect(cell.y + cell.height).toBeLessThan(plan.height)
        for (const other of plan.cells.slice(index + 1)) {
          const isBeside = cell.x + cell.width < other.x || other.x + other.width < cell.x
          expect(isBeside || cell.y + cell.height < other.y).toBe(true)
        }
      }
    }),
  )
  const desktop = planSheet(12, { width: 1280, height: 720 }, 1568, 40)
  expect(desktop.cells.filter(({ y }) => y === 8).length).toBe(3)
})

test('times are minutes and seconds', () => {
  expect([0, 999, 61_000, 600_000].map(formatTime)).toEqual(['0:00', '0:00', '1:01', '10:00'])
})
