import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type AuditRecord, createAuditHistory } from '../../../src/features/audit/audit-history.ts'
import type { Finding, FoundElement } from '../../../src/features/audit/finding.ts'
import type { Vital } from '../../../src/features/audit/in-page/page-reports.ts'
import { findNew } from '../../../src/features/audit/new-findings.ts'

const at = (selector: string, mark = selector, name = '<img>'): FoundElement => ({ name, selector, mark })
const finding = (elements: readonly FoundElement[], more: Partial<Finding> = {}): Finding => ({
  kind: 'accessibility',
  rule: 'image-alt',
  severity: 'critical',
  elements,
  count: elements.length,
  ...more,
})
const newOf = (now: readonly Finding[], before: readonly Finding[], vitals: readonly Vital[][] = [[], []]) =>
  findNew({ findings: now, vitals: vitals[0] ?? [] }, { findings: before, vitals: vitals[1] ?? [] }).flatMap(
    ({ rule, words = rule, elements }) =>
      elements.length === 0 ? [words] : elements.map(({ selector }) => selector),
  )

describe('new is', () => {
  test('nothing of the same audit', () => {
    const element = fc.record({
      name: fc.constantFrom('<p>', '<p.a>'),
      selector: fc.string(),
      mark: fc.string(),
    })
    const list = fc.array(fc.array(element, { minLength: 1, maxLength: 5 }))
    fc.assert(
      fc.property(list, (found) =>
        expect(
          newOf(
            found.map((one) => finding(one)),
            found.map((one) => finding(one)),
          ),
        ).toEqual([]),
      ),
    )
  })
  test('an element that was put before one like it, which has moved', () =>
    expect(newOf([finding([at('i1', 'new'), at('i2', 'old')])], [finding([at('i1', 'old')])])).toEqual([
      'i1',
    ]))
  test('no element whose text has changed at its place, or with its class', () => {
    expect(newOf([finding([at('p1', 'later')])], [finding([at('p1', 'before')])])).toEqual([])
    expect(newOf([finding([at('p2', 'b', '<p.n2>')])], [finding([at('p1', 'a', '<p.n1>')])])).toEqual([])
  })
  test('another element where one was mended', () =>
    expect(newOf([finding([at('p2', 'b', '<p>')])], [finding([at('p1', 'a', '<p>')])])).toEqual(['p2']))
  test('the same rule in the narrow window', () =>
    expect(newOf([finding([at('a')], { isNarrow: true })], [finding([at('a')])])).toEqual(['a']))
  test('a console message with other words, not with other numbers', () => {
    const error = (words: string) => finding([], { kind: 'console', rule: 'error', words })
    expect(newOf([error('a 1'), error('b')], [error('a 2')])).toEqual(['b'])
  })
  test('a metric that is worse by more than it varies', () => {
    const metric = (value: number) => [{ name: 'LCP', value, rating: 'poor' }]
    const slow = finding([], { kind: 'vitals', rule: 'LCP' })
    expect(newOf([slow], [], [metric(2600), metric(2450)])).toEqual([])
    expect(newOf([slow], [], [metric(3500), metric(2450)])).toEqual(['LCP'])
    expect(newOf([slow], [], [metric(3500), []])).toEqual(['LCP'])
  })
})

describe('the earlier audit', () => {
  const record = (url: string, at: number): AuditRecord => ({
    url,
    at,
    viewport: { width: 1, height: 1 },
    vitals: [],
    findings: [],
    notes: [],
  })
  const history = createAuditHistory()
  for (const [url, time] of [
    ['/', 10],
    ['/a', 11],
    ['/', 20],
    ['/#part', 30],
    ['/#/route', 40],
  ] as const)
    history.add(record(`http://localhost:1${url}`, time))
  const find = (since: 'baseline' | 'edit', editedAt?: number) =>
    history.findEarlier('http://localhost:2/', since, editedAt)?.at
  test('is the first one of the page', () => expect(find('baseline')).toBe(10))
  test('is the last one before the edit, or the first one after it', () => {
    expect(find('edit', 25)).toBe(20)
    expect(find('edit', 15)).toBe(10)
    expect(find('edit', 5)).toBe(10)
  })
  test('is the last one where no edit is known', () => expect(find('edit')).toBe(30))
  test('is kept for each page, however many there are', () => {
    for (let at = 100; at < 200; at += 1) history.add(record('http://localhost:1/b', at))
    expect(find('baseline')).toBe(10)
    expect(history.list().length).toBeLessThanOrEqual(30)
  })
})
