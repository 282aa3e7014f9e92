// The matrix is complete: each row of docs/project/faults.md has a test that carries its number, and no test carries another number.

import { expect, test } from 'bun:test'
import { faultRows } from '../../scripts/docs/fault-rows.ts'
import { faultTests } from '../../scripts/docs/numbered-tests.ts'

test('all 62 rows have their test', () => {
  const named = [...faultTests().keys()].map(Number)
  const missing = Array.from({ length: 62 }, (_, index) => index + 1).filter((row) => !named.includes(row))
  expect(missing).toEqual([])
})

test('the page has exactly the rows that tests name', () => {
  const named = [...faultTests().keys()].map(Number).toSorted((a, b) => a - b)
  expect(faultRows.map((_, index) => index + 1)).toEqual(named)
  for (const row of faultRows) for (const text of row) expect(text).not.toBe('')
})
