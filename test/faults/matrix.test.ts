// The matrix is whole: each of its 62 rows has a test that carries its number, here or where the like of it stands.

import { Glob } from 'bun'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'

test('all 62 rows have their test', () => {
  const root = join(import.meta.dir, '..')
  const named = [...new Glob('**/*.test.ts').scanSync(root)].flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const numbers = [...text.matchAll(/[fF]ault\(\s*(\d+),|row (\d+)[:']/g)]
    return numbers.map(([, own, other]) => Number(own ?? other))
  })
  const missing = Array.from({ length: 62 }, (_, index) => index + 1).filter((row) => !named.includes(row))
  expect(missing).toEqual([])
})
