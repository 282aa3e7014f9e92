// What holds of every verdict, over generated changes and evidence.

import { expect, test } from 'bun:test'
import process from 'node:process'
import fc from 'fast-check'
import type { ChangedPath } from '../../../src/features/verify/change/changed-path.ts'
import type { LedgerEntry } from '../../../src/features/verify/ledger/entry.ts'
import { functionEntriesOf } from '../../../src/features/verify/ledger/source-functions.ts'
import { hashText } from '../../../src/features/verify/ledger/text-hash.ts'
import { answerOf } from '../../../src/features/verify/verdict/verdict-answer.ts'
import { linesOfVerdict } from '../../../src/features/verify/verdict/verdict-lines.ts'
import { verdictMarkdown } from '../../../src/features/verify/verdict/verdict-markdown.ts'
import { type Evidence, judge, type Verdict } from '../../../src/features/verify/verdict/verdict.ts'

const RUNS = process.env['TEST_BROWSER'] === 'firefox' ? 200_000 : 10_000
const RANKS = { FAIL: 0, UNVERIFIED: 1, PASS: 2 }

const text = 'import "./a"\nconst f = () => {\n  one()\n\n  return `\n    two`\n}\n// text\nf()\n'
const LINES = [1, 2, 3, 4, 5, 6, 7, 8, 9]

const paths = fc.constantFrom(
  ...['src/a.js', 'src/b.tsx', 'App.vue', 'a.css', 'server.py', 'README.md', 'data.json', 'tests/a.spec.ts'],
)
const someLines = fc.subarray(LINES)
const changedPath: fc.Arbitrary<ChangedPath> = fc.record({
  path: paths,
  change: fc.constantFrom('added', 'edited', 'removed', 'renamed'),
  content: fc.option(fc.constant(text), { nil: undefined }),
  baseContent: fc.option(fc.constantFrom(text, 'old()\n', text.replace('// text', '// other')), {
    nil: undefined,
  }),
  hash: fc.constant('bytes'),
  lines: someLines,
  removals: fc.array(
    fc.record({ line: fc.constantFrom(...LINES), oldLine: fc.constant(1), count: fc.constantFrom(1, 2) }),
    { maxLength: 2 },
  ),
  editedAt: fc.constantFrom(5, undefined),
})
const changes = fc.uniqueArray(changedPath, { selector: ({ path }) => path, minLength: 1, maxLength: 5 })

const run = fc
  .record({ file: paths, ran: someLines, partly: someLines, version: fc.constantFrom(text, `${text}\n`) })
  .map(({ file, ran, partly, version }): LedgerEntry => {
    const states = { ran, partly: partly.filter((line) => !ran.includes(line)) }
    const notRun = LINES.filter((line) => !ran.includes(line) && !partly.includes(line))
    const functions = functionEntriesOf([{ firstLine: 1, lastLine: 9, ...states, notRun }], version, file)
    return { kind: 'run', at: 6, session: 's1', call: 'click', file, content: hashText(version), functions }
  })
const seen = paths.map((file): LedgerEntry => ({
  kind: 'seen',
  at: 6,
  session: 's1',
  call: 'open',
  file,
  content: 'bytes',
}))

const evidence: fc.Arbitrary<Evidence> = fc.record({
  base: fc.constant('main'),
  isBaseKnown: fc.boolean(),
  changed: changes,
  entries: fc.array(fc.oneof(run, seen), { maxLength: 6 }),
  claims: fc.array(
    fc.record({ say: fc.constant('it works'), verdict: fc.constantFrom('PASS', 'FAIL', 'UNVERIFIED') }),
    { maxLength: 2 },
  ),
  flows: fc.array(
    fc.record({
      ...{ path: fc.constant('tests/a.spec.ts'), at: fc.constant(1), duration: fc.constant(1) },
      touches: fc.constant([{ file: 'src/a.js', lines: [3] }]),
      ...{ verdict: fc.constantFrom('PASS', 'FAIL', 'UNVERIFIED'), hasPassed: fc.boolean() },
    }),
    { maxLength: 1 },
  ),
  stale: fc.constantFrom([], ['Stale page.']),
  tests: fc.constantFrom(new Set<string>(), new Set(['tests/a.spec.ts'])),
  serverFiles: fc.constantFrom(new Set<string>(), new Set(['src/a.js'])),
  serverNote: fc.constant(''),
  unseen: fc.constantFrom(undefined, 'no coverage in firefox'),
  voucher: fc.constantFrom(undefined, { startedAt: 5, ground: 'server started; "a" holds' }),
})

