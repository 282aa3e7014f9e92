// The ledger: its entries, its file, and what they say of a file as it is now.

import { afterAll, expect, test } from 'bun:test'
import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import {
  formatEntry,
  type LedgerEntry,
  parseEntry,
  type RunEntry,
} from '../../../src/features/verify/ledger/entry.ts'
import { openLedger } from '../../../src/features/verify/ledger/ledger-file.ts'
import { formatLines, parseLines } from '../../../src/features/verify/ledger/line-ranges.ts'
import { runsOfContent } from '../../../src/features/verify/ledger/runs-of-content.ts'
import { functionEntriesOf } from '../../../src/features/verify/ledger/source-functions.ts'
import { hashText } from '../../../src/features/verify/ledger/text-hash.ts'

const folder = mkdtempSync(join(tmpdir(), 'fl-ledger-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const stateFolder = join(folder, 'state')
const open = (output: string, top: string) => openLedger(output, top, { stateFolder })

const lineSet = fc
  .uniqueArray(fc.integer({ min: 1, max: 5000 }), { maxLength: 60 })
  .map((lines) => lines.toSorted((a, b) => a - b))

test('lines go through their text and back', () => {
  fc.assert(
    fc.property(lineSet, fc.nat(5), (lines, origin) => {
      const start = Math.min(origin, ...lines)
      expect(parseLines(formatLines(lines, start), start)).toEqual(lines)
    }),
  )
})

const entry = fc.oneof(
  fc.record({
    kind: fc.constant('run' as const),
    at: fc.nat(),
    session: fc.string(),
    file: fc.string(),
    content: fc.string(),
    call: fc.string(),
    functions: fc.array(
      lineSet.chain((lines) => {
        const first = lines[0] ?? 1
        return fc.record({
          firstLine: fc.constant(first),
          lastLine: fc.constant(lines.at(-1) ?? first),
          text: fc.string(),
          ran: fc.constant(lines.filter((line) => line % 3 === 0)),
          partly: fc.constant(lines.filter((line) => line % 3 === 1)),
          notRun: fc.constant(lines.filter((line) => line % 3 === 2)),
        })
      }),
      { maxLength: 5 },
    ),
  }),
  fc.record({
    kind: fc.constant('error' as const),
    at: fc.nat(),
    session: fc.string(),
    file: fc.string(),
    content: fc.string(),
    line: fc.nat(),
    name: fc.string(),
    isBlank: fc.boolean(),
  }),
)

test('an entry is one line, and comes back as it was; a part of it is none', () => {
  fc.assert(
    fc.property(entry, fc.nat(), (value, cut) => {
      const line = formatEntry(value)
      expect(line).not.toContain('\n')
      expect(parseEntry(line)).toEqual(value)
      expect(parseEntry(line.slice(0, cut % line.length))).toBeUndefined()
    }),
  )
})

const run = (file: string, content: string, more: Partial<RunEntry> = {}): RunEntry => ({
  kind: 'run',
  at: 1,
  session: 's1',
  call: 'click #add',
  file,
  content: hashText(content),
  functions: functionEntriesOf(
    [{ firstLine: 1, lastLine: 2, ran: [1], partly: [], notRun: [2] }],
    content,
    file,
  ),
  ...more,
})

test('two writers, a torn line and a line of another kind lose nothing of what is whole', async () => {
  const first = open(folder, '/tree')
  const second = open(folder, '/tree')
  await Promise.all([first.append([run('a.js', 'a\nb')]), second.append([run('b.js', 'a\nb')])])
  const [name = ''] = [...new Bun.Glob('verify/*.jsonl').scanSync(folder)]
  const path = join(folder, name)
  appendFileSync(path, `${formatEntry(run('torn.js', 'x\ny')).slice(0, 40)}`)
  await first.append([run('c.js', 'a\nb')])
  appendFileSync(path, '{"kind":"run"}\nno json\n')
  const { entries, passedOver } = await second.read()
  expect(entries.map(({ file }) => file).toSorted()).toEqual(['a.js', 'b.js', 'c.js'])
  expect(passedOver).toEqual([expect.stringMatching(/^3 lines of the ledger .* did not sign/)])
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect((await open(folder, '/other').read()).entries).toEqual([])
})

test('a ledger stays small, and keeps what its newest entries say', async () => {
  const ledger = open(folder, '/long')
  const content = Array.from({ length: 400 }, (_, index) => `line ${index}`).join('\n')
  const functions = (lines: readonly number[]) =>
    functionEntriesOf(
      [{ firstLine: 1, lastLine: 400, ran: lines, partly: [], notRun: [] }],
      content,
      'big.js',
    )
  await ledger.append([run('old.js', content, { functions: functions([7]) })])
  const odd = Array.from({ length: 200 }, (_, index) => 2 * index + 1)
  for (let index = 0; index < 150; index++)
    await ledger.append(
      Array.from({ length: 10 }, () => run('big.js', content, { at: index, functions: functions(odd) })),
    )
  const { entries } = await ledger.read()
  const [name = ''] = [...new Bun.Glob('verify/*.jsonl').scanSync(folder)].filter((path) =>
    readFileSync(join(folder, path), 'utf8').includes('big.js'),
  )
  expect(statSync(join(folder, name)).size).toBeLessThan(1_100_000)
  expect(entries.some(({ file }) => file === 'old.js')).toBe(true)
  expect(entries.at(-1)).toMatchObject({ file: 'big.js', at: 149 })
})

test('one that somebody has made huge is begun anew with what is at its end', async () => {
  const own = mkdtempSync(join(folder, 'huge-'))
  const ledger = openLedger(own, '/tree')
  await ledger.append([run('a.js', 'a\nb')])
  truncateSync(ledger.path, 3_000_000_000)
  await ledger.append([run('b.js', 'a\nb')])
  expect((await ledger.read()).entries.map(({ file }) => file)).toEqual(['b.js'])
  expect(statSync(ledger.path).size).toBeLessThan(1000)
})

test('of lines that name more lines than a project has, the oldest are left out', async () => {
  const own = mkdtempSync(join(folder, 'ranges-'))
  const ledger = openLedger(own, '/tree')
  await ledger.append([run('a.js', 'a\nb')])
  const ran = Array.from({ length: 99_999 }, (_, index) => index + 1)
  const wide = { firstLine: 1, lastLine: 99_999, ran, partly: [], notRun: [], text: 'x' }
  for (let index = 0; index < 40; index++)
    await ledger.append([{ ...run('b.js', 'a\nb', { call: `click ${index}` }), functions: [wide] }])
  await ledger.append([run('a.js', 'a\nb')])
  const { entries } = await ledger.read()
  expect(entries.length).toBeLessThan(30)
  expect(entries.at(-1)).toMatchObject({ file: 'a.js' })
})

test('a folder that cannot be written, and a link in place of the file, are a failure that says so', async () => {
  const output = join(folder, 'blocked')
  writeFileSync(output, '')
  expect(await open(output, '/tree').append([run('a.js', 'a\nb')])).toMatchObject({ ok: false })
  const linked = join(folder, 'linked')
  await open(linked, '/tree').append([run('a.js', 'a\nb')])
  const [name = ''] = [...new Bun.Glob('verify/*.jsonl').scanSync(linked)]
  rmSync(join(linked, name))
  const target = join(folder, 'target')
  writeFileSync(target, '')
  symlinkSync(target, join(linked, name))
  expect(await open(linked, '/tree').append([run('a.js', 'a\nb')])).toMatchObject({ ok: false })
  expect(readFileSync(target, 'utf8')).toBe('')
  chmodSync(target, 0o600)
})

const before = ['const a = () => {', '  one()', '}', 'const b = () => {', '  two()', '}'].join('\n')
const entryOf = (content: string, functions: Parameters<typeof functionEntriesOf>[0]): RunEntry =>
  run('a.js', content, { functions: functionEntriesOf(functions, content, 'a.js') })
const statesOf = (content: string, entries: readonly RunEntry[]) =>
  Object.fromEntries([...runsOfContent(content, entries).lines].map(([line, { state }]) => [line, state]))

test('what an edit did not touch keeps that it ran; what it touched does not', () => {
  const entries = [
    entryOf(before, [
      { firstLine: 1, lastLine: 2, ran: [1, 2], partly: [], notRun: [] },
      { firstLine: 4, lastLine: 5, ran: [4, 5], partly: [], notRun: [] },
    ]),
  ]
  const moved = `// a comment\n${before.replace('two()', 'three()')}`
  expect(statesOf(before, entries)).toEqual({ 1: 'ran', 2: 'ran', 4: 'ran', 5: 'ran' })
  expect(statesOf(moved, entries)).toEqual({ 2: 'ran', 3: 'ran' })
  expect(runsOfContent(moved, entries).isLoaded).toBe(false)
})

test('of two functions with one text neither has run', () => {
  const entries = [entryOf(before, [{ firstLine: 1, lastLine: 2, ran: [1, 2], partly: [], notRun: [] }])]
  expect(statesOf(`${before.slice(0, before.indexOf('const b'))}${before}`, entries)).toEqual({})
})

test('a line that ran once has run, whatever a later reading says of it', () => {
  const functions = (ran: number[], notRun: number[]): Parameters<typeof functionEntriesOf>[0] => [
    { firstLine: 1, lastLine: 2, ran, partly: [], notRun },
  ]
  const entries: LedgerEntry[] = [
    entryOf(before, functions([], [1, 2])),
    entryOf(before, functions([1, 2], [])),
    entryOf(before, functions([1], [2])),
  ]
  expect(statesOf(before, entries as RunEntry[])).toEqual({ 1: 'ran', 2: 'ran' })
})

test('a line with a handler that was not called ran partly, and ran once another session called it', () => {
  type Functions = Parameters<typeof functionEntriesOf>[0]
  const outer = { firstLine: 1, lastLine: 3, partly: [] }
  const handler = { firstLine: 2, lastLine: 2, partly: [] }
  const opened: Functions = [
    { ...outer, ran: [1, 2, 3], notRun: [] },
    { ...handler, ran: [], notRun: [2] },
  ]
  const clicked: Functions = [
    { ...outer, ran: [], notRun: [1, 2, 3] },
    { ...handler, ran: [2], notRun: [] },
  ]
  const entries = [entryOf(before, opened), { ...entryOf(before, clicked), session: 'another' }]
  expect(statesOf(before, entries.slice(0, 1))).toEqual({ 1: 'ran', 2: 'partly', 3: 'ran' })
  expect(statesOf(before, entries)).toEqual({ 1: 'ran', 2: 'ran', 3: 'ran' })
})
