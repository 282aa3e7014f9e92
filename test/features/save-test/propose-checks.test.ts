import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { RecordedElement } from '../../../src/core/sessions/types/recorded-step.ts'
import type { AriaNode } from '../../../src/core/sessions/types/snapshot.ts'
import { linesOf } from '../../../src/core/snapshot/snapshot-lines.ts'
import type { PageChange } from '../../../src/features/save-test/plan/insert-checks.ts'
import { proposeChecks, proposePath } from '../../../src/features/save-test/plan/propose-checks.ts'

const item = (key: string, ...texts: string[]): AriaNode => ({
  role: 'listitem',
  key,
  children: texts.map((text, index) => ({ role: 'generic', key: `${key}-${index}`, text })),
})
const button = (name: string, more: Partial<AriaNode> = {}): AriaNode => ({
  role: 'button',
  name,
  key: `button ${name}`,
  ...more,
})
const text = (content: string): AriaNode => ({ role: 'generic', key: content, text: content })
const page = (...nodes: AriaNode[]) => linesOf(nodes)
const changeOf = (
  before: PageChange['before'],
  after: PageChange['after'],
  more: Partial<PageChange> = {},
): PageChange => ({ before, after, enteredTexts: [], ...more })
const selectors = (...args: Parameters<typeof changeOf>) =>
  proposeChecks(changeOf(...args)).map(
    ({ selector, check, order }) => `${selector} ${JSON.stringify(check ?? order)}`,
  )
const ownSelectors = (...args: Parameters<typeof changeOf>) =>
  proposeChecks(changeOf(...args))
    .filter(({ relation }) => relation === 'own')
    .map(({ selector, check, order }) => `${selector} ${JSON.stringify(check ?? order)}`)
const elementOf = (role: string, name: string, scope = '', type = 'button'): RecordedElement => ({
  locators: [{ selector: `${scope}internal:role=${role}[name=${JSON.stringify(name)}i]`, code: '' }],
  role,
  name,
  type,
  isEmpty: false,
  isSecret: false,
})
const VISIBLE = '{"kind":"state","state":"visible"}'

describe('what is proposed', () => {
  test('the item that has what was entered, with the other values that were', () => {
    const before = page(item('a', 'Write report', 'Low'), button('Save'))
    const after = page(item('a', 'Write report', 'Low'), item('c', 'Call the plumber', 'High'))
    const [first] = proposeChecks(changeOf(before, after, { enteredTexts: ['Call the plumber', 'High'] }))
    expect(first).toEqual({
      selector: 'internal:role=listitem >> internal:has-text="Call the plumber"i',
      check: { kind: 'text', text: 'High' },
      text: 'High',
      relation: 'entered',
      isAnnounced: false,
    })
  })

  test('a heading or an alert before other texts, none that differ from run to run', () => {
    const before = page(button('Save'))
    const after = page(
      button('Save'),
      text('Last saved 12:04'),
      text('No changes are left'),
      { role: 'alert', key: 'a', children: [text('Order 1234567 is paid')] },
      { role: 'heading', key: 'h', name: 'All orders' },
    )
    expect(selectors(before, after)).toEqual([
      `internal:role=heading[name="All orders"i] ${VISIBLE}`,
      `internal:text="No changes are left"i ${VISIBLE}`,
    ])
  })

  test('what is gone, what matches what was entered, and how many are left', () => {
    const items = ['Write report', 'Review budget', 'Book flights'].map((name) => item(name, name))
    const after = page(items[1] as AriaNode)
    expect(selectors(page(...items), after, { isOtherPage: true })).toEqual([])
    const more = [...items, item('d', 'Water plants'), item('e', 'Tidy up')]
    const left = more.filter((_, index) => index !== 0)
    expect(selectors(page(...more), page(...left), { enteredTexts: ['budget'] })).toEqual([
      'internal:text="Write report"i {"kind":"state","state":"hidden"}',
      `internal:text="Review budget"i ${VISIBLE}`,
      'internal:role=listitem {"kind":"count","count":4}',
    ])
  })

  test('what was entered, in the format that the application gives it', () => {
    const after = page(text('1 212 5550107'), text('Compilers'), text('Order 1234567'))
    const proposals = proposeChecks(changeOf([], after, { enteredTexts: ['+1 (212) 555-0107'] }))
    expect(proposals.map((proposal) => [proposal.text, proposal.relation])).toEqual([
      ['1 212 5550107', 'entered'],
      ['Compilers', 'other'],
    ])
  })

  test('nothing that a locator found before, as a part of another name', () => {
    const before = page(button('Show all orders'))
    expect(selectors(before, page(button('Show all orders'), button('all orders')))).toEqual([])
  })

  test('that what was acted on is gone, and no text that was there', () => {
    const before = page(text('#home'), text('#weekly'), button('Remove tag home'))
    const element = elementOf('button', 'Remove tag home')
    expect(selectors(before, page(text('#weekly')), { enteredTexts: ['weekly'], element })).toEqual([
      'internal:role=button[name="Remove tag home"i] {"kind":"state","state":"hidden"}',
      'internal:text="#home"i {"kind":"state","state":"hidden"}',
    ])
  })

  test('nothing visible that the same locator found before', () => {
    const node = fc.record({
      role: fc.constantFrom('button', 'heading', 'listitem', 'generic', 'cell'),
      key: fc.uuid(),
      name: fc.stringMatching(/^[abAB ]{2,4}$/),
    })
    const nodes = fc.array(node, { maxLength: 8 })
    fc.assert(
      fc.property(nodes, nodes, fc.boolean(), (shown, later, isOtherPage) => {
        const [before, after] = [page(...shown), page(...later)]
        for (const { selector, check } of proposeChecks(changeOf(before, after, { isOtherPage }))) {
          const [, role, name] = /^internal:role=(\w+)\[name="(.*)"i\]$/.exec(selector) ?? []
          if (name === undefined || check?.kind !== 'state' || check.state !== 'visible') continue
          const normalize = (content: string) => content.replace(/\s+/g, ' ').trim().toLowerCase()
          const isFound = (line: (typeof before)[number]) =>
            line.role === role && normalize(line.name).includes(normalize(name))
          expect([before.some(isFound), after.some(isFound)]).toEqual([false, true])
        }
      }),
      { numRuns: 500 },
    )
  })

  test('nothing where nothing has changed, whatever was entered, and whatever was shown earlier', () => {
    const node = fc.record({
      role: fc.constantFrom('button', 'heading', 'listitem', 'row', 'generic', 'alert'),
      key: fc.uuid(),
      name: fc.string({ maxLength: 20 }),
    })
    const nodes = fc.array(node, { maxLength: 12 })
    fc.assert(
      fc.property(nodes, nodes, fc.array(fc.string(), { maxLength: 3 }), (shown, earlier, enteredTexts) => {
        const lines = page(...shown)
        const element = elementOf('button', shown[0]?.name ?? '')
        const history = [page(...earlier)]
        expect(proposeChecks(changeOf(lines, lines, { enteredTexts, element, history }))).toEqual([])
      }),
      { numRuns: 200 },
    )
  })
})

