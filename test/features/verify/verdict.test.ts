// The verdict on a change, from what git and the ledger say.

import { expect, test } from 'bun:test'
import { linesWithCode } from '../../../src/features/verify/change/code-lines.ts'
import { fileKindOf } from '../../../src/features/verify/change/file-kind.ts'
import type { LedgerEntry } from '../../../src/features/verify/ledger/entry.ts'
import { functionEntriesOf } from '../../../src/features/verify/ledger/source-functions.ts'
import { hashText } from '../../../src/features/verify/ledger/text-hash.ts'
import { answerOf } from '../../../src/features/verify/verdict/verdict-answer.ts'
import { linesOfVerdict } from '../../../src/features/verify/verdict/verdict-lines.ts'
import { verdictMarkdown } from '../../../src/features/verify/verdict/verdict-markdown.ts'
import { type Evidence, judge } from '../../../src/features/verify/verdict/verdict.ts'

const content = 'const add = () => {\n  total += 2\n  if (total > 9) {\n    total = 9\n  }\n}\nadd()'
const at = 1_000_000

const ranOf = (ran: readonly number[], notRun: readonly number[], text = content): LedgerEntry => ({
  kind: 'run',
  at,
  session: 's1',
  call: 'click #add',
  file: 'src/cart.js',
  content: hashText(text),
  functions: functionEntriesOf([{ firstLine: 1, lastLine: 4, ran, partly: [], notRun }], text, 'src/cart.js'),
})

const judgeWith = (more: Partial<Evidence> = {}) =>
  judge({
    base: 'main',
    changed: [{ path: 'src/cart.js', content, lines: [2, 3, 4] }],
    entries: [],
    claims: [],
    stale: [],
    serverNote: '',
    serverFiles: new Set(),
    ...more,
  })

test('an import before all other code is part of the change, and runs with the file', () => {
  const content = "import { a } from './a.js'\nimport './b.js'\na()\n"
  const judgeImport = (ran: readonly number[]) => {
    const functions = functionEntriesOf(
      [{ firstLine: 3, lastLine: 3, ran, partly: [], notRun: ran.length > 0 ? [] : [3] }],
      content,
      'c.js',
    )
    const entry = { kind: 'run', at: 1, session: 's1', call: 'navigate /', file: 'c.js' } as const
    return judge({
      base: 'main',
      changed: [{ path: 'c.js', content, lines: [1] }],
      entries: [{ ...entry, content: hashText(content), functions }],
      claims: [],
      stale: [],
      serverNote: '',
      serverFiles: new Set(),
    })
  }
  expect(judgeImport([3])).toMatchObject({ verdict: 'PASS', files: [{ partly: [1] }] })
  expect(judgeImport([]).files).toEqual([])
})

test('PASS needs each changed line to have run in its present content', () => {
  expect(judgeWith().verdict).toBe('UNVERIFIED')
  expect(judgeWith({ entries: [ranOf([1, 2, 3], [4])] }).verdict).toBe('UNVERIFIED')
  expect(judgeWith({ entries: [ranOf([1, 2, 3, 4], [])] }).verdict).toBe('PASS')
  expect(judgeWith({ entries: [ranOf([1, 2, 3, 4], [], `${content}\n// before`)] }).verdict).toBe('PASS')
  const edited = content.replace('+= 2', '+= 1')
  expect(judgeWith({ entries: [ranOf([1, 2, 3, 4], [], edited)] }).verdict).toBe('UNVERIFIED')
})

