// What must not be taken for a proof: lines of which a part did not run, ledgers of others, files that git does not show.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createRunGit } from '../../../src/core/devserver/process/run-git.ts'
import type { ChangedPath } from '../../../src/features/verify/change/changed-path.ts'
import { readChange } from '../../../src/features/verify/change/read-change.ts'
import type { RunEntry } from '../../../src/features/verify/ledger/entry.ts'
import { openLedger } from '../../../src/features/verify/ledger/ledger-file.ts'
import { runsOfContent } from '../../../src/features/verify/ledger/runs-of-content.ts'
import { functionEntriesOf } from '../../../src/features/verify/ledger/source-functions.ts'
import { hashText } from '../../../src/features/verify/ledger/text-hash.ts'
import { type Evidence, judge } from '../../../src/features/verify/verdict/verdict.ts'
import { createShop } from '../../support/small-shop.ts'

let folder: string
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-unproven-')))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const FILE = 'src/app.js'
type Functions = Parameters<typeof functionEntriesOf>[0]
const run = (content: string, functions: Functions, more: Partial<RunEntry> = {}): RunEntry => ({
  ...{ kind: 'run', at: 1, session: 's1', call: 'click #a', file: FILE, content: hashText(content) },
  functions: functionEntriesOf(functions, content, FILE),
  ...more,
})
const lines = (first: number, last: number, ran: number[], notRun: number[]): Functions[number] => ({
  firstLine: first,
  lastLine: last,
  ran,
  partly: [],
  notRun,
})
const edited = (
  path: string,
  content: string,
  changed: readonly number[],
  editedAt?: number,
): ChangedPath => ({
  ...{ path, content, lines: changed, removals: [], editedAt },
  change: 'edited',
})
const nothingElse = {
  ...{ base: 'main', isBaseKnown: true, entries: [], claims: [], flows: [], stale: [] },
  ...{ tests: new Set<string>(), serverNote: '', serverFiles: new Set<string>() },
}
const judgeLines = (content: string, changed: readonly number[], more: Partial<Evidence>) =>
  judge({
    ...nothingElse,
    changed: [edited(FILE, content, changed)],
    ...more,
  })
const claim = { say: 'it works', verdict: 'PASS' } as const

test('a line with a handler that nothing called has not run', () => {
  const content = 'let n = 0\na.onclick = () => n++, b.onclick = () => n--\n'
  const all = [lines(1, 2, [1, 2], []), lines(2, 2, [], [2]), lines(2, 2, [], [2])]
  const verdict = judgeLines(content, [2], { entries: [run(content, all)], claims: [claim] })
  expect(verdict).toMatchObject({ verdict: 'UNVERIFIED', files: [{ ran: [], partly: [], notRun: [2] }] })
  const clicked = run(content, all, { at: 2 })
  const first = {
    ...clicked,
    functions: clicked.functions.slice(1, 2).map((one) => ({ ...one, ran: [2], notRun: [] })),
  }
  expect(judgeLines(content, [2], { entries: [run(content, all), first] }).verdict).toBe('UNVERIFIED')
  const second = {
    ...clicked,
    functions: clicked.functions.slice(2).map((one) => ({ ...one, ran: [2], notRun: [] })),
  }
  expect(judgeLines(content, [2], { entries: [run(content, all), first, second] })).toMatchObject({
    verdict: 'PASS',
    files: [{ ran: [2] }],
  })
})

test('a function that the ledger does not know has not run because its neighbor did', () => {
  const content = 'function a() {\n  one()\n}\nfunction b() {\n  two()\n}\n'
  const entries = [run(content, [lines(1, 2, [1, 2], [])])]
  expect(judgeLines(content, [5], { entries }).files).toMatchObject([{ partly: [], notRun: [5] }])
  const call = 'show(\n  <p>\n    text\n  </p>,\n)\n'
  const within = [run(call, [lines(1, 1, [1], [])])]
  expect(judgeLines(call, [3], { entries: within }).files).toMatchObject([{ ran: [3] }])
  const caught = 'try {\n  one()\n} catch (error) {\n  two()\n}\n'
  const inCatch = (ran: number[], notRun: number[]) =>
    judgeLines(caught, [3], { entries: [run(caught, [lines(1, 4, ran, notRun)])] }).files
  expect(inCatch([1, 2, 4], [])).toMatchObject([{ ran: [3] }])
  expect(inCatch([1, 2], [4])).toMatchObject([{ notRun: [3] }])
})

test('a condition of rules is used where one of its rules is', () => {
  const content = '.a {\n  top: 0\n}\n@media (max-width: 9px) {\n  .b { top: 1px }\n}\n'
  const judged = (used: number[], unused: number[]) =>
    judge({
      ...nothingElse,
      changed: [edited('a.css', content, [4])],
      entries: [run(content, [lines(1, 5, used, unused)], { file: 'a.css', part: 'style' })],
    }).files
  expect(judged([1, 2], [5])).toMatchObject([{ notRun: [4] }])
  expect(judged([5], [1, 2])).toMatchObject([{ ran: [4] }])
})

