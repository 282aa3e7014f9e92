// docs/compare.md: what is said to work has a test, and the test that is named exists.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'bun:test'

const path = join(import.meta.dir, '../docs/compare.md')

interface Row {
  readonly what: string
  readonly answer: string
  readonly tests: readonly { readonly title: string; readonly file: string }[]
}

const rows: readonly Row[] = readFileSync(path, 'utf8')
  .split('\n')
  .filter((line) => /^\| (?!what |---)/.test(line))
  .map((line) => {
    const [, what = '', , answer = '', links = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
    const tests = [...links.matchAll(/\[((?:[^\]]|\](?!\())+)\]\(([^)]+)\)/g)].map(
      ([, title = '', file = '']) => ({ title, file: join(dirname(path), file) }),
    )
    return { what, answer, tests }
  })

const hasTitle = (source: string, title: string): boolean =>
  [`'`, '"', '`'].some((quote) => source.includes(quote + title + quote))

test('there are rows, and each has an answer', () => {
  expect(rows.length).toBeGreaterThan(90)
  expect(rows.filter(({ answer }) => !/^(yes|partly|no|not yet)(:|,|$)/.test(answer))).toEqual([])
  expect(new Set(rows.map(({ what }) => what)).size).toBe(rows.length)
})

test('what works has a test, and what does not has none', () => {
  const works = ({ answer }: Row) => /^(yes|partly)/.test(answer)
  expect(rows.filter((row) => works(row) !== row.tests.length > 0).map(({ what }) => what)).toEqual([])
})

test('every test that is named is in its file', () => {
  const missing = rows.flatMap(({ tests }) =>
    tests.filter(({ title, file }) => !existsSync(file) || !hasTitle(readFileSync(file, 'utf8'), title)),
  )
  expect(missing).toEqual([])
})