/** The same run without the lines that ran, and nothing of what was received. */
const weaken = (entry: LedgerEntry): LedgerEntry | undefined =>
  entry.kind === 'run'
    ? {
        ...entry,
        functions: entry.functions.map(({ ran, partly, notRun, ...one }) => ({
          ...{ ...one, ran: [], partly: [] },
          notRun: [...ran, ...partly, ...notRun].toSorted((a, b) => a - b),
        })),
      }
    : undefined

const isBetter = (one: Verdict, other: Verdict) => RANKS[one.verdict] > RANKS[other.verdict]

test('every path of the change is in the answer once', () => {
  fc.assert(
    fc.property(evidence, (facts) => {
      expect(judge(facts).files.map(({ file }) => file)).toEqual(facts.changed.map(({ path }) => path))
    }),
    { numRuns: RUNS },
  )
})

test('with less evidence the verdict is never better', () => {
  fc.assert(
    fc.property(evidence, fc.nat(), (facts, index) => {
      const { entries, voucher, ...rest } = facts
      const weaker = entries.map((entry, at) => (at === index % entries.length ? weaken(entry) : entry))
      const fewer = weaker.filter((entry) => entry !== undefined)
      const whole = judge(facts)
      expect(isBetter(judge({ ...facts, entries: fewer }), whole)).toBe(false)
      expect(isBetter(judge({ ...rest, entries }), whole)).toBe(false)
    }),
    { numRuns: RUNS },
  )
})

test('with one more changed piece the verdict is never better', () => {
  fc.assert(
    fc.property(evidence, changedPath, fc.constantFrom(...LINES), (facts, more, line) => {
      const [first, ...others] = facts.changed
      if (!first) return
      const whole = judge(facts)
      const isNew = facts.changed.every(({ path }) => path !== more.path)
      if (isNew) expect(isBetter(judge({ ...facts, changed: [...facts.changed, more] }), whole)).toBe(false)
      const longer = { ...first, lines: [...new Set([...first.lines, line])].toSorted((a, b) => a - b) }
      expect(isBetter(judge({ ...facts, changed: [longer, ...others] }), whole)).toBe(false)
    }),
    { numRuns: RUNS },
  )
})

test('for each PASS the Markdown names the ground of each path', () => {
  fc.assert(
    fc.property(evidence, (facts) => {
      const verdict = judge(facts)
      if (verdict.verdict !== 'PASS') return
      const rows = verdictMarkdown(verdict, 7).split('\n')
      for (const { file } of verdict.files) {
        const cells = rows.find((row) => row.startsWith(`| \`${file}\` |`))?.split('|') ?? []
        expect(cells.slice(2, -1).some((cell) => cell.trim() !== '')).toBe(true)
      }
    }),
    { numRuns: RUNS },
  )
})

test('the text, the Markdown and the structured form say the same', () => {
  fc.assert(
    fc.property(evidence, (facts) => {
      const verdict = judge(facts)
      const answer = answerOf(verdict, 7)
      const [first] = linesOfVerdict(answer)
      const markdown = verdictMarkdown(verdict, 7).replaceAll('`', '')
      expect(first).toBe(`verify: ${answer.verdict} - ${answer.message}`)
      expect(markdown).toStartWith(`## verify: ${answer.verdict}\n\n${answer.message.replaceAll('`', '')}`)
      const files = linesOfVerdict(answer).join('\n')
      for (const { file } of answer.files)
        expect([files.includes(file), markdown.includes(file)]).toEqual([true, true])
    }),
    { numRuns: RUNS },
  )
})
