// The outline of a long page: how controls that are alike are told apart, and how many of them are said in little room.

import { beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { AriaNode } from '../../../src/core/sessions/types/snapshot.ts'
import { labelControls } from '../../../src/core/snapshot/block-labels.ts'
import { createOutline, searchLines } from '../../../src/core/snapshot/outline.ts'
import { linesOf, textOf } from '../../../src/core/snapshot/snapshot-lines.ts'

type Child = AriaNode | string

let count = 0
beforeEach(() => void (count = 0))
const node = (role: string, children: readonly Child[] = [], more: Partial<AriaNode> = {}): AriaNode => {
  count += 1
  return { role, ref: `e${count}`, key: `n${count}`, children, ...more }
}
const box = (...children: Child[]) => node('generic', children)
const item = (...children: Child[]) => node('listitem', children)
const heading = (name: string) => node('heading', [], { name, level: 2 })
const button = (name: string) => node('button', [], { name })
const link = (name: string) => node('link', [], { name, url: '/' })
const cell = (...children: Child[]) =>
  node('cell', children, { name: children.filter((child) => typeof child === 'string').join(' ') })
const row = (...cells: AriaNode[]) => node('row', cells, { name: 'all its cells' })
const times = <T>(length: number, create: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => create(index))

/** The label of each control that has one. */
function labelsOf(...tree: Child[]): string[] {
  const lines = linesOf(tree)
  const labels = labelControls(lines)
  return lines.flatMap(({ key, role, name }) => {
    const label = labels.get(key)
    return label ? [`${role} ${name}: ${label.text}`.replace('  ', ' ')] : []
  })
}

describe('a control that has its like is labelled', () => {
  const names = ['Ada', 'Grace', 'Alan']
  const expected = names.map((name) => `button Edit: ${name}`)
  test('with the text of its row, item, box or card, a heading before other texts', () => {
    const edit = () => button('Edit')
    const rows = names.map((name) => row(cell(name), cell('open'), cell(edit())))
    expect(labelsOf(node('table', [node('rowgroup', rows)]))).toEqual(expected)
    expect(
      labelsOf(
        node(
          'list',
          names.map((name) => item(name, edit())),
        ),
      ),
    ).toEqual(expected)
    expect(labelsOf(box(...names.map((name) => box(box(name), box(edit())))))).toEqual(expected)
    const cards = names.map((name, index) => box(`${index} €`, heading(name), 'A text.', edit()))
    expect(labelsOf(box(heading('People'), ...cards))).toEqual(expected)
    const linked = names.map((name) => item(link(name), edit()))
    expect(labelsOf(node('list', linked))).toEqual(expected)
  })
  test('with a text that no other block has, with the name after a number, or with the first texts together', () => {
    expect(labelsOf(...names.map((name) => box('New', name, button('Edit'))))).toEqual(expected)
    const numbered = names.map((name, index) => row(cell(`${index}`), cell(name), cell(button('Edit'))))
    expect(labelsOf(node('table', numbered))[2]).toBe('button Edit: 2 Alan')
    const people = [
      ['Ada', 'Lovelace'],
      ['Ada', 'Hopper'],
      ['Grace', 'Hopper'],
      ['Grace', 'Lovelace'],
    ]
    const joined = people.map((texts) => box(...texts, button('Edit')))
    expect(labelsOf(...joined)[1]).toBe('button Edit: Ada Hopper')
  })
  test('with the outer block too, where several have the same', () => {
    const task = (name: string) => item(name, button('Edit'))
    const project = (name: string) => box(heading(name), node('list', [task('One'), task('Two')]))
    expect(labelsOf(project('A'), project('B'))).toEqual([
      'button Edit: A › One',
      'button Edit: A › Two',
      'button Edit: B › One',
      'button Edit: B › Two',
    ])
  })
  test('with a group of fields, and a field without a label by its row, whatever it contains', () => {
    const group = (name: string) =>
      node('group', [node('textbox', [], { name: 'Street', text: 'x' })], { name })
    expect(labelsOf(group('Billing'), group('Shipping'))).toEqual([
      'textbox Street: Billing',
      'textbox Street: Shipping',
    ])
    const field = (text: string) => node('textbox', [], { text })
    const rows = names.map((name, index) => row(cell(name), cell(field(`${index}`))))
    expect(labelsOf(node('table', rows))).toEqual(names.map((name, index) => `textbox ${index}: ${name}`))
  })
  test('with the text before it, or after it, in a flat list', () => {
    expect(labelsOf(box(...names.flatMap((name) => [name, button('Edit')])))).toEqual(expected)
    expect(labelsOf(box(...names.flatMap((name) => [button('Edit'), name])))).toEqual(expected)
    const sections = names.flatMap((name) => [heading(name), 'A text.', button('Edit')])
    expect(labelsOf(heading('People'), 'All of them.', ...sections, 'The end.')).toEqual(expected)
  })
})

describe('no label is better than a wrong one', () => {
  test('where the text before and the one after may both be meant', () => {
    const flat = [1, 2, 3].flatMap((index) => [button('Edit'), `Text ${index}`])
    expect(labelsOf(box('Text 0', ...flat))).toEqual([])
  })
  test('where names and buttons are in columns', () => {
    expect(labelsOf(box('Ada', 'Grace'), box('Actions', button('Edit'), button('Edit')))).toEqual([])
    expect(labelsOf(box('Ada', 'Grace'), box(box(button('Edit')), box(button('Edit'))))).toEqual([])
  })
  test('where two navigations share a link, and where all blocks say the same', () => {
    const navigations = [box(link('Home'), link('About')), box(link('About'), link('Imprint'))]
    expect(labelsOf(...navigations)).toEqual([])
    expect(
      labelsOf(node('navigation', [link('About'), 'Menu']), node('main', ['Text', link('About')])),
    ).toEqual([])
    expect(labelsOf(...times(3, () => item('New', button('Edit'))))).toEqual([])
  })
  test('where the text belongs to another such control', () => {
    const inner = (name: string) => item(name, button('Drop'))
    expect(
      labelsOf(item(inner('Ada'), button('Drop'), inner('Grace')), item('Alan', button('Drop'))),
    ).toEqual(['button Drop: Ada', 'button Drop: Grace', 'button Drop: Alan'])
    const shared = [
      item(button('Drop')),
      heading('Ada'),
      item(button('Drop'), button('Drop')),
      heading('Grace'),
    ]
    expect(labelsOf(box(...shared))).toEqual([])
    const mixed = [node('article', ['Ada', button('Drop')]), button('Drop'), 'Grace', button('Drop')]
    expect(labelsOf(box(...mixed))).toEqual([])
  })
  test('where a link is in a sentence, or in one of several lists', () => {
    const sentence = (...children: Child[]) => node('paragraph', children)
    const prose = [
      sentence('See', link('Vec'), 'and its', link('Vec'), 'for more.'),
      ...['One.', 'Two.', 'Three.'].map((text) => sentence(text)),
      sentence('A', link('Vec'), 'grows.'),
    ]
    expect(labelsOf(...prose)).toEqual([])
    expect(labelsOf(sentence(link('Vec'), 'is one', link('Vec'), 'is another'))).toEqual([])
    const list = (text: string) => node('list', [item(text), item('Help for', link('Help'))])
    expect(labelsOf(list('Prices'), list('Jobs'), list('Press'))).toEqual([])
  })
  test('where nothing is like it', () => {
    expect(labelsOf(item('Ada', button('Edit Ada')), item('Grace', button('Edit Grace')))).toEqual([])
  })
  const tree = fc.letrec<{ tree: Child }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.constantFrom('Ada', 'Grace', 'Alan', '1'),
      fc.constantFrom('Edit', 'Drop').map(button),
      fc.constantFrom('Ada', 'Grace').map(heading),
      fc
        .tuple(fc.constantFrom('generic', 'listitem'), fc.array(tie('tree'), { minLength: 1, maxLength: 5 }))
        .map(([role, children]) => node(role, children)),
    ),
  })).tree
  test('property: what a label says is in the block of its control, or next to it', () => {
    fc.assert(
      fc.property(fc.array(tree, { maxLength: 5 }), (nodes) => {
        const lines = linesOf(nodes)
        const labels = labelControls(lines)
        for (const line of lines) {
          const label = labels.get(line.key)
          if (!label) continue
          const isInside = ({ place }: (typeof lines)[number]) => {
            let part = place
            while (part && part !== label.block) part = part.parent
            return part !== undefined
          }
          expect(isInside(line)).toBe(true)
          const likes = lines.filter(({ role, name }) => role === line.role && name === line.name)
          const sources = lines.filter(({ key }) => label.sources.includes(key))
          expect(sources.length).toBeGreaterThan(0)
          for (const source of sources.filter((other) => !isInside(other))) {
            const [from, to] = [lines.indexOf(source), lines.indexOf(line)].sort((a, b) => a - b)
            expect(lines.slice(from, to).filter((other) => likes.includes(other) && other !== line)).toEqual(
              [],
            )
          }
        }
      }),
      { numRuns: 2000 },
    )
  })
})

