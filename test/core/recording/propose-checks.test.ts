import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { proposeChecks, proposePath } from '../../../src/core/recording/propose-checks.ts'
import { linesOf, type AriaNode } from '../../../src/core/snapshot/snapshot-lines.ts'

const item = (key: string, ...texts: string[]): AriaNode => ({
  role: 'listitem',
  key,
  children: texts.map((text, index) => ({ role: 'generic', key: `${key}-${index}`, text })),
})
const page = (...nodes: AriaNode[]) => linesOf(nodes)
const selectors = (...args: Parameters<typeof proposeChecks>) =>
  proposeChecks(...args).map(({ selector, check }) => `${selector} ${JSON.stringify(check)}`)

describe('what is proposed', () => {
  test('the item that has what was entered, with the other values that were', () => {
    const before = page(item('a', 'Write report', 'Low'), { role: 'button', name: 'Save', key: 'b' })
    const after = page(item('a', 'Write report', 'Low'), item('c', 'Call the plumber', 'High'))
    const [first] = proposeChecks(before, after, ['Call the plumber', 'High'])
    expect(first).toEqual({
      selector: 'internal:role=listitem >> internal:has-text="Call the plumber"i',
      check: { kind: 'text', text: 'High' },
      text: 'High',
      isEntered: true,
    })
  })

  test('a heading or an alert before other texts, none that differ from run to run', () => {
    const before = page({ role: 'button', name: 'Save', key: 'b' })
    const after = page(
      { role: 'button', name: 'Save', key: 'b' },
      { role: 'generic', key: 't', text: 'Last saved 12:04' },
      { role: 'generic', key: 'u', text: 'No changes are left' },
      { role: 'alert', key: 'a', children: [{ role: 'generic', key: 'x', text: 'Order 1234567 is paid' }] },
      { role: 'heading', key: 'h', name: 'All orders' },
    )
    expect(selectors(before, after, [])).toEqual([
      'internal:role=heading[name="All orders"i] {"kind":"state","state":"visible"}',
      'internal:text="No changes are left"i {"kind":"state","state":"visible"}',
    ])
  })

  test('what is gone, what matches what was entered, and how many are left', () => {
    const items = ['Write report', 'Review budget', 'Book flights'].map((name) => item(name, name))
    const after = page(items[1] as AriaNode)
    expect(selectors(page(...items), after, [], true)).toEqual([])
    const more = [...items, item('d', 'Water plants'), item('e', 'Tidy up')]
    const left = more.filter((_, index) => index !== 0)
    expect(selectors(page(...more), page(...left), ['budget'])).toEqual([
      'internal:text="Write report"i {"kind":"state","state":"hidden"}',
      'internal:text="Review budget"i {"kind":"state","state":"visible"}',
      'internal:role=listitem {"kind":"count","count":4}',
    ])
  })

  test('nothing where nothing has changed, whatever was entered', () => {
    const node = fc.record({
      role: fc.constantFrom('button', 'heading', 'listitem', 'row', 'generic', 'alert'),
      key: fc.uuid(),
      name: fc.string({ maxLength: 20 }),
    })
    fc.assert(
      fc.property(
        fc.array(node, { maxLength: 12 }),
        fc.array(fc.string(), { maxLength: 3 }),
        (nodes, texts) => {
          expect(proposeChecks(page(...nodes), page(...nodes), texts)).toEqual([])
        },
      ),
      { numRuns: 200 },
    )
  })
})

test.each([
  ['http://a.test/', 'http://a.test/orders', '/orders'],
  ['http://a.test/orders', 'http://a.test/orders?sort=1', undefined],
  ['http://a.test/orders', 'http://a.test/orders/17', undefined],
  ['http://a.test/orders', 'http://a.test/', undefined],
  ['http://a.test/', 'http://b.test/orders', undefined],
  ['about:blank', 'http://a.test/orders', undefined],
])('the path after %s → %s: %s', (before, after, path) => expect(proposePath(before, after)).toBe(path))
