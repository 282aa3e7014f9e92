// Whether a page shows the code as it is now: an edit is shown only with one of four grounds, and without one it cannot be told.

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { freshnessLineOf, freshnessNoteOf } from '../../../src/features/freshness/describe-freshness.ts'
import {
  type Build,
  type Edit,
  type FreshnessRecords,
  type HeldFile,
  judgeFreshness,
  type Update,
} from '../../../src/features/freshness/judge-freshness.ts'

type Program = FreshnessRecords['programs'][number]

const base: FreshnessRecords = {
  now: 9000,
  edits: [{ file: 'src/app.ts', at: 5000 }],
  isComplete: true,
  holdings: [],
  updates: [],
  builds: [],
  programs: [],
  server: { startedAt: 0, isWatching: false },
  page: { documentAt: 1000, lastLoadAt: 1000, isConnected: false, hasErrors: false },
}
const reloaded = { ...base.page, documentAt: 8000, lastLoadAt: 8000 }
const judge = (records: Partial<FreshnessRecords>) => judgeFreshness({ ...base, ...records })
const groundOf = (records: Partial<FreshnessRecords>) => {
  const freshness = judge(records)
  return freshness.state === 'fresh' ? freshness.freshFiles?.[0]?.ground : freshness.state
}
const holdings = (more: Partial<HeldFile>): HeldFile => ({
  ...{ file: 'src/app.ts', text: 'present', loadedAt: 6000, isEvaluated: true, isAddressed: true },
  ...more,
})
const build = (more: Partial<Build>): Build => ({
  ...{ name: 'webpack', beganAt: 5100, endedAt: 5300, files: ['src/app.ts'] },
  ...more,
})
const program = (startedAt: number, more: Partial<Program> = {}): Program => ({
  ...{ startedAt, files: new Set(['src/app.ts']), isUp: true },
  ...more,
})

