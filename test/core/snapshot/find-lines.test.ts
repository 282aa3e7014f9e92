import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { AriaNode, SnapshotLine } from '../../../src/core/sessions/types/snapshot.ts'
import { compactLines } from '../../../src/core/snapshot/compact-lines.ts'
import { describeSearch, findLines, parseExpectedLines } from '../../../src/core/snapshot/find-lines.ts'
import { linesOf, textOf } from '../../../src/core/snapshot/snapshot-lines.ts'

const snapshot = linesOf([
  { role: 'heading', name: 'Shop', level: 1, ref: 'e1' },
  {
    role: 'list',
    ref: 'e2',
    children: [
      {
        role: 'listitem',
        ref: 'e3',
        children: [{ role: 'link', name: 'Tea', url: '/tea', ref: 'e4' }, 'sold out'],
      },
      { role: 'listitem', ref: 'e5', children: [{ role: 'link', name: 'Cake', url: '/cake', ref: 'e6' }] },
    ],
  },
  { role: 'checkbox', name: 'I [e9] agree', checked: true, ref: 'f1e7' },
  { role: 'button', name: 'Buy', disabled: true, ref: 'e8' },
])
const find = (text: string) => findLines(parseExpectedLines(text), snapshot)

describe('lines are there', () => {
  test.each([
    ['as they were read', textOf(snapshot)],
    [
      'with other refs, list markers and indentation',
      '  - list [ref=e77]\n      - listitem [e78]\n          - link "Cake"',
    ],
    ['without a URL', 'link "Tea"'],
    ['with their URL', 'link "Tea" [e4] → /tea'],
    ['as those that a search finds', 'link "Tea" [e4] → /tea in row "Tea"'],
    [
      'as a short snapshot has them',
      'link "Tea" [e4] in "Tea" focused → /tea\nbutton "Buy" [e8] focused disabled',
    ],
    ['without the lines above and between them', 'heading "Shop" level=1\nbutton "Buy" disabled'],
    ['as a list without indentation', 'listitem\nlink "Tea"\ntext: sold out\nlistitem\nlink "Cake"'],
    ['below another than the first match', 'listitem\n link "Cake"'],
    ['with a ref in their name', 'checkbox "I [e9] agree" checked'],
    ['beside what a snapshot says about others', '… 3 lines hidden behind dialog\nlink "Tea"'],
  ])('%s', (_, text) => {
    expect(find(text)).toEqual({ isFound: true })
  })
})

describe('joined lines are there as they were read', () => {
  const cell = (name: string, key: string, more: Partial<AriaNode> = {}): AriaNode => ({
    role: 'cell',
    name,
    key,
    ref: key,
    ...more,
  })
  const button = (name: string, key: string): AriaNode => ({ role: 'button', name, key, ref: key })
  const row = (name: string, key: string): AriaNode => ({
    role: 'row',
    key,
    ref: key,
    children: [cell(name, `${key}1`), cell('', `${key}2`, { children: [button('Pay', `${key}3`)] })],
  })
  const lines = linesOf([
    { role: 'table', key: 'e1', ref: 'e1', children: [row('Ada', 'e2'), row('Grace', 'e3')] },
    {
      role: 'list',
      key: 'e40',
      children: [{ role: 'listitem', key: 'e41', children: ['Milk', button('Drop', 'e42')] }],
    },
    ...['One', 'Two', 'Three', 'Four', 'Five', 'Six'].map((name, index) => button(name, `e5${index}`)),
  ])
  const isFound = (text: string) => findLines(parseExpectedLines(text), lines).isFound
  test.each([
    ['all of them', textOf(compactLines(lines))],
    ['all of them one by one', textOf(lines)],
    ['a row with other refs', 'row [e77]: Ada | button "Pay" [e78]'],
    [
      'rows in their order',
      'row: Ada | button "Pay"\nrow: Grace | button "Pay"\nbutton "One", "Two", "Three", "Four", "Five", "Six"',
    ],
    ['an item with its text', 'listitem: Milk'],
  ])('%s', (_, text) => expect(isFound(text)).toBe(true))
  test.each([
    ['rows in another order', 'row: Grace | button "Pay"\nrow: Ada | button "Pay"'],
    ['another cell', 'row: Ada | button "Drop"'],
    ['another control among them', 'button "One", "Zwei", "Three", "Four", "Five", "Six"'],
  ])('but not %s', (_, text) => expect(isFound(text)).toBe(false))
  test('the closest line is the joined one', () => {
    const search = findLines(parseExpectedLines('row [e2]: Ada | button "Paid" [e9]'), lines)
    expect(describeSearch(search, lines, false)).toBe(
      'aria: no line row: Ada | button "Paid"; closest: row: Ada | button "Pay"',
    )
  })
})

