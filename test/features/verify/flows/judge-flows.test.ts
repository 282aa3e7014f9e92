import { expect, test } from 'bun:test'
import { judgeFlows } from '../../../../src/features/verify/flows/judge-flows.ts'
import { hashLines } from '../../../../src/features/verify/flows/line-changes.ts'
import { formatEntry, type LedgerEntry, parseEntry } from '../../../../src/features/verify/ledger/entry.ts'
import type { FlowEntry } from '../../../../src/features/verify/ledger/flow-entry.ts'
import { keepNewest } from '../../../../src/features/verify/ledger/keep-newest.ts'
import { hashText } from '../../../../src/features/verify/ledger/text-hash.ts'

const SPEC = 'tests/cart.spec.ts'
const before: Readonly<Record<string, string>> = {
  [SPEC]: 'test',
  'src/cart.ts': 'one\ntwo\nthree\nfour',
  'src/other.ts': 'other',
}
const flow = (fields: Partial<FlowEntry> = {}): FlowEntry => ({
  ...{ kind: 'flow', at: 100, session: 'test', file: SPEC, content: hashText(before[SPEC] ?? '') },
  ...{
    test: 'adds',
    isPassed: true,
    duration: 50,
    isWhole: true,
    isAll: true,
    inputs: 'a',
    past: [],
    elements: {},
  },
  resources: ['/', '/src/cart.ts'],
  files: [{ file: 'src/cart.ts', content: hashText(before['src/cart.ts'] ?? ''), ran: [1, 3] }],
  ...fields,
})
const text = (file: string): LedgerEntry => ({
  ...{ kind: 'text', at: 100, session: 'test', file, content: hashText(before[file] ?? '') },
  lines: hashLines(before[file] ?? ''),
})

/** The judgement after edits; `lines` are the changed ones of the edited files. */
function judge(
  edits: Readonly<Record<string, string | undefined>>,
  lines: readonly number[] = [],
  entries: readonly LedgerEntry[] = [text('src/cart.ts'), flow()],
) {
  const changed = Object.keys(edits).map((path) => ({ path, lines, editedAt: 200 }))
  const now = { ...before, ...edits }
  const verdicts = judgeFlows({ entries, changed, testFiles: [SPEC], read: (file) => now[file] })
  return verdicts.map(({ verdict, touches }) => [
    verdict,
    touches.map(({ file, lines: own }) => `${file}:${own}`).join(' '),
  ])
}

test('a line that ran is touched, one that did not is not', () => {
  expect(judge({ 'src/cart.ts': 'ONE\ntwo\nthree\nfour' }, [1])).toEqual([['UNVERIFIED', 'src/cart.ts:1']])
  expect(judge({ 'src/cart.ts': 'one\nTWO\nthree\nfour' }, [2])).toEqual([])
  expect(judge({ 'src/cart.ts': 'one\ntwo\nfour' }, [])).toEqual([['UNVERIFIED', 'src/cart.ts:2']])
  expect(judge({ 'src/cart.ts': '// note\n\none\ntwo\nthree\nfour' }, [])).toEqual([])
  expect(judge({ 'src/cart.ts': 'note()\none\ntwo\nthree\nfour' }, [1])).toEqual([
    ['UNVERIFIED', 'src/cart.ts:1'],
  ])
})

test('a run of the present code counts, with its outcome', () => {
  const edited = 'ONE\ntwo\nthree\nfour'
  const files = [{ file: 'src/cart.ts', content: hashText(edited), ran: [1, 3] }]
  const after = (isPassed: boolean) => [
    text('src/cart.ts'),
    flow(),
    flow({ at: 300, files, isPassed, inputs: 'b' }),
  ]
  expect(judge({ 'src/cart.ts': edited }, [1], after(true))).toEqual([['PASS', 'src/cart.ts:1']])
  expect(judge({ 'src/cart.ts': edited }, [1], after(false))).toEqual([['FAIL', 'src/cart.ts:1']])
  // Reverted: the first run counts again.
  expect(judge({}, [], after(false))).toEqual([])
})

test('what nobody can follow is touched: an unknown text, a file that is gone, one that no page has loaded', () => {
  expect(judge({ 'src/cart.ts': 'one\nTWO\nthree\nfour' }, [2], [flow()])).toEqual([
    ['UNVERIFIED', 'src/cart.ts:'],
  ])
  expect(judge({ 'src/cart.ts': undefined })).toEqual([['UNVERIFIED', 'src/cart.ts:']])
  expect(judge({ 'server/api.py': 'x' })).toEqual([['UNVERIFIED', 'server/api.py:']])
  expect(judge({ 'index.html': 'x' })).toEqual([['UNVERIFIED', 'index.html:']])
  expect(judge({ 'tests/login.ts': 'x' })).toEqual([['UNVERIFIED', 'tests/login.ts:']])
})

test('a script that other pages load and this test does not is none of it', () => {
  const other = flow({
    file: 'tests/other.spec.ts',
    files: [{ file: 'src/other.ts', content: '', ran: [1] }],
  })
  expect(judge({ 'src/other.ts': 'x' }, [1], [text('src/cart.ts'), flow(), other])).toEqual([])
  expect(judge({ 'src/other.ts': 'x' }, [1], [text('src/cart.ts'), flow({ isWhole: false }), other])).toEqual(
    [['UNVERIFIED', 'src/other.ts:']],
  )
})

test('a test that is edited, or that nothing is known of, has not run', () => {
  expect(judge({ [SPEC]: 'edited' })).toEqual([['UNVERIFIED', `${SPEC}:`]])
  expect(judge({ 'src/cart.ts': 'x' }, [1], [])).toEqual([['UNVERIFIED', '']])
  expect(judge({}, [], [])).toEqual([])
})

test('entries are what they were after they were written, and the newest of a test is kept', () => {
  const entries = [
    text('src/cart.ts'),
    flow({ past: [{ inputs: 'a', isPassed: false }], elements: { k: ['button x'] } }),
    flow({ at: 200 }),
  ]
  expect(entries.map((entry) => parseEntry(formatEntry(entry)))).toEqual(entries)
  expect(keepNewest(entries, 100_000).map(({ at, kind }) => [kind, at])).toEqual([
    ['text', 100],
    ['flow', 200],
  ])
})

test('a test that did not run when all of its file did and passed is no more', () => {
  const edits = { 'src/cart.ts': 'ONE\ntwo\nthree\nfour' }
  const files = [{ file: 'src/cart.ts', content: hashText(edits['src/cart.ts']), ran: [1, 3] }]
  const verdictAfter = (later: Partial<FlowEntry>) =>
    judge(edits, [1], [text('src/cart.ts'), flow(), flow({ test: 'adds [phone]', at: 300, files, ...later })])
  expect(verdictAfter({})).toEqual([['PASS', 'src/cart.ts:1']])
  for (const later of [{ isAll: false }, { isPassed: false }])
    expect(verdictAfter(later)).toEqual([['UNVERIFIED', 'src/cart.ts:1']])
})
