import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { AriaNode } from '../../../src/core/sessions/types/snapshot.ts'
import { findClosestElements, isSimilar } from '../../../src/core/snapshot/closest-elements.ts'
import { describeChanges, findMovedLines } from '../../../src/core/snapshot/compare-snapshots.ts'
import {
  describeLayerChanges,
  isLayerChanging,
  visibleLines,
} from '../../../src/core/snapshot/modal-layers.ts'
import { searchLines } from '../../../src/core/snapshot/outline.ts'
import { linesOf, textOf } from '../../../src/core/snapshot/snapshot-lines.ts'

const item = (key: number, more: Partial<AriaNode> = {}): AriaNode => ({
  role: 'button',
  name: `Item ${key}`,
  key: `n${key}`,
  ref: `e${key}`,
  ...more,
})
const told = (before: readonly AriaNode[], after: readonly AriaNode[]) =>
  describeChanges(linesOf(before), linesOf(after), 1500)

const keys = fc.uniqueArray(fc.nat(500), { minLength: 1, maxLength: 60 })
const shuffled = keys.chain((all) =>
  fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })),
)

describe('changes', () => {
  test('additions first, then what is hidden, changed, moved and gone', () => {
    const before = [item(1), item(2), item(3), item(4), item(5), item(6)]
    const after = [
      item(2, { hidden: true }),
      item(3, { name: 'Renamed' }),
      item(5),
      item(4),
      item(6),
      { role: 'dialog', name: 'New', key: 'n9', ref: 'e9' },
    ]
    expect(told(before, after)).toBe(
      [
        '+ dialog "New" [e9]',
        '~ 1 line is hidden behind dialog "New"',
        '~ button "Renamed" [e3]',
        '↕ button "Item 5" [e5] moved after [e3]',
        '- button "Item 1" [e1]',
      ].join('\n'),
    )
  })
  test('an element keeps its key, so that a new name or ref is a change and no new element', () => {
    expect(told([item(1)], [item(1, { name: 'Other', ref: 'e7' })])).toBe('~ button "Other" [e7]')
  })
  test('a list without a name is described by its parts, and a ref for an element that nobody uses is not reported', () => {
    const list = (more: Partial<AriaNode> = {}): AriaNode => ({
      role: 'list',
      key: 'n2',
      ref: 'e2',
      children: [item(3)],
      ...more,
    })
    expect(told([item(1)], [item(1), list()])).toBe('+ button "Item 3" [e3]')
    expect(told([item(1)], [item(1), list({ name: 'Cart' })])).toContain('+ list "Cart" [e2]')
    const image: AriaNode = { role: 'img', name: 'cross', key: 'n4' }
    expect(told([image], [{ ...image, ref: 'e4' }])).toBe('')
    expect(told([image], [{ ...image, ref: 'e4', name: 'tick' }])).toBe('~ img "tick" [e4]')
    expect(told([{ ...item(5), ref: undefined } as unknown as AriaNode], [item(5)])).toBe(
      '~ button "Item 5" [e5]',
    )
  })
  test('an item without a name is left out if it is around one line only', () => {
    const list = (...children: AriaNode[]): AriaNode => ({
      role: 'list',
      key: 'n2',
      children: [{ role: 'listitem', key: 'n7', ref: 'e7', children }],
    })
    expect(told([item(1)], [item(1), list(item(3))])).toBe('+ button "Item 3" [e3]')
    expect(told([item(1)], [item(1), list(item(3), item(4))])).toBe(
      '+ listitem [e7]\n+ button "Item 3" [e3]\n+ button "Item 4" [e4]',
    )
    const clickable: AriaNode = {
      role: 'listitem',
      key: 'n7',
      ref: 'e7',
      cursor: 'pointer',
      children: [item(3)],
    }
    expect(told([item(1)], [item(1), clickable])).toStartWith('+ listitem [e7] clickable\n')
  })
  test('many cells are the first and the last one, with what all are once, and refs only if they are used', () => {
    const cells = (role: string, count: number, more: (index: number) => Partial<AriaNode>): AriaNode[] =>
      Array.from({ length: count }, (_, index) => ({
        role,
        name: `${index}`,
        key: `${role}${index}`,
        ref: `e${role.length}${index}`,
        ...more(index),
      }))
    const calendar = (more: (index: number) => Partial<AriaNode>): AriaNode => ({
      role: 'table',
      key: 't',
      children: [
        { role: 'row', key: 'r', ref: 'r', children: cells('columnheader', 7, () => ({})) },
        { role: 'row', key: 's', ref: 's', children: cells('cell', 42, more) },
      ],
    })
    const changes = (more: (index: number) => Partial<AriaNode>) => told([item(1)], [item(1), calendar(more)])
    expect(changes(() => ({ cursor: 'pointer' }))).toBe(
      '+ 7 × columnheader "0" … "6"\n+ 42 × cell "0" [e40] … "41" [e441] clickable',
    )
    expect(changes((index) => ({ cursor: 'pointer', disabled: index === 0 }))).toEndWith(
      '42 × cell "0" [e40] disabled clickable … "41" [e441] clickable',
    )
  })
  test('a part with other elements in it is described by them where that is shorter than the page', () => {
    const days = (start: number): AriaNode[] => Array.from({ length: 30 }, (_, index) => item(start + index))
    const rest = Array.from({ length: 10 }, (_, index): AriaNode => item(900 + index, { role: 'textbox' }))
    const changes = told([...rest, ...days(100)], [...rest, ...days(200)])
    expect(changes).toStartWith('+ button "Item 200" [e200], "Item 201" [e201], ')
    expect(changes).toEndWith('\n- 30 × button "Item 100" … "Item 129"')
    const items = (start: number) =>
      days(start).map((day, index): AriaNode => ({
        role: index % 2 ? 'listitem' : 'group',
        key: `g${start + index}`,
        children: [day],
      }))
    expect(told(items(100), [...items(200), item(1)])).toStartWith('a new page:\n')
    expect(told([item(1), item(2), item(3)], [item(3)])).toBe(
      '- button "Item 1" [e1]\n- button "Item 2" [e2]',
    )
  })
  test('what goes with an element is counted, and a row is named by its beginning', () => {
    const row = (key: number) => ({
      role: 'row',
      key: `r${key}`,
      ref: `r${key}`,
      children: ['Ada', 'b', 'c'].map((name, index): AriaNode => ({
        role: 'cell',
        name,
        key: `c${key}${index}`,
      })),
    })
    const table = (...rows: AriaNode[]): AriaNode => ({ role: 'table', key: 't', ref: 't', children: rows })
    expect(told([table(row(1), row(2))], [table(row(2))])).toContain('- row [r1]')
    const wide = { ...row(1), children: [...row(1).children, item(5)] }
    expect(told([table(wide, row(2))], [table(row(2))])).toBe('- row [r1]: Ada …')
    expect(told([table(row(2))], [table(wide, row(2))])).toContain('+ button "Item 5" [e5] in row "Ada"')
    expect(textOf(searchLines(linesOf([table(wide)]), /Item/))).toBe('button "Item 5" [e5] in row "Ada"')
  })
  test('property: without the moved lines the order is kept, and a page that kept its order has none', () => {
    fc.assert(
      fc.property(shuffled, ([all, mixed]) => {
        const [before, after] = [linesOf(all.map((key) => item(key))), linesOf(mixed.map((key) => item(key)))]
        const moved = new Set(findMovedLines(before, after).map(({ key }) => key))
        const still = (lines: typeof before) => lines.map(({ key }) => key).filter((key) => !moved.has(key))
        expect(still(after)).toEqual(still(before))
        expect(findMovedLines(before, before)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })
  test('property: one element that moves is the only one that is reported', () => {
    fc.assert(
      fc.property(keys, fc.nat(), fc.nat(), (all, from, to) => {
        const rest = all.toSpliced(from % all.length, 1)
        const one = all[from % all.length] as number
        const after = rest.toSpliced(to % all.length, 0, one)
        const lines = told(
          all.map((key) => item(key)),
          after.map((key) => item(key)),
        )
        expect(lines.split('\n').length).toBe(1)
        if (after.join() === all.join()) expect(lines).toBe('')
        else expect(lines).toMatch(/^↕ button "Item \d+" \[e\d+\] moved (after \[e\d+\]|to the front)$/)
      }),
      { numRuns: 300 },
    )
  })
  test('property: however large the page, a dialog before it costs one line, and so does its end', () => {
    fc.assert(
      fc.property(keys, (all) => {
        const before = all.map((key) => item(key))
        const during = [
          ...all.map((key) => item(key, { hidden: true })),
          { role: 'dialog', name: 'X', key: 'd', ref: 'd' },
        ]
        expect(told(before, during)).toMatch(/^\+ dialog "X" \[d\]\n~ [^\n]* hidden behind dialog "X"$/)
        expect(told(during, before)).toMatch(/^~ [^\n]* back\n- dialog "X" \[d\]$/)
        expect(textOf(visibleLines(linesOf(during)))).toMatch(
          /^… \d+ lines? hidden behind dialog "X"\ndialog/,
        )
        expect(describeLayerChanges(linesOf(during), linesOf(during))).toEqual([])
      }),
      { numRuns: 200 },
    )
  })
  test('a list of the page that is hidden with it is no layer that closes; a dialog that is hidden while nothing opens is one', () => {
    const list = (hidden: boolean): AriaNode => ({ role: 'listbox', name: 'Own', key: 'l', ref: 'l', hidden })
    const dialog: AriaNode = { role: 'dialog', name: 'X', key: 'd', ref: 'd' }
    expect(told([list(false)], [list(true), dialog])).toEndWith(
      '~ the rest of the page is hidden behind dialog "X"',
    )
    expect(told([dialog, item(1, { hidden: true })], [{ ...dialog, hidden: true }, item(1)])).toBe(
      '~ dialog "X" is hidden\n~ the rest of the page is back',
    )
  })
  test('without a layer nothing hidden is left out, and a list that hides no others is none', () => {
    const lines = linesOf([item(1, { hidden: true }), item(2)])
    expect(visibleLines(lines)).toEqual(lines)
    const list = { role: 'listbox', name: 'Skills', key: 'l', ref: 'l' }
    const withList = linesOf([item(1, { hidden: true }), list, item(2)])
    expect(visibleLines(withList)).toEqual(withList)
    expect(visibleLines(linesOf([item(1, { hidden: true }), list]))).toHaveLength(2)
  })
  test('a layer that opens or closes is looked at again once it is still; a new name is not', () => {
    const turning = (before: AriaNode, after: AriaNode) =>
      isLayerChanging(linesOf([before]), linesOf([after]))
    expect(turning(item(1, { expanded: false }), item(1, { expanded: true }))).toBe(true)
    expect(turning(item(1), item(1, { passive: true }))).toBe(true)
    const more = (node: AriaNode) => isLayerChanging(linesOf([item(1)]), linesOf([item(1), node]))
    expect(more({ role: 'button', name: 'Deaf', key: 'n2' })).toBe(true)
    expect(more({ role: 'listbox', name: 'Open', key: 'n3', ref: 'e3' })).toBe(true)
    // Nothing that was there is left: another page.
    expect(turning(item(1), { role: 'listbox', name: 'Open', key: 'n3', ref: 'e3' })).toBe(false)
    expect(turning(item(1), item(1, { name: 'Other' }))).toBe(false)
    expect(turning(item(1), item(2))).toBe(false)
  })
})

test('a control is reported once: what is in it and in its name has no line, what can be used has', () => {
  const save = item(1, { name: 'disk Save', children: [{ role: 'img', name: 'disk', ref: 'e2' }, 'Save'] })
  expect(textOf(linesOf([save]))).toBe('button "disk Save" [e1]')
  const more = { ...save, children: [...(save.children ?? []), 'Other', item(3)] }
  expect(textOf(linesOf([more]))).toBe('button "disk Save" [e1]\n text: Other\n button "Item 3" [e3]')
})

test('a trap for programs is neither useful nor a candidate', () => {
  const lines = linesOf([
    item(1, { role: 'textbox', name: 'Email', unseen: true }),
    item(2, { role: 'textbox', name: 'Email' }),
  ])
  expect(lines.map(({ text, isUseful }) => [text, isUseful])).toEqual([
    ['textbox "Email" [e1] unseen', false],
    ['textbox "Email" [e2]', true],
  ])
  expect(findClosestElements('email', lines)).toEqual([{ role: 'textbox', name: 'Email', ref: 'e2' }])
})

test('what the syntax of a target says is no word of an element', () => {
  const lines = linesOf([
    item(1, { role: 'textbox', name: 'Name' }),
    item(2, { role: 'button', name: 'Go now' }),
  ])
  expect(findClosestElements("page.getByRole('button', { name: 'Go' })", lines)[0]).toMatchObject({
    ref: 'e2',
  })
  expect(isSimilar("getByText('x', { exact: true })", { role: 'textbox', name: 'Name' })).toBe(false)
  expect(isSimilar('ref e6', { role: 'button', name: 'Refresh' })).toBe(false)
  expect(isSimilar('#go-now', { role: 'button', name: 'Go now' })).toBe(true)
})
