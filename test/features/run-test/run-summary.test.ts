import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { describeCounts } from '../../../src/core/base/test-failure.ts'
import type { RunEvent, TestEndEvent } from '../../../src/features/run-test/in-playwright/run-event.ts'
import { limitFailedTests, limitNames, selectLines } from '../../../src/features/run-test/limit-evidence.ts'
import { judgeRun } from '../../../src/features/run-test/run-outcome.ts'
import { createProgress, serverLinesOf, summarizeRun } from '../../../src/features/run-test/run-summary.ts'

const endOf = (id: string, outcome: TestEndEvent['outcome'], more: Partial<TestEndEvent> = {}): RunEvent => ({
  type: 'testEnd',
  id,
  title: `test ${id}`,
  project: '',
  file: '/app/a.spec.ts',
  line: 1,
  outcome,
  duration: 1,
  status: outcome === 'expected' ? 'passed' : 'failed',
  errors: [],
  attachments: [],
  output: '',
  ...more,
})
const begin = (total: number): RunEvent => ({ type: 'begin', total, projects: [], tests: [] })

test('every selected test is counted once, by its last attempt', () => {
  const outcome = fc.constantFrom('expected', 'unexpected', 'flaky', 'skipped')
  const attempts = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }).map(String), outcome))
  fc.assert(
    fc.property(attempts, fc.nat(5), (list, extra) => {
      const last = new Map(list)
      const events = [begin(last.size + extra), ...list.map(([id, result]) => endOf(id, result))]
      const { passed, failed, flaky, skipped, notRun, failedTests } = summarizeRun(events)
      const countOf = (result: string) => [...last.values()].filter((value) => value === result).length
      expect([passed, failed, flaky, skipped]).toEqual(
        ['expected', 'unexpected', 'flaky', 'skipped'].map(countOf),
      )
      expect(notRun).toBe(extra)
      expect(failedTests.map(({ id }) => id).sort()).toEqual(
        [...last].flatMap(([id, result]) => (result === 'unexpected' ? [id] : [])).sort(),
      )
    }),
    { numRuns: 200 },
  )
})

test('a test without a browser is no failure, and an interrupted one is neither', () => {
  const message = "browserType.launch: Executable doesn't exist at /home/ada/.cache/firefox"
  const summary = summarizeRun([
    begin(3),
    endOf('a', 'unexpected', { errors: [{ message }] }),
    endOf('b', 'skipped', { status: 'interrupted' }),
    { type: 'testBegin', id: 'c', title: 'test c' },
  ])
  expect(summary).toMatchObject({ passed: 0, failed: 0, skipped: 0, notRun: 3, runningTitles: ['test c'] })
  expect(summary.testsWithoutBrowser).toHaveLength(1)
  expect(summary.interruptedTests).toHaveLength(1)
})

test('progress counts tests, not attempts', () => {
  const events = [begin(2), endOf('a', 'unexpected'), endOf('a', 'flaky'), endOf('b', 'expected')]
  expect(events.map(createProgress())).toEqual([
    '0/2',
    '1/2 failed: test a',
    '1/2 passed: test a',
    '2/2 passed: test b',
  ])
})

test('the lines of the web server are those since the test began', () => {
  const output = (text: string): RunEvent => ({ type: 'output', text })
  const events: RunEvent[] = [
    output('[WebServer] before\n'),
    { type: 'testBegin', id: 'a', title: '' },
    output('\u001b[2m[WebServer] \u001b[22mfirst\n[WebServer] second\n'),
    endOf('a', 'unexpected'),
    output('[WebServer] after\n'),
  ]
  expect(serverLinesOf(events, 'a')).toEqual(['first', 'second'])
  expect(serverLinesOf(events)).toEqual(['before', 'first', 'second', 'after'])
})

test('counts that are zero are left out', () => {
  const none = { passed: 0, failed: 0, flaky: 0, skipped: 0, notRun: 0 }
  expect(describeCounts({ ...none, passed: 12, flaky: 1 })).toBe('12 passed, 1 flaky')
  expect(describeCounts(none)).toBe('no test has run')
})

test('errors outside of tests have their reason', () => {
  const finish: RunEvent = { type: 'finish', status: 'passed', duration: 1 }
  const judge = (message: string, exitCode = 1, last: readonly RunEvent[] = [finish]) =>
    judgeRun({
      summary: summarizeRun([begin(0), ...(message ? [{ type: 'error', message } as const] : []), ...last]),
      exitCode,
      lines: [],
      server: [],
      placeOf: () => '',
    })?.reason
  expect(judge('Error: No tests found.\nMake sure')).toBe('no_tests')
  expect(judge('Error: Timed out waiting 60000ms from config.webServer.')).toBe('web_server')
  expect(judge('SyntaxError: unexpected')).toBe('loading')
  expect(judge('Error: global setup')).toBe('error')
  expect(judge('')).toBe('error')
  expect(judge('', 0)).toBeUndefined()
  expect(judge('', 0, [])).toBe('error')
})

test('evidence is limited, whatever it is, and no line is there twice', () => {
  const lines = fc.array(fc.string({ maxLength: 400 }))
  const failedTest = fc.record({
    test: fc.string({ maxLength: 200 }),
    error: fc.string({ maxLength: 3000 }),
    page: fc.record({ url: fc.webUrl(), snapshot: fc.string({ maxLength: 5000 }) }),
    console: lines,
    requests: lines,
    server: lines,
    output: lines,
  })
  fc.assert(
    fc.property(fc.array(failedTest, { maxLength: 5 }), (tests) => {
      const limitedTests = limitFailedTests(tests)
      expect(limitedTests.map((limited) => limited.test)).toEqual(tests.map((one) => one.test))
      expect(JSON.stringify(limitedTests.map(({ error }) => error.length <= 901)).includes('false')).toBe(
        false,
      )
      for (const { page, console: messages = [], server = [] } of limitedTests) {
        expect(page?.snapshot?.length ?? 0).toBeLessThanOrEqual(1502)
        expect(messages.length + server.length).toBeLessThanOrEqual(12)
      }
      const printed = limitedTests.flatMap((limited) => limited.server ?? [])
      const short = printed.filter((line) => line.length < 160)
      expect(new Set(short).size).toBe(short.length)
    }),
    { numRuns: 100 },
  )
  expect(limitNames(Array.from({ length: 33 }, String)).at(-1)).toBe('… 3 more')
  expect(selectLines(['a', 'Error: b', 'c', 'd'], 2)).toEqual(['Error: b', 'd'])
})