test('a stale page, a claim without a check and a failure outweigh what ran', () => {
  const entries = [ranOf([1, 2, 3, 4], [])]
  const claim = { say: 'the total is right', verdict: 'PASS' } as const
  expect(judgeWith({ entries, claims: [claim] }).verdict).toBe('PASS')
  expect(judgeWith({ entries, stale: ['Stale page.'] }).verdict).toBe('UNVERIFIED')
  expect(judgeWith({ entries, claims: [{ ...claim, verdict: 'UNVERIFIED' }] }).verdict).toBe('UNVERIFIED')
  expect(judgeWith({ entries, claims: [{ ...claim, verdict: 'FAIL' }] }).verdict).toBe('FAIL')
  const error = {
    kind: 'error',
    at,
    session: 's1',
    file: 'src/cart.js',
    name: 'TypeError',
    isBlank: false,
  } as const
  const hash = hashText(content)
  expect(judgeWith({ entries: [...entries, { ...error, content: hash, line: 3 }] }).verdict).toBe('FAIL')
  expect(judgeWith({ entries: [...entries, { ...error, content: hash, line: 1 }] }).verdict).toBe('PASS')
  expect(judgeWith({ entries: [...entries, { ...error, content: 'before', line: 3 }] }).verdict).toBe('PASS')
})

test('what nothing can tell is named with its reason, and is no PASS by itself', () => {
  const server = { path: 'server/orders.py', content: 'def f():\n  pass', lines: [1] }
  const verdict = judgeWith({ changed: [server], serverNote: 'its server started 3 s ago' })
  expect(verdict.files[0]?.notSeen).toBe('no coverage of Python; its server started 3 s ago')
  expect(verdict.verdict).toBe('UNVERIFIED')
  const both = judgeWith({
    changed: [server, { path: 'src/cart.js', content, lines: [2] }],
    entries: [ranOf([2], [])],
  })
  expect(both.verdict).toBe('PASS')
  expect(linesOfVerdict(answerOf(both, at))[0]).toBe(
    'verify: PASS - 1 of 1 changed file ran since its last edit, 1 not seen',
  )
  expect(judgeWith({ unseen: 'no coverage in firefox' }).files[0]?.notSeen).toBe('no coverage in firefox')
})

test('comments, types, documentation and tests do not count', () => {
  const types =
    'interface A {\n  b: string\n}\n// text\nimport type { B } from "./b"\n/* x\n y */\nconst a = 1'
  expect(linesWithCode(types, [1, 2, 3, 4, 5, 6, 7, 8])).toEqual([8])
  expect(linesWithCode('const url = "http://a/b"\nconst b = `/* ${url}`\nc()', [1, 2, 3])).toEqual([1, 2, 3])
  for (const path of ['README.md', 'src/a.test.ts', 'tests/cart.spec.ts', 'src/env.d.ts', 'LICENSE'])
    expect([path, fileKindOf(path)]).toEqual([path, { kind: 'none' }])
  for (const path of [
    'test-results/.last-run.json',
    'web/test-results/a-b/trace.zip',
    'playwright-report/index.html',
  ])
    expect([path, fileKindOf(path)]).toEqual([path, { kind: 'none' }])
  expect(fileKindOf('src/test-results/page.tsx')).toEqual({ kind: 'script' })
  const changed = [{ path: 'README.md', content: 'text', lines: [1] }]
  expect(judgeWith({ changed })).toMatchObject({ verdict: 'PASS', files: [] })
})

test('an answer of many files is short; the Markdown has all of them, and no cell breaks out of it', () => {
  const changed = Array.from({ length: 60 }, (_, index) => ({
    path: `src/part-${index}|<b>.js`,
    content: Array.from({ length: 300 }, (__, line) => `f(${line})`).join('\n\n'),
    lines: Array.from({ length: 300 }, (__, line) => 2 * line + 1),
  }))
  const verdict = judgeWith({ changed })
  expect(linesOfVerdict(answerOf(verdict, at)).join('\n').length).toBeLessThan(3000)
  const rows = verdictMarkdown(verdict, at)
    .split('\n')
    .filter((row) => row.includes('part-'))
  expect(rows).toHaveLength(60)
  expect(rows.every((row) => row.replaceAll('\\|', '').split('|').length === 8)).toBe(true)
})
