import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { AriaNode } from '../../../src/core/sessions/types/snapshot.ts'
import { compactLines } from '../../../src/core/snapshot/compact-lines.ts'
import { describeChanges } from '../../../src/core/snapshot/compare-snapshots.ts'
import { createOutline } from '../../../src/core/snapshot/outline.ts'
import { linesOf, textOf } from '../../../src/core/snapshot/snapshot-lines.ts'

let count = 0
const node = (role: string, more: Partial<AriaNode> = {}): AriaNode => {
  count += 1
  return { role, ref: `e${count}`, key: `n${count}`, ...more }
}
const cell = (name: string, more: Partial<AriaNode> = {}) => node('cell', { name, ...more })
const button = (name: string) => node('button', { name })
const row = (...children: AriaNode[]) => node('row', { children })
const table = (...rows: AriaNode[]) => node('table', { children: [node('rowgroup', { children: rows })] })
const compact = (...tree: AriaNode[]) =>
  textOf(compactLines(linesOf(tree))).replace(/ \[e\d+\]/g, (ref) => (ref === '' ? '' : ' [ref]'))

describe('rows', () => {
  test('are one line each, with the controls and the cells that react; a group of rows without a name has none', () => {
    const header = row(node('columnheader', { name: 'Customer' }), node('columnheader', { name: 'State' }))
    const first = row(
      cell('Ada'),
      cell('open', { cursor: 'pointer' }),
      node('cell', { children: [button('Pay'), button('Drop')] }),
    )
    expect(compact(table(header, first, row(cell('Grace'), cell(''), cell('paid'))))).toBe(`table [ref]
 row [ref] of columnheaders: Customer | State
 row [ref]: Ada | cell "open" [ref] clickable | button "Pay" [ref]; button "Drop" [ref]
 row [ref]: Grace |  | paid`)
  })
  test('a cell whose name is that of its link says it once; its text is no cell and no element of its own', () => {
    const link = node('link', { name: 'Ada', url: '/ada' })
    const strange = row(
      node('cell', { name: 'Ada', children: [link] }),
      cell('a | b'),
      cell('button "Pay" [e9]'),
    )
    expect(compact(table(strange))).toBe(`table [ref]
 row [ref]: link "Ada" [ref] → /ada | "a | b" | "button \\"Pay\\" [ref]"`)
  })
  test('a row of one cell, one with a table inside and one with a long cell stay as they are', () => {
    const single = row(cell('alone'))
    const outer = row(cell('left'), node('cell', { children: [table(row(cell('a'), cell('b')))] }))
    const long = row(cell('x'.repeat(400)), cell('y'))
    for (const kept of [single, outer, long]) expect(compact(table(kept))).toMatch(/row \[ref\]\n +cell/)
  })
  test('where a message will be shown is no line, what it shows is one', () => {
    const { ref: _, ...hidden } = node('status')
    const message = node('alert', { text: 'Saved' })
    expect(compact(hidden, message, { ...hidden, children: [button('Undo')] })).toBe(
      'alert [ref]: Saved\nstatus\n button "Undo" [ref]',
    )
  })
  test('the items of a list have their text, and controls below it', () => {
    const item = node('listitem', { children: ['Milk, 1 l' as unknown as AriaNode, button('Delete')] })
    expect(compact(node('list', { children: [item] }))).toBe(`list [ref]
 listitem [ref]: Milk, 1 l
  button "Delete" [ref]`)
  })
  test('three options and six controls of one role that follow each other are one line, with their states; fewer, links and those with a value are not', () => {
    const option = (name: string, more: Partial<AriaNode> = {}): AriaNode => ({
      role: 'option',
      name,
      ...more,
    })
    const select = node('combobox', {
      name: 'Size',
      children: [option('S'), option('M, wide', { selected: true }), option('L', { disabled: true })],
    })
    const fields = [1, 2, 3].map((index) => node('textbox', { name: `Field ${index}`, text: 'x' }))
    const links = [1, 2, 3].map((index) => node('link', { name: `Link ${index}`, url: `/${index}` }))
    expect(compact(select, button('One'), button('Two'), ...fields, ...links)).toBe(`combobox "Size" [ref]
 option "S", "M, wide" selected, "L" disabled
button "One" [ref]
button "Two" [ref]
textbox "Field 1" [ref]: x
textbox "Field 2" [ref]: x
textbox "Field 3" [ref]: x
link "Link 1" [ref] → /1
link "Link 2" [ref] → /2
link "Link 3" [ref] → /3`)
    const keys = [1, 2, 3, 4, 5, 6].map((index) => button(`${index}`))
    expect(compact(...keys)).toBe('button "1" [ref], "2" [ref], "3" [ref], "4" [ref], "5" [ref], "6" [ref]')
    expect(compact(...keys.slice(1)).split('\n')).toHaveLength(5)
    const days = Array.from({ length: 60 }, (_, index) => button(`Day ${index}`))
    const text = compact(...days)
    expect(text.split('\n').length).toBeGreaterThan(1)
    expect(text.match(/"Day \d+" \[ref\]/g)).toHaveLength(60)
  })
  test('no control loses its ref, whatever the tree', () => {
    const roles = fc.constantFrom('table', 'rowgroup', 'row', 'cell', 'list', 'listitem', 'button', 'generic')
    const names = fc.constantFrom('', 'Ada', 'a | b')
    const { tree } = fc.letrec<{ tree: AriaNode }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 6, withCrossShrink: true },
        fc.tuple(roles, names).map(([role, name]) => node(role, { name })),
        fc
          .tuple(roles, names, fc.array(tie('tree'), { minLength: 1, maxLength: 3 }))
          .map(([role, name, children]) => node(role, { name, children })),
      ),
    }))
    fc.assert(
      fc.property(tree, (root) => {
        const lines = linesOf([root])
        const text = textOf(compactLines(lines))
        for (const { isUseful, ref } of lines) if (isUseful) expect(text).toContain(`[${ref}]`)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('changes and outlines', () => {
  const line = (name: string) =>
    row(cell(name), cell('open'), node('cell', { children: [button(`Pay ${name}`)] }))
  const added = (size: number) => Array.from({ length: size }, (_, index) => line(`Customer ${index}`))
  const describeAdded = (rows: readonly AriaNode[]) => {
    const before = Array.from({ length: 20 }, (_, index) => line(`Old ${index}`))
    const group = node('rowgroup')
    const [old, all] = [before, [...before, ...rows]].map((children) => linesOf([{ ...group, children }]))
    return describeChanges(old ?? [], all ?? [], 1500)
  }
  test('a few new rows are one line each', () => {
    expect(describeAdded(added(3)).replace(/ \[e\d+\]/g, ''))
      .toBe(`+ row: Customer 0 | open | button "Pay Customer 0"
+ row: Customer 1 | open | button "Pay Customer 1"
+ row: Customer 2 | open | button "Pay Customer 2"`)
  })
  test('of many, the cells are a range', () => {
    const text = describeAdded(
      added(10).map((one) => ({ ...one, children: [...(one.children ?? []), cell('z'.repeat(90))] })),
    )
    expect(text).toMatch(/^\+ 40 × cell "Customer 0" … /)
    expect(text).toContain('button "Pay Customer 9"')
  })
  test('an outline has every control, with its row if there is room', () => {
    const lines = linesOf([table(...added(20))])
    const roomy = createOutline(lines, 5000)
    expect(roomy).toContain('Customer 19 | open | button "Pay Customer 19"')
    const tight = createOutline(lines, 1000)
    expect(tight.match(/button "Pay/g)).toHaveLength(20)
    expect(tight).not.toContain(' | ')
  })
})
