// A saved test that was made to be slow to read: the time grows with its length, and no more.

import { expect, test } from 'bun:test'
import { readTest } from '../../src/features/compare/flow/read-test.ts'

const parts = [
  'a',
  '(',
  'test({',
  '{',
  ' ',
  "'",
  "\\'",
  '"\\',
  '`',
  '/',
  '=/',
  '=/[',
  '[',
  '/*',
  '//',
  ';',
  '}',
  ')',
  'a:',
  ', ',
  "page.a('b').",
  'await page.click(',
  '\n',
  '=>{',
  'test(=>',
  '\\',
]
const starts = [
  '',
  'test(',
  "test('x', async ({ page }) => {\n await page.goto(",
  'const a = page.frameLocator(',
  'x',
]

const timeOf = (text: string): number => {
  const startedAt = performance.now()
  readTest(text)
  return performance.now() - startedAt
}

test.each(starts)(
  'after %j',
  (start) => {
    for (const first of parts)
      for (const second of ['', ...parts.slice(0, 12)]) {
        const unit = first + second
        const text = start + unit.repeat(Math.ceil(200_000 / unit.length))
        // On a calm machine it is below 0.1 s; what is quadratic takes minutes.
        expect([unit, timeOf(text) < 20_000]).toEqual([unit, true])
      }
  },
  900_000,
)
