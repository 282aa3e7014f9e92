// docs/project/peers.md and docs/project/requirements.md: what is said to work has a test, and the test that is named exists.

import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const docs = join(import.meta.dir, '../docs/project')

interface Row {
  readonly cells: readonly string[]
  /** The tests in its last cell. */
  readonly tests: readonly { readonly title: string; readonly file: string }[]
}

// `[title](file)`, or `[1](file "title")`.
const linksIn = (text: string): Row['tests'] =>
  [...text.matchAll(/\[((?:[^\]]|\](?!\())+)\]\((\S+?)(?: (["'])(.*?)\3)?\)/g)].map(
    ([, shown = '', file = '', , title = shown]) => ({ title, file: join(docs, file) }),
  )

/** The rows of all tables of a page, without their heads. */
const rowsOf = (page: string): readonly Row[] =>
  readFileSync(join(docs, page), 'utf8')
    .split('\n')
    .filter((line, index, lines) => /^\| (?!---)/.test(line) && !lines[index + 1]?.startsWith('| ---'))
    .map((line) => {
      const cells = line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((text) => text.trim())
      return { cells, tests: linksIn(cells.at(-1) ?? '') }
    })

const hasTitle = (source: string, title: string): boolean =>
  [`'`, '"', '`'].some((quote) => source.includes(quote + title + quote))

const compared = rowsOf('peers.md')
  .filter(({ cells }) => cells.length === 4)
  .map(({ cells: [what = '', , answer = ''], tests }) => ({
    what,
    answer,
    tests,
  }))

test('there are rows, and each has an answer', () => {
  expect(compared.length).toBeGreaterThan(90)
  expect(compared.filter(({ answer }) => !/^(yes|partly|no|not yet)(:|,|$)/.test(answer))).toEqual([])
  expect(new Set(compared.map(({ what }) => what)).size).toBe(compared.length)
})

test('what works has a test, and what does not has none', () => {
  const wrong = compared.filter(({ answer, tests }) => /^(yes|partly)/.test(answer) !== tests.length > 0)
  expect(wrong.map(({ what }) => what)).toEqual([])
})

test('every requirement has a test', () => {
  const requirements = rowsOf('requirements.md')
  expect(requirements).toHaveLength(48)
  expect(requirements.filter(({ tests }) => tests.length === 0)).toEqual([])
})

test.each(['peers.md', 'requirements.md'])('every test that %s names is in its file', (page) => {
  const missing = rowsOf(page).flatMap(({ tests }) =>
    tests.filter(({ title, file }) => !existsSync(file) || !hasTitle(readFileSync(file, 'utf8'), title)),
  )
  expect(missing).toEqual([])
})