describe('where the action was', () => {
  const starOf = (name: string, sign: string): AriaNode => ({
    role: 'generic',
    key: name,
    children: [text(name), button(sign, { key: `star of ${name}` })],
  })
  const scope = 'internal:text="Liskov"i >> xpath=.. >> '

  test('the new name of the element in its place, though others have that name too', () => {
    const before = page(starOf('Turing', '★'), starOf('Liskov', '☆'), starOf('Knuth', '☆'))
    const after = page(starOf('Turing', '★'), starOf('Liskov', '★'), starOf('Knuth', '☆'))
    expect(ownSelectors(before, after, { element: elementOf('button', '☆', scope) })).toEqual([
      `${scope}internal:role=button[name="★"i] ${VISIBLE}`,
    ])
    const [all, some] = ['Show all', 'Show'].map((name) => page(starOf('Liskov', name)))
    expect(ownSelectors(all ?? [], some ?? [], { element: elementOf('button', 'Show all', scope) })).toEqual([
      `${scope}internal:role=button[name="Show"s] ${VISIBLE}`,
    ])
    // Without a place it could be that of any row.
    expect(ownSelectors(before, after, { element: elementOf('button', '☆') })).toEqual([])
    expect(
      ownSelectors(before, after, { element: elementOf('button', '☆', scope), isOtherPage: true }),
    ).toEqual([])
  })

  test('whether it is pressed or checked, where setting it does not say so', () => {
    const element = elementOf('button', 'Pin')
    const [off, on] = [page(button('Pin')), page(button('Pin', { pressed: true }))]
    expect(ownSelectors(off, on, { element })).toEqual([
      `internal:role=button[name="Pin"i][pressed=true] ${VISIBLE}`,
    ])
    expect(ownSelectors(on, off, { element })).toEqual([
      `internal:role=button[name="Pin"i][pressed=false] ${VISIBLE}`,
    ])
    const boxes = [false, true].map((checked) => page({ role: 'checkbox', name: 'Done', key: 'c', checked }))
    const [unchecked = [], checked = []] = boxes
    const box = (type: string) => ({ element: elementOf('checkbox', 'Done', '', type) })
    expect(ownSelectors(unchecked, checked, box('checkbox'))).toEqual([])
    expect(ownSelectors(unchecked, checked, box('button'))).toEqual([
      `internal:role=checkbox[name="Done"i][checked=true] ${VISIBLE}`,
    ])
  })

  test('the new value in the row of the element', () => {
    const rowOf = (name: string, quantity: string): AriaNode => ({
      role: 'row',
      key: name,
      name: `${name} ${quantity} Take one`,
      children: [
        { role: 'cell', key: `${name} name`, name },
        { role: 'cell', key: `${name} quantity`, name: quantity },
        { role: 'cell', key: `${name} action`, children: [button('Take one', { key: `take ${name}` })] },
      ],
    })
    const element = elementOf('button', 'Take one')
    const quantityOf = (before: string, after: string, own = element) =>
      ownSelectors(
        page(rowOf('Drill', before), rowOf('Hammer', '3')),
        page(rowOf('Drill', after), rowOf('Hammer', '3')),
        { element: own },
      )
    expect(quantityOf('14', '13')).toEqual([
      `internal:role=row >> internal:has-text="Drill"i >> internal:role=cell[name="13"s] ${VISIBLE}`,
    ])
    expect(quantityOf('14', '13', elementOf('button', 'Reload'))).toEqual([])
    // A time differs from run to run.
    expect(quantityOf('14', '12:04')).toEqual([])
  })

  test('the new text in an item of a list, if the old one does not contain it', () => {
    const stepsOf = (count: string) =>
      page({ ...item('a', 'Socks', count), children: [text('Socks'), text(count), button('More')] })
    const element = elementOf('button', 'More')
    expect(ownSelectors(stepsOf('2 pairs'), stepsOf('3 pairs'), { element })).toEqual([
      'internal:role=listitem >> internal:has-text="Socks"i {"kind":"text","text":"3 pairs"}',
    ])
    expect(ownSelectors(stepsOf('13 pairs'), stepsOf('3 pairs'), { element })).toEqual([])
  })
})

