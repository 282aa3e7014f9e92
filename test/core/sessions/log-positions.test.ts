import { expect, test } from 'bun:test'
import { createLogPositions, createNumbering } from '../../../src/core/sessions/journal/journal.ts'
test('a number of the session leads to where its log was read to then, and never past unread lines', () => {
  const numbering = createNumbering()
  const positions = createLogPositions(numbering)
  const entry = numbering.next()
  const first = positions.add('stdout', 100)
  const other = positions.add('stderr', 40)
  const later = numbering.next()
  const second = positions.add('stdout', 250)
  expect([entry, first, other, later, second]).toEqual([1, 2, 3, 4, 5])
  expect([entry, first, other, later, second, 99].map((seq) => positions.at('stdout', seq))).toEqual([
    0, 100, 100, 100, 250, 250,
  ])
  expect(positions.at('combined', second)).toBe(0)
})
