// The verdict on a change, from what git and the ledger say.

import { expect, test } from 'bun:test'
import type { ChangedPath } from '../../../src/features/verify/change/changed-path.ts'
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

const edited = (
  path: string,
  text: string,
  lines: readonly number[],
  more: Partial<ChangedPath> = {},
): ChangedPath => ({
  ...{ path, content: text, lines, removals: [], editedAt: 1 },
  change: 'edited',
  ...more,
})

const judgeWith = (more: Partial<Evidence> = {}) =>
  judge({
    ...{ base: 'main', isBaseKnown: true, entries: [], claims: [], flows: [], stale: [] },
    ...{ tests: new Set<string>(), serverNote: '', serverFiles: new Set<string>() },
    changed: [edited('src/cart.js', content, [2, 3, 4])],
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
    return judgeWith({
      changed: [edited('c.js', content, [1])],
      entries: [{ ...entry, content: hashText(content), functions }],
    })
  }
  expect(judgeImport([3])).toMatchObject({ verdict: 'PASS', files: [{ ran: [1] }] })
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

test('what nothing can tell is open, with the step that would tell', () => {
  const server = edited('server/orders.py', 'def f():\n  pass', [1])
  const verdict = judgeWith({ changed: [server], serverNote: 'its server started 3 s ago' })
  expect(verdict.files[0]).toMatchObject({
    notSeen: 'nothing counts what uses it; its server started 3 s ago',
    next: 'restart the server, open its page, and pass a claim with a check',
  })
  expect(verdict.verdict).toBe('UNVERIFIED')
  const changed = [server, edited('src/cart.js', content, [2])]
  const both = judgeWith({ changed, entries: [ranOf([2], [])] })
  expect(both.verdict).toBe('UNVERIFIED')
  expect(linesOfVerdict(answerOf(both, at))[0]).toBe('verify: UNVERIFIED - 1 of 2 changed files ran')
  expect(judgeWith({ unseen: 'no coverage in firefox' }).files[0]?.notSeen).toBe('no coverage in firefox')
})

test('what nothing sees into is vouched for by a server that started after its edit, and a claim that holds', () => {
  const server = edited('server/orders.py', 'def f():\n  pass', [1], { editedAt: 5 })
  const wordWith = (startedAt: number) =>
    judgeWith({ changed: [server], voucher: { startedAt, ground: 'server started 3 s ago; "a" holds' } })
      .verdict
  expect([wordWith(4), wordWith(5)]).toEqual(['UNVERIFIED', 'PASS'])
})

test('a file counts by what loads it and by its parser, not by its name or folder', () => {
  const code = 'export const f = () => {\n  g()\n}\n'
  for (const path of [
    'src/Notice.tsx',
    'authors.js',
    'app/tests/page.tsx',
    'lab.test.js',
    'karma.js',
    'a.config.js',
  ])
    expect([path, judgeWith({ changed: [edited(path, code, [2])] }).verdict]).toEqual([path, 'UNVERIFIED'])
  const tests = new Set(['tests/cart.spec.ts'])
  const test = edited('tests/cart.spec.ts', code, [2])
  expect(judgeWith({ changed: [test], tests })).toMatchObject({
    verdict: 'PASS',
    files: [{ notCounted: 'a test' }],
  })
  const unit = edited('src/total.test.ts', `import { test } from 'vitest'\n${code}`, [3])
  expect(judgeWith({ changed: [unit] })).toMatchObject({ files: [{ notCounted: 'a test' }] })
  for (const mention of [
    "// ported from 'tape'",
    "const template = `import { test } from 'vitest'`",
    "import type { TestContext } from 'node:test'",
    "if (isBuilding()) require('mocha')",
  ])
    expect([
      mention,
      judgeWith({ changed: [edited('src/total.ts', `${mention}\n${code}`, [3])] }).verdict,
    ]).toEqual([mention, 'UNVERIFIED'])
  const loaded = { ...ranOf([], [2], code), file: 'tests/cart.spec.ts' }
  expect(judgeWith({ changed: [test], tests, entries: [loaded] }).verdict).toBe('UNVERIFIED')
})

test('documentation alone is PASS; what frameworks run in it is none', () => {
  expect(
    judgeWith({ changed: [edited('README.md', 'Text.\n```js\nimport a from "a"\n```', [1])] }).verdict,
  ).toBe('PASS')
  for (const path of ['VERSION', 'BUILD', 'ROBOTS.txt'])
    expect([path, judgeWith({ changed: [edited(path, '2.0.0', [1])] }).verdict]).toEqual([path, 'UNVERIFIED'])
  for (const text of ['# A\n\n<Box />', '{{ a }}', "import a from './a'", '<script>\na()\n</script>'])
    expect(judgeWith({ changed: [edited('docs/index.md', text, [1])] }).verdict).toBe('UNVERIFIED')
  expect(judgeWith({ changed: [] }).verdict).toBe('UNVERIFIED')
})

test('comments, blank space and types alone do not count', () => {
  const base = 'export const f = (a) => {\n  return a\n}\n'
  const typed = 'export const f = (a: number): number => {\n  // the same\n  return a\n}\n'
  const file = (text: string) => edited('src/a.ts', text, [1, 2], { baseContent: base })
  expect(judgeWith({ changed: [file(typed)] })).toMatchObject({
    verdict: 'PASS',
    files: [{ notCounted: 'comments, blank space or types alone' }],
  })
  expect(judgeWith({ changed: [file(typed.replace('return a', 'return -a'))] }).verdict).toBe('UNVERIFIED')
})

test('what is removed counts: the function around it must have run, and its errors count', () => {
  const before = content.replace('  if (total > 9) {\n', '  if (!user) return\n  if (total > 9) {\n')
  const changed = [
    edited('src/cart.js', content, [], {
      baseContent: before,
      removals: [{ line: 3, oldLine: 3, count: 1 }],
    }),
  ]
  expect(judgeWith({ changed })).toMatchObject({ verdict: 'UNVERIFIED', files: [{ notLoaded: [3] }] })
  const idle = functionEntriesOf(
    [
      { firstLine: 1, lastLine: 7, ran: [1, 7], partly: [], notRun: [] },
      { firstLine: 2, lastLine: 4, ran: [], partly: [], notRun: [2, 3, 4] },
    ],
    content,
    'src/cart.js',
  )
  const loaded = { ...ranOf([], []), functions: idle }
  expect(judgeWith({ changed, entries: [loaded] })).toMatchObject({
    verdict: 'UNVERIFIED',
    files: [{ notRun: [3] }],
  })
  const ran = judgeWith({ changed, entries: [ranOf([1, 2, 3], [4])] })
  expect(ran).toMatchObject({ verdict: 'PASS', files: [{ ran: [3], beside: [{ line: 3, count: 1 }] }] })
  expect(linesOfVerdict(answerOf(ran, at))[1]).toContain('src/cart.js:3 (beside 1 removed line)')
  const error = {
    kind: 'error',
    at,
    session: 's1',
    file: 'src/cart.js',
    name: 'TypeError',
    isBlank: false,
  } as const
  const entries = [ranOf([1, 2, 3], [4]), { ...error, content: hashText(content), line: 2 }]
  expect(judgeWith({ changed, entries }).verdict).toBe('FAIL')
})

test('a file that is gone counts by what named it', () => {
  const gone: ChangedPath = {
    ...{ path: 'src/old.js', change: 'removed', lines: [], removals: [], baseContent: 'a()' },
  }
  expect(judgeWith({ changed: [gone] }).verdict).toBe('UNVERIFIED')
  const naming = edited('src/cart.js', content, [2], { baseContent: `import './old.js'\n${content}` })
  expect(judgeWith({ changed: [gone, naming] }).verdict).toBe('UNVERIFIED')
  expect(judgeWith({ changed: [gone, naming], entries: [ranOf([2], [])] }).verdict).toBe('PASS')
})

test('an answer of many files is short; the Markdown has all of them, and no cell breaks out of it', () => {
  const changed = Array.from({ length: 60 }, (_, index) =>
    edited(
      `src/part-${index}|<b>.js`,
      Array.from({ length: 300 }, (__, line) => `f(${line})`).join('\n\n'),
      Array.from({ length: 300 }, (__, line) => 2 * line + 1),
    ),
  )
  const verdict = judgeWith({ changed })
  expect(linesOfVerdict(answerOf(verdict, at)).join('\n').length).toBeLessThan(3000)
  const rows = verdictMarkdown(verdict, at)
    .split('\n')
    .filter((row) => row.includes('part-'))
  expect(rows).toHaveLength(60)
  expect(rows.every((row) => row.replaceAll('\\|', '').split('|').length === 8)).toBe(true)
})