describe('lines are not there', () => {
  test.each([
    ['with another state', 'button "Buy"', 'button "Buy"'],
    ['with another name', 'heading "Shopping" level=1', 'heading "Shopping" level=1'],
    ['with another URL', 'link "Tea" → /coffee', 'link "Tea" → /coffee'],
    ['in another order', 'link "Cake"\nlink "Tea"', undefined],
    ['below another line', 'listitem\n link "Tea"\n link "Cake"', undefined],
    ['once more than they are', 'listitem\nlistitem\nlistitem', undefined],
  ])('%s', (_, text, missing) => {
    expect(find(text)).toEqual({ isFound: false, ...(missing !== undefined && { missing }) })
  })
})

test('what is missing is described with the closest line of the same role', () => {
  const describeOf = (text: string, not = false) => describeSearch(find(text), snapshot, not)
  expect(describeOf('button "Buy"')).toBe('aria: no line button "Buy"; closest: button "Buy" disabled')
  expect(describeOf('slider "Size"')).toBe('aria: no line slider "Size"')
  expect(describeOf('link "Cake"\nlink "Tea"')).toContain('not in this order')
  expect(describeOf('link "Tea"', true)).toBe('aria: the lines are still there')
})

describe('for any tree', () => {
  const node: fc.Memo<AriaNode> = fc.memo((depth) =>
    fc.record({
      role: fc.constantFrom('list', 'listitem', 'link', 'button'),
      name: fc.constantFrom('a', 'b', ''),
      children: depth > 1 ? fc.array(node(), { maxLength: 3 }) : fc.constant([]),
    }),
  )
  const tree = fc.array(node(4), { minLength: 1, maxLength: 4 })
  const expectedOf = (lines: readonly SnapshotLine[]) => parseExpectedLines(textOf(lines))

  test('any piece of it is found', () => {
    fc.assert(
      fc.property(tree, fc.nat(20), fc.nat(20), (nodes, from, count) => {
        const lines = linesOf(nodes)
        expect(findLines(expectedOf(lines.slice(from, from + count)), lines)).toEqual({ isFound: true })
      }),
    )
  })
  test('the result is that of trying all places', () => {
    fc.assert(
      fc.property(tree, tree, (nodes, expectedNodes) => {
        const lines = linesOf(nodes)
        const expected = expectedOf(linesOf(expectedNodes)).slice(0, 5)
        expect(findLines(expected, lines).isFound).toBe(isFoundAnywhere(expected, lines))
      }),
      { numRuns: 500 },
    )
  })
  test('thousands of equal lines take no time', () => {
    const deep = (depth: number): AriaNode => ({ role: 'list', children: depth > 0 ? [deep(depth - 1)] : [] })
    const lines = linesOf([deep(400), ...Array.from({ length: 3000 }, () => ({ role: 'list' }))])
    const expected = expectedOf(linesOf([deep(450)]))
    const startedAt = performance.now()
    expect(findLines(expected, lines).isFound).toBe(false)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  })
})

// Each expected line after the one before it, and within the line that it is indented below.
function isFoundAnywhere(
  expected: readonly { readonly depth: number; readonly text: string }[],
  lines: readonly SnapshotLine[],
): boolean {
  const parentOf = (index: number, all: readonly { readonly depth: number }[]) =>
    all.slice(0, index).findLastIndex(({ depth }) => depth < (all[index]?.depth ?? 0))
  const isWithin = (inner: number, outer: number): boolean =>
    outer === -1 ||
    (inner > outer &&
      (parentOf(inner, lines) === outer ||
        (parentOf(inner, lines) > outer && isWithin(parentOf(inner, lines), outer))))
  const place = (index: number, places: readonly number[]): boolean =>
    index === expected.length ||
    lines.some(
      ({ text }, at) =>
        text === expected[index]?.text &&
        at > (places.at(-1) ?? -1) &&
        isWithin(at, places[parentOf(index, expected)] ?? -1) &&
        place(index + 1, [...places, at]),
    )
  return place(0, [])
}