describe('a page that is too long', () => {
  const cards = (length: number) =>
    box(
      ...times(length, (index) => box(heading(`Order ${index}`), 'A text.', button('Edit'), button('Drop'))),
    )
  const end = () => [node('textbox', [], { name: 'Note' }), button('Save')]
  test('that is short enough is whole, with its items below their list', () => {
    const list = node('list', [item('Milk', button('Drop'))])
    expect(createOutline(linesOf([list]), 500).replaceAll(/ \[e\d+\]/g, '')).toBe(
      'list\n listitem: Milk\n  button "Drop"',
    )
  })
  test('has its labels while there is room, then one line for many, and what follows them', () => {
    const lines = linesOf(times(6, (index) => item(`Order ${index}`, 'A text. '.repeat(9), button('Edit'))))
    expect(createOutline(lines, 500)).toMatch(/^button "Edit" \[e\d+\] in "Order 0"$/m)
    const outline = createOutline(linesOf([cards(20), ...end()]), 900).replaceAll(/e\d+/g, 'e1')
    expect(outline).toBe(`20 × button "Edit" in "Order …": ${times(20, (index) => `${index} [e1]`).join(', ')}
20 × button "Drop" in "Order …": ${times(20, (index) => `${index} [e1]`).join(', ')}
textbox "Note" [e1]
button "Save" [e1]
… more text: use snapshot with cursor or pattern`)
  })
  test('leaves out the middle of the longest runs, says how many are there and how one is found', () => {
    const lines = linesOf([cards(400), ...end()])
    const outline = createOutline(lines, 2000)
    expect(outline.length).toBeLessThanOrEqual(2000)
    expect(outline.length).toBeGreaterThan(1900)
    expect(outline).toMatch(
      /^400 × button "Edit" in "Order …": 0 \[e\d+\], 1 .* … \d+ more like these \(pattern finds one\) … 399 \[e\d+\]$/m,
    )
    expect(outline).toMatch(/^textbox "Note" \[e\d+\]\nbutton "Save"/m)
    expect(textOf(searchLines(lines, /Order 317\b/)).replaceAll(/ \[e\d+\]/g, '')).toBe(
      'heading "Order 317" level=2\nbutton "Edit"\nbutton "Drop"',
    )
  })
  test('has many links as one line, by their names', () => {
    const links = node(
      'list',
      times(40, (index) => item(link(`Chapter ${index}`))),
    )
    const outline = createOutline(linesOf([links, ...end()]), 800)
    expect(outline).toMatch(/^40 × link "Chapter …": 0 \[e\d+\], .* 39 \[e\d+\]\ntextbox "Note"/)
  })
  test('says the addresses of links while there is room, and does not leave out what is as short as the word for it', () => {
    const sections = (length: number) =>
      times(length, (index) => [
        heading(`Part ${index}`),
        node(
          'list',
          times(3, (at) => item(link(`Page ${index}.${at}`))),
        ),
        link(`Read part ${index}`),
      ]).flat()
    const outline = (length: number, maxChars: number) => createOutline(linesOf(sections(length)), maxChars)
    expect(outline(4, 640)).toMatch(/^link "Read part 0" \[e\d+\] → \/$/m)
    const short = outline(9, 1080)
    expect(short).not.toMatch(/more (?:like|interactive)| → /)
    expect(short).toMatch(/^link "Read part 8" \[e\d+\]$/m)
  })
  test('shows no label that looks like another entry', () => {
    const strange = ['a, b [e1]', 'c: d', '" e', 'f…']
    const blocks = strange.map((text) => box(text, 'A text. '.repeat(9), button('Edit')))
    expect(createOutline(linesOf([...blocks, ...end()]), 240)).toStartWith(
      `4 × button "Edit" in: "a, b [e1]" [e1], "c: d" [e3], "\\" e" [e5], "f…" [e7]\n`,
    )
  })
  test('property: no control is left out without a word', () => {
    const block = fc.tuple(
      fc.constantFrom('Ada', 'Grace', 'Alan'),
      fc.constantFrom('Edit', 'Drop'),
      fc.nat(3),
    )
    fc.assert(
      fc.property(fc.array(block, { minLength: 5, maxLength: 60 }), fc.nat(2000), (blocks, maxChars) => {
        const tree = blocks.map(([text, name, repeated]) =>
          item(text, ...times(repeated, () => button(name))),
        )
        const lines = linesOf(tree)
        const outline = createOutline(lines, maxChars + 200)
        const shown = new Set(outline.match(/e\d+(?=\])/g))
        const omitted = [...outline.matchAll(/… (\d+) more (?:like|inter)/g)].map(([, number]) =>
          Number(number),
        )
        const buttons = lines.filter(({ role }) => role === 'button')
        const missing = buttons.filter(({ ref = '' }) => !shown.has(ref))
        expect(omitted.reduce((sum, number) => sum + number, 0)).toBe(missing.length)
      }),
      { numRuns: 500 },
    )
  })
})