describe('the order of items', () => {
  const listOf = (...names: string[]) => page(...names.map((name) => item(name, name)))
  const orders = (before: PageChange['before'], after: PageChange['after'], more: Partial<PageChange> = {}) =>
    proposeChecks(changeOf(before, after, more)).flatMap(({ order }) => (order ? [order] : []))

  test('where it has changed, also since a filter hid some', () => {
    const [all, sorted] = [listOf('Food', 'Books', 'Cards'), listOf('Books', 'Food', 'Cards')]
    const order = { texts: ['Books', 'Food', 'Cards'], start: 0 }
    expect(orders(all, sorted)).toEqual([order])
    expect(orders(listOf('Books'), sorted, { history: [all, listOf('Books')] })).toEqual([order])
    expect(orders(listOf('Books'), all, { history: [all, listOf('Books')] })).toEqual([])
    expect(orders(all, sorted, { isOtherPage: true })).toEqual([])
  })

  test('names them by their texts, not by their fields', () => {
    const listWithBoxes = (...names: string[]) =>
      page(
        ...names.map((name): AriaNode => ({
          role: 'listitem',
          key: name,
          children: [{ role: 'checkbox', key: `box of ${name}`, name: `Done: ${name}` }, text(name)],
        })),
      )
    expect(orders(listWithBoxes('Food', 'Books'), listWithBoxes('Books', 'Food'))).toEqual([
      { texts: ['Books', 'Food'], start: 0 },
    ])
  })

  test('is not proposed where it was sorted earlier', () => {
    const [all, sorted] = [listOf('Food', 'Books'), listOf('Books', 'Food')]
    expect(orders(sorted, [...sorted, ...page(button('More'))], { history: [all, sorted] })).toEqual([])
  })

  test('begins after the header of a table', () => {
    const tableOf = (...names: string[]) =>
      page(
        { role: 'row', key: 'h', children: [{ role: 'columnheader', key: 'h1', name: 'Item' }] },
        ...names.map((name): AriaNode => ({
          role: 'row',
          key: name,
          children: [{ role: 'cell', key: `${name} cell`, name }],
        })),
      )
    expect(orders(tableOf('Drill', 'Anvil'), tableOf('Anvil', 'Drill'))).toEqual([
      { texts: ['Anvil', 'Drill'], start: 1 },
    ])
  })

  test('is one that the items have now and did not have before', () => {
    const names = fc.uniqueArray(fc.constantFrom('Ann', 'Bob', 'Cleo', 'Dora', 'Emil'), { minLength: 1 })
    fc.assert(
      fc.property(names, names, fc.array(names, { maxLength: 3 }), (before, after, earlier) => {
        const history = earlier.map((list) => listOf(...list))
        for (const { texts, start } of orders(listOf(...before), listOf(...after), { history })) {
          expect(start).toBe(0)
          expect(texts).toEqual(after)
          expect(before.join()).not.toBe(after.join())
        }
      }),
      { numRuns: 300 },
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
