// `footlight report DIR/` replaces its own index alone, and follows no link.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeReportIndex } from '../../../src/features/report/report-index.ts'

let [outer, folder] = ['', '']
const summary = {
  session: 'shop',
  date: '2026-01-01',
  actions: 1,
  failures: 0,
  consoleErrors: 0,
  failedRequests: 0,
}
const report = `<!doctype html><meta name="footlight-report" content="${JSON.stringify(summary).replaceAll('"', '&#34;')}">`
beforeEach(() => {
  outer = mkdtempSync(join(tmpdir(), 'fl-index-'))
  folder = join(outer, 'site')
  mkdirSync(join(folder, '.footlight', '12345678'), { recursive: true })
  writeFileSync(join(folder, '.footlight', '12345678', 'report.html'), report)
})
afterEach(() => rmSync(outer, { recursive: true, force: true }))

const index = () => join(folder, 'index.html')

test('an index is written, and written again', async () => {
  expect(await writeReportIndex(folder)).toMatchObject({ exitCode: 0 })
  const first = readFileSync(index(), 'utf8')
  expect(first).toContain('12345678/report.html')
  expect(await writeReportIndex(folder)).toMatchObject({ exitCode: 0 })
  expect(readFileSync(index(), 'utf8')).toBe(first)
  expect(readdirSync(folder).sort()).toEqual(['.footlight', 'index.html'])
})

test.each(['<!doctype html><title>Shop</title>', '', '<!-- <title>Reports – Footlight</title> -->'])(
  'the page of an application stays (%j)',
  async (page) => {
    writeFileSync(index(), page)
    expect(await writeReportIndex(folder)).toMatchObject({ exitCode: 2, stream: 'stderr' })
    expect(readFileSync(index(), 'utf8')).toBe(page)
    expect(readdirSync(folder).sort()).toEqual(['.footlight', 'index.html'])
  },
)

test('nothing is written through a link, to a file or to nowhere', async () => {
  const profile = join(outer, 'profile')
  symlinkSync(profile, index())
  expect(await writeReportIndex(folder)).toMatchObject({ exitCode: 2 })
  expect(existsSync(profile)).toBe(false)
  writeFileSync(profile, 'mine')
  expect(await writeReportIndex(folder)).toMatchObject({ exitCode: 2 })
  expect(readFileSync(profile, 'utf8')).toBe('mine')
  expect(lstatSync(index()).isSymbolicLink()).toBe(true)
})

test('links to folders are not followed: a loop ends, and what is outside is not listed', async () => {
  mkdirSync(join(outer, 'elsewhere'))
  writeFileSync(join(outer, 'elsewhere', 'other.html'), report)
  symlinkSync(folder, join(folder, 'loop'))
  symlinkSync(join(outer, 'elsewhere'), join(folder, 'linked'))
  symlinkSync(join(outer, 'elsewhere', 'other.html'), join(folder, 'one.html'))
  expect(await writeReportIndex(folder)).toMatchObject({ exitCode: 0 })
  const text = readFileSync(index(), 'utf8')
  expect(text).toContain('1 sessions')
  expect(text).not.toContain('other.html')
})
