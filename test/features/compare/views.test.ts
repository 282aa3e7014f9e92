// How two views of a page differ, and what is noise.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { diffLines } from '../../../src/features/compare/differences/diff-lines.ts'
import {
  compareViews,
  maskNoise,
  type PageView,
} from '../../../src/features/compare/differences/page-view.ts'

const linesOf = (texts: readonly string[]) => texts.map((text, index) => ({ text, ref: `e${index}` }))
const view = (texts: readonly string[], more: Partial<PageView> = {}): PageView => ({
  address: '/',
  title: 'Shop',
  lines: linesOf(texts),
  console: [],
  requests: [],
  overflow: [],
  ...more,
})
const entry = (text: string) => ({ text, key: text })

const word = fc.constantFrom('button "a"', 'button "b"', 'link "c"', 'text: d', 'heading "e"', 'text: f')
const page = fc.array(word as fc.Arbitrary<string>, { maxLength: 14 })

test('a view does not differ from itself, and what differs leads from one to the other', () => {
  fc.assert(
    fc.property(page, page, (before, after) => {
      expect(diffLines(linesOf(before), linesOf(before))).toEqual([])
      const changes = diffLines(linesOf(before), linesOf(after))
      const gone = changes.flatMap(({ before: line }) => (line ? [line.text] : []))
      const added = changes.flatMap(({ after: line }) => (line ? [line.text] : []))
      // What is left of the base without the lines that went is what is left of the other without those that came.
      const rest = (texts: readonly string[], without: readonly string[]) => {
        const left = [...without]
        return texts.filter((text) => !(left.includes(text) && left.splice(left.indexOf(text), 1)))
      }
      expect(rest(before, gone).toSorted()).toEqual(rest(after, added).toSorted())
      // Fewer lines cannot lead there: the common lines are a longest common subsequence.
      expect(before.length - gone.length).toBe(longestCommon(before, after))
    }),
  )
})

function longestCommon(a: readonly string[], b: readonly string[]): number {
  const [first, ...restA] = a
  if (first === undefined || b.length === 0) return 0
  const at = b.indexOf(first)
  const without = longestCommonCached(restA, b)
  return at < 0 ? without : Math.max(without, 1 + longestCommonCached(restA, b.slice(at + 1)))
}
const known = new Map<string, number>()
function longestCommonCached(a: readonly string[], b: readonly string[]): number {
  const key = JSON.stringify([a, b])
  const length = known.get(key) ?? longestCommon(a, b)
  known.set(key, length)
  return length
}

test('a line in the place of one with the same role is a change; others are added and removed', () => {
  const changes = compareViews(
    view(['heading "Cart"', 'button "Add"', 'text: 2 items']),
    view(['heading "Cart"', 'button "Buy"', 'link "Help"', 'text: 2 items']),
  )
  expect(changes.map(({ change, before, after }) => [change, before, after])).toEqual([
    ['changed', 'button "Add"', 'button "Buy"'],
    ['added', undefined, 'link "Help"'],
  ])
})

test('noise is what differs between two runs of the base: masked in the current version, whatever it is there', () => {
  fc.assert(
    fc.property(page, fc.nat(99), fc.nat(99), fc.nat(99), fc.nat(14), (texts, a, b, c, place) => {
      const at = Math.min(place, texts.length)
      const with_ = (text: string) => view(texts.toSpliced(at, 0, text))
      const noise = compareViews(with_(`status: took ${a} ms`), with_(`status: took ${b} ms`))
      const differences = compareViews(with_(`status: took ${a} ms`), with_(`status: took ${c} ms`))
      const { real, masked } = maskNoise(differences, noise)
      if (a !== b) expect(real).toEqual([])
      expect(real.length + masked.length).toBe(differences.length)
      if (a === b) expect(masked).toEqual([])
    }),
  )
})

test('what is real beside noise stays', () => {
  const base = view(['text: 12 ms', 'button "Pay"', 'link "Help"'])
  const again = view(['text: 13 ms', 'button "Pay"', 'link "Help"'])
  const current = view(['text: 14 ms', 'button "Order"', 'link "Help"', 'link "Terms"'])
  const { real, masked } = maskNoise(compareViews(base, current), compareViews(base, again))
  expect(real.map(({ after }) => after)).toEqual(['button "Order"', 'link "Terms"'])
  expect(masked.map(({ before }) => before)).toEqual(['text: 12 ms'])
})

test('an element that breaks a rule now is a difference, and one that only moved or has another text is none', () => {
  const violation = (...elements: readonly (readonly [name: string, selector: string, mark: string])[]) => [
    {
      kind: 'accessibility' as const,
      rule: 'label',
      severity: 'critical' as const,
      elements: elements.map(([name, selector, mark]) => ({ name, selector, mark })),
      count: elements.length,
    },
  ]
  const base = view([], { violations: violation(['<input.a>', 'i1', 'a'], ['<input.b>', 'i2', 'b']) })
  const current = view([], { violations: violation(['<input.c>', 'i1', 'c'], ['<input.a>', 'i3', 'a']) })
  const listed = compareViews(base, current).map(({ kind, change, before, after, refBefore, refAfter }) =>
    [kind, change, before, after, refBefore, refAfter].filter(Boolean).join(' '),
  )
  expect(listed).toEqual([
    'accessibility added critical label <input.c> i1',
    'accessibility removed critical label <input.b> i2',
  ])
  expect(compareViews(base, view([]))).toEqual([])
})

test('a request with another outcome is changed, another message of the console is not the same', () => {
  const base = view([], { requests: [entry('GET /api → ok')], console: [entry('a')] })
  const current = view([], { requests: [entry('GET /api → 500'), entry('GET /new → ok')], console: [] })
  expect(
    compareViews(base, current).map(({ kind, change, after, before }) => [kind, change, after ?? before]),
  ).toEqual([
    ['console', 'removed', 'a'],
    ['request', 'changed', 'GET /api → 500'],
    ['request', 'added', 'GET /new → ok'],
  ])
})

test('a request whose query is another one in each run is noise, but not with another outcome', () => {
  const requestsOf = (...texts: string[]) => view([], { requests: texts.map(entry) })
  const noise = compareViews(requestsOf('GET /log?t=1 → ok'), requestsOf('GET /log?t=2 → ok'))
  const differences = compareViews(
    requestsOf('GET /log?t=1 → ok'),
    requestsOf('GET /log?t=3 → ok', 'GET /log?t=4 → 500'),
  )
  const { real } = maskNoise(differences, noise)
  expect(real.map(({ after }) => after)).toEqual(['GET /log?t=4 → 500'])
})