const NUM_RUNS = 10_000
const LIMIT_MS = 120_000
const file = fc.constantFrom('a.ts', 'b.ts', 'c.ts')
const time = fc.integer({ min: 0, max: 12 })
const records: fc.Arbitrary<FreshnessRecords> = fc.record({
  now: fc.constant(20_000),
  edits: fc.uniqueArray(fc.record({ file, at: time }), { minLength: 1, selector: (edit) => edit.file }),
  isComplete: fc.boolean(),
  holdings: fc.array(
    fc.record({
      file,
      text: fc.constantFrom('present' as const, 'earlier' as const, undefined),
      loadedAt: time,
      isEvaluated: fc.boolean(),
      isAddressed: fc.boolean(),
    }),
    { maxLength: 4 },
  ),
  updates: fc.array(fc.record({ file, at: time, isApplied: fc.boolean() }), { maxLength: 3 }),
  builds: fc.array(
    fc.record(
      {
        name: fc.constantFrom('client', 'server'),
        beganAt: fc.nat(6),
        endedAt: fc.integer({ min: 6, max: 14 }),
        isFailed: fc.boolean(),
        files: fc.uniqueArray(file),
      },
      { requiredKeys: ['name', 'beganAt', 'files'] },
    ),
    { maxLength: 3 },
  ),
  programs: fc.array(
    fc.record({
      startedAt: time,
      files: fc.uniqueArray(file).map((files) => new Set(files)),
      isUp: fc.boolean(),
      isHot: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  server: fc.record({ startedAt: time, isWatching: fc.boolean() }),
  page: fc
    .record({ documentAt: fc.nat(16), isConnected: fc.boolean(), hasErrors: fc.boolean() })
    .map((page) => ({ ...page, lastLoadAt: page.documentAt })),
})

const isOver = ({ beganAt, endedAt = Infinity, isFailed = false }: Build, at: number) =>
  beganAt >= at && endedAt < Infinity && !isFailed

/** The grounds that there are for an edit, each by its own words. */
const groundsFor = ({ file: name, at }: Edit, facts: FreshnessRecords) => ({
  received: facts.holdings.some((one) => one.file === name && one.text === 'present' && one.isEvaluated),
  announced: facts.updates.some((one) => one.file === name && one.at >= at && one.isApplied),
  built: facts.builds.some(
    (one) =>
      one.files.includes(name) && isOver(one, at) && facts.page.documentAt >= (one.endedAt ?? Infinity),
  ),
  started: facts.programs.some(
    (one) => one.files.has(name) && one.startedAt > at && facts.page.documentAt > one.startedAt,
  ),
})

describe('the law', () => {
  test(
    'every edit of a fresh page has one of the grounds',
    () => {
      fc.assert(
        fc.property(records, (facts) => {
          const freshness = judgeFreshness(facts)
          if (freshness.state !== 'fresh') return
          for (const edit of facts.edits) {
            const ground = freshness.freshFiles?.find((one) => one.file === edit.file)?.ground
            expect(ground === undefined || groundsFor(edit, facts)[ground]).toBe(true)
            expect(ground).toBeDefined()
          }
        }),
        { numRuns: NUM_RUNS },
      )
    },
    LIMIT_MS,
  )
  test(
    'with less that speaks for it, no page is fresh that was not',
    () => {
      fc.assert(
        fc.property(records, fc.infiniteStream(fc.boolean()), fc.nat(16), (facts, keeps, earlier) => {
          const lastEditAt = Math.max(...facts.edits.map(({ at }) => at))
          const without = <T>(all: readonly T[], speaksForIt: (one: T) => boolean): readonly T[] =>
            all.filter((one) => !speaksForIt(one) || keeps.next().value)
          const fewer: FreshnessRecords = {
            ...facts,
            holdings: without(facts.holdings, (one) => one.text === 'present' && one.isEvaluated),
            updates: without(facts.updates, (one) => one.isApplied),
            builds: without(
              facts.builds,
              (one) => isOver(one, lastEditAt) && facts.page.documentAt >= (one.endedAt ?? Infinity),
            ),
            programs: without(
              facts.programs,
              ({ startedAt, isUp }) =>
                startedAt > lastEditAt && isUp && facts.page.documentAt > startedAt && !facts.page.hasErrors,
            ),
            page: { ...facts.page, documentAt: Math.min(facts.page.documentAt, earlier) },
          }
          if (judgeFreshness(fewer).state === 'fresh') expect(judgeFreshness(facts).state).toBe('fresh')
        }),
        { numRuns: NUM_RUNS },
      )
    },
    LIMIT_MS,
  )
})

describe('the grounds', () => {
  test('the page holds the present content, and has evaluated it', () => {
    expect(groundOf({ holdings: [holdings({})] })).toBe('received')
    expect(groundOf({ holdings: [holdings({ isEvaluated: false })] })).toBe('pending')
    expect(groundOf({ holdings: [holdings({ text: 'earlier' })] })).toBe('pending')
    expect(groundOf({ holdings: [holdings({ text: undefined, isAddressed: false })] })).toBe('unknown')
  })
  test('the server named the file in an update that the page has applied', () => {
    const update = (more: Partial<Update>) => ({
      ...{ file: 'src/app.ts', at: 5000, isApplied: true },
      ...more,
    })
    expect(groundOf({ updates: [update({})] })).toBe('announced')
    expect(groundOf({ updates: [update({ isApplied: false })] })).toBe('stale')
    expect(groundOf({ updates: [update({ at: 4999 })] })).toBe('unknown')
    expect(
      groundOf({ updates: [update({})], holdings: [holdings({ text: 'earlier', loadedAt: 1000 })] }),
    ).toBe('stale')
  })
  test('a build that names the file began and ended after the edit, as all others did', () => {
    expect(groundOf({ builds: [build({})], page: reloaded })).toBe('built')
    expect(groundOf({ builds: [build({})] })).toBe('unknown')
    expect(groundOf({ builds: [build({ files: [] })], page: reloaded })).toBe('unknown')
    expect(groundOf({ builds: [build({ beganAt: 4900 })], page: reloaded })).toBe('unknown')
    expect(groundOf({ builds: [build({ isFailed: true })], page: reloaded })).toBe('unknown')
    const server = build({ name: 'server', beganAt: 10, endedAt: 100 })
    expect(groundOf({ builds: [server, build({})], page: reloaded })).toBe('unknown')
    const running: Build = { name: '', beganAt: 5200, files: [] }
    expect(groundOf({ builds: [build({}), running], page: reloaded })).toBe('pending')
  })
  test('the programs that read the file were started after the edit', () => {
    expect(groundOf({ programs: [program(6000)], page: reloaded })).toBe('started')
    expect(groundOf({ programs: [program(6000)] })).toBe('reload')
    expect(groundOf({ programs: [program(6000, { isUp: false })], page: reloaded })).toBe('pending')
    expect(groundOf({ programs: [program(6000)], page: { ...reloaded, hasErrors: true } })).toBe('unknown')
    const other = program(6000, { files: new Set(['other.ts']) })
    expect(groundOf({ programs: [other], page: reloaded })).toBe('unknown')
  })
  test('an edit that is undone since the page was loaded is none', () => {
    const edits = [{ file: 'a', at: 5000, same: { from: 0, until: 4000 } }]
    expect(judge({ edits })).toEqual({ state: 'fresh' })
    expect(groundOf({ edits, page: { ...base.page, lastLoadAt: 4500 } })).toBe('unknown')
  })
})

describe('a page that is not fresh', () => {
  test('is stale if it holds what the file was before, until a build or a start may have the edit', () => {
    const old = holdings({ text: undefined, loadedAt: 1000 })
    expect(freshnessLineOf(judge({ holdings: [old] }))).toBe(
      'Stale page: src/app.ts changed 4.0 s ago, after the page loaded it. Call wait_for {fresh: true}, or history reload.',
    )
  })
  test('is of a server that keeps what it has read: nobody knows that nothing looks at the file', () => {
    const programs = [program(1)]
    expect(freshnessLineOf(judge({ programs }))).toBe(
      'Stale server: src/app.ts changed 4.0 s ago, after the dev server had read it, and it has not started again since. Call restart_server.',
    )
    const server = { startedAt: 0, isWatching: true }
    expect(groundOf({ programs, server })).toBe('pending')
    expect(groundOf({ programs, server, now: 12_000 })).toBe('restart')
    expect(groundOf({ programs: [program(1, { isHot: true })], server, now: 12_000 })).toBe('unknown')
    expect(groundOf({ holdings: [holdings({ text: 'earlier' })], now: 12_000 })).toBe('restart')
    expect(groundOf({ holdings: [holdings({ text: 'earlier', isPreloaded: true })] })).toBe('reload')
  })
  test('has the line of a failure that came after the edit', () => {
    const failure = { line: 'ERROR in ./src/app.ts 3:4', files: ['src/app.ts'] }
    expect(freshnessLineOf(judge({ failure }))).toBe(
      'Stale page: src/app.ts changed 4.0 s ago, and the dev server reports: ERROR in ./src/app.ts 3:4',
    )
    expect(groundOf({ failure: { ...failure, files: [] } })).toBe('unknown')
  })
  test('is described with the step that would tell', () => {
    const noteOf = (facts: Partial<FreshnessRecords>) => freshnessNoteOf(judge(facts))
    expect(noteOf({})).toMatch(
      /cannot be told whether the page shows src\/app\.ts.*history \{direction: "reload"\}/,
    )
    expect(noteOf({ page: reloaded })).toMatch(/call restart_server\.$/)
    expect(noteOf({ page: reloaded, server: { startedAt: 6000, isWatching: false } })).toMatch(
      /built first\.$/,
    )
    expect(noteOf({ edits: [], isComplete: false })).toContain('too many files')
    const edits = ['a', 'b', 'src/app.ts'].map((name, index) => ({ file: name, at: 7000 - index }))
    expect(noteOf({ edits, holdings: [holdings({})] })).toMatch(
      /shows a, .* The same of b\. It shows src\/app\.ts\.$/,
    )
    expect(freshnessLineOf(judge({}))).toBeUndefined()
  })
})
