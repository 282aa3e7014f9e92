// A line with code of several functions, over several readings.

import { expect, test } from 'bun:test'
import { createFunctionMemory } from '../../../src/features/verify/coverage/join-functions.ts'

const runs = (ran: readonly number[], notRun: readonly number[], partly: readonly number[] = []) => ({
  firstLine: 1,
  lastLine: 3,
  ran,
  partly,
  notRun,
})

test('a line with a handler that was not called ran partly, and ran once the handler was called', () => {
  const { join } = createFunctionMemory()
  expect(join('v1', [runs([1, 2, 3], []), runs([], [2])])).toEqual([runs([1, 3], [], [2]), runs([], [2])])
  expect(join('v1', [runs([], [1, 2, 3]), runs([2], [])])).toEqual([runs([], [1, 2, 3]), runs([2], [])])
})

test('another version of the file, or another compilation, begins anew', () => {
  const { join } = createFunctionMemory()
  join('v1', [runs([2], []), runs([], [2])])
  expect(join('v2', [runs([], [2]), runs([2], [])])).toEqual([runs([], [2]), runs([], [], [2])])
  expect(join('v1', [runs([], [2]), runs([2], []), runs([], [3])])).toEqual([
    runs([], [2]),
    runs([], [], [2]),
    runs([], [3]),
  ])
})