test('what is in a comment now has not run', () => {
  const before = 'function a() {\n  one()\n}\nlet b\n'
  const after = `/*\n${before.slice(0, -6)}*/\nlet b\n`
  const entries = [
    run(before, [lines(1, 2, [1, 2], []), lines(4, 4, [4], [])]),
    run(after, [lines(6, 6, [6], [])], { at: 2 }),
  ]
  expect([...runsOfContent(after, entries).lines.keys()]).toEqual([6])
})

test('where nothing ran, claims alone are no PASS; nor is another browser', () => {
  const template = edited('index.html', '<h1>a</h1>', [1])
  expect(judgeLines('', [], { changed: [template], claims: [claim] }).verdict).toBe('UNVERIFIED')
  expect(judgeLines('', [], { changed: [], claims: [claim] }).verdict).toBe('UNVERIFIED')
  expect(judgeLines('', [], { changed: [] }).verdict).toBe('UNVERIFIED')
  const content = 'one()\n'
  const changed = [edited(FILE, content, [1]), edited('src/other.js', content, [1])]
  const entries = [run(content, [lines(1, 1, [1], [])])]
  expect(judgeLines('', [], { changed, entries, unseen: 'no coverage in firefox' }).verdict).toBe(
    'UNVERIFIED',
  )
})

test('of what an evaluation ran it is said so, also where a click ran the rest', () => {
  const content = 'function a() {\n  one()\n}\nfunction b() {\n  two()\n}\n'
  const entries = [
    run(content, [lines(1, 2, [1, 2], [])], { call: 'navigate / or evaluate' }),
    run(content, [lines(4, 5, [4, 5], [])], { at: 2 }),
  ]
  expect(judgeLines(content, [2, 5], { entries }).files[0]?.by?.call).toBe('navigate / or evaluate')
  const again = run(content, [lines(1, 2, [1, 2], [])], { at: 3 })
  const evaluated = run(content, [lines(1, 2, [1, 2], [])], { at: 4, call: 'evaluate' })
  expect(judgeLines(content, [2, 5], { entries: [...entries, again, evaluated] }).files[0]?.by?.call).toBe(
    'click #a',
  )
})

test('an error from before the last edit is over when its line has run since', () => {
  const content = 'one()\n'
  const error = {
    kind: 'error',
    at: 5,
    session: 's1',
    file: FILE,
    content: hashText(content),
    line: 1,
    name: 'TypeError',
    isBlank: false,
  } as const
  const changed = [edited(FILE, content, [1], 1), edited('src/other.js', content, [1], 7)]
  const other = run(content, [lines(1, 1, [1], [])], { at: 9, file: 'src/other.js' })
  const cutOff = run(content, [lines(1, 1, [1], [])], { at: 5, isCutOff: true })
  const later = run(content, [lines(1, 1, [1], [])], { at: 9 })
  const wordOf = (...entries: Evidence['entries']) => judgeLines('', [], { changed, entries }).verdict
  expect(wordOf(other, cutOff, error)).toBe('FAIL')
  expect(wordOf(other, cutOff, error, later)).toBe('PASS')
  expect(wordOf(other, cutOff, { ...error, at: 8 }, later)).toBe('FAIL')
})

test('a function of one line moves with the one around it', () => {
  const before = 'function a() {\n  b.map((c) => c.d)\n  e()\n}\n'
  const all = [lines(1, 3, [1, 2, 3], []), lines(2, 2, [], [2])]
  const { lines: runs } = runsOfContent(`let f\n${before}`, [run(before, all)])
  expect([...runs].map(([line, { state, hasIdleFunction }]) => [line, state, hasIdleFunction])).toEqual([
    [2, 'ran', false],
    [3, 'partly', true],
    [4, 'ran', false],
  ])
})

test('the ledger of another work tree says nothing', async () => {
  const output = join(folder, 'out')
  const open = (top: string) => openLedger(output, top, { stateFolder: join(folder, 'state') })
  await open('/one').append([run('a\nb', [lines(1, 2, [1, 2], [])])])
  copyFileSync(
    join(output, 'verify', `${hashText('/one')}.jsonl`),
    join(output, 'verify', `${hashText('/two')}.jsonl`),
  )
  expect((await open('/one').read()).entries).toHaveLength(1)
  expect((await open('/two').read()).entries).toEqual([])
})

test('files of which git shows no lines are changed as a whole, and pictures are not seen', async () => {
  const shop = join(folder, 'shop')
  createShop(shop)
  writeFileSync(join(shop, '.gitattributes'), '*.js -diff\n')
  writeFileSync(join(shop, 'public/app.js'), 'let count = 1\ncount += 1\n')
  writeFileSync(join(shop, 'public/a.png'), Buffer.from([1, 0, 2]))
  for (let index = 0; index < 110; index++) writeFileSync(join(shop, `public/n${index}.js`), 'one()\n')
  const change = await readChange(createRunGit({ parentEnv: process.env }), shop, undefined)
  const files = change.ok ? change.value.files : []
  expect(files.find(({ path }) => path === 'public/app.js')?.lines).toEqual([1, 2])
  expect(files.find(({ path }) => path === 'public/a.png')).toMatchObject({ noContent: 'binary' })
  expect(files.filter(({ path }) => /\/n\d+\.js$/.test(path))).toHaveLength(110)
})
