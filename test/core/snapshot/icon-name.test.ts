import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { AriaNode, IconDescription } from '../../../src/core/sessions/types/snapshot.ts'
import { describeChanges } from '../../../src/core/snapshot/compare-snapshots.ts'
import { chooseIconName } from '../../../src/core/snapshot/icon-name.ts'
import { truncateTree } from '../../../src/core/snapshot/outline.ts'
import { linesOf, textOf } from '../../../src/core/snapshot/snapshot-lines.ts'

const nothing: IconDescription = { label: '', icon: '', classes: [], id: '', source: '', tag: 'span' }
const nameOf = (more: Partial<IconDescription>) => chooseIconName({ ...nothing, ...more })

describe('the name of an icon', () => {
  test('is what its author wrote, then its icon, its class, its id, its image, its tag', () => {
    const all = {
      label: 'Delete row',
      icon: 'bin',
      classes: ['fa fa-trash'],
      id: 'remove',
      source: '/img/cross.svg?v=2',
      tag: 'canvas',
    }
    const names = Object.keys(all).map((_, index) =>
      nameOf(Object.fromEntries(Object.entries(all).slice(index))),
    )
    expect(names).toEqual(['Delete row', 'bin', 'fa-trash', 'remove', 'cross', 'canvas'])
  })
  test.each([
    ['fa fa-trash w-4 h-4 text-gray-500 hover:bg-red', 'fa-trash'],
    ['star clicked', 'star clicked'],
    ['Toolbar_trash__x7Gh2', 'Toolbar_trash'],
    ['lucide lucide-trash-2', 'lucide-trash-2'],
    ['MuiSvgIcon-root css-1q2w3e', 'MuiSvgIcon-root'],
    ['svelte-1a2b3c delete', 'delete'],
    ['mdi mdi-arrow-left left-4', 'mdi-arrow-left'],
    ['box', 'box'],
    ['a1b2c3', 'a1b2c3'],
  ])('classes %p are named %p', (classes, name) => {
    expect(nameOf({ classes: [classes] })).toBe(name)
  })
  test('an icon in a box is named by its own classes, and a generated id names nothing', () => {
    expect(nameOf({ classes: ['btn', 'bi bi-gear'] })).toBe('bi-gear')
    expect(nameOf({ id: ':r1:' })).toBe('')
    expect(nameOf({ id: 'x9f3k2' })).toBe('')
    expect(nameOf({})).toBe('')
  })
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), fc.constantFrom('fa', 'icon', 'p-4'))
  const description = fc.record({
    label: text,
    icon: text,
    classes: fc.array(text, { maxLength: 4 }),
    id: text,
    source: text,
    tag: fc.constantFrom('div', 'canvas', 'x-rating'),
  })
  test('property: one short line, taken from the description, the same every time', () => {
    fc.assert(
      fc.property(description, (icon) => {
        const name = chooseIconName(icon)
        expect([...name].length).toBeLessThanOrEqual(40)
        expect(name).toBe(name.trim())
        expect(name).not.toMatch(/[\p{C}\n]/u)
        expect(chooseIconName(icon)).toBe(name)
        const source = [...Object.values(icon).flat()].join(' ').replace(/[\p{C}\s]+/gu, ' ')
        for (const word of name.split(' ')) expect(source).toContain(word)
      }),
      { numRuns: 500 },
    )
  })
  test('property: a label is always the name', () => {
    fc.assert(
      fc.property(description, fc.stringMatching(/^[a-z]{1,40}$/), (icon, label) => {
        expect(chooseIconName({ ...icon, label })).toBe(label)
      }),
    )
  })
})

describe('lines of elements that react to the pointer', () => {
  const textOfTree = (...tree: AriaNode[]) => textOf(linesOf(truncateTree(tree)))
  const star = (more: Partial<AriaNode> = {}): AriaNode => ({
    role: 'generic',
    ref: 'e1',
    key: 'n1',
    cursor: 'pointer',
    icon: { ...nothing, classes: ['star'] },
    ...more,
  })
  test('an icon has a line with its name, a box that can be focused by its ref, an item of a list by its text', () => {
    const part: AriaNode = { role: 'generic', ref: 'e3', key: 'n3', text: 'Milk', part: true }
    expect(textOfTree(star(), { role: 'generic', ref: 'e2', key: 'n2', focusable: true }, part)).toBe(
      'generic "star" [e1] clickable\ngeneric [e2] focusable\ntext [e3]: Milk',
    )
    expect(textOfTree({ ...part, part: false })).toBe('text: Milk')
    expect(textOfTree(star({ focusable: true }))).toBe('generic "star" [e1] clickable')
  })
  test('a class that comes is a change of the icon; a ref that comes to a text is none', () => {
    const lines = (...tree: AriaNode[]) => linesOf(truncateTree(tree))
    const clicked = star({ icon: { ...nothing, classes: ['star clicked'] } })
    expect(describeChanges(lines(star()), lines(clicked), 500)).toBe(
      '~ generic "star clicked" [e1] clickable',
    )
    expect(describeChanges(lines(), lines(star()), 500)).toBe('+ generic "star" [e1] clickable')
    const text: AriaNode = { role: 'generic', ref: 'e3', key: 'n3', text: 'Milk' }
    expect(describeChanges(lines(text), lines({ ...text, part: true }), 500)).toBe('')
  })
  const node = fc.record(
    {
      role: fc.constantFrom('generic', 'button', 'listitem', 'paragraph', 'img'),
      text: fc.string({ maxLength: 8 }),
      cursor: fc.constantFrom('pointer'),
      focusable: fc.boolean(),
      part: fc.boolean(),
      icon: fc.record({
        label: fc.string({ maxLength: 5 }),
        icon: fc.constant(''),
        classes: fc.array(fc.constantFrom('star', 'p-4', 'fa fa-x'), { maxLength: 2 }),
        id: fc.constant(''),
        source: fc.constant(''),
        tag: fc.constantFrom('div', 'canvas'),
      }),
    },
    { requiredKeys: ['role'] },
  )
  test('property: what is clicked, focused or part of a list has a line with its ref, once', () => {
    fc.assert(
      fc.property(fc.array(node, { maxLength: 8 }), (nodes) => {
        const tree = nodes.map((one, index) => ({ ...one, ref: `e${index}`, key: `n${index}` }) as AriaNode)
        const text = textOfTree(...tree)
        tree.forEach((one) => {
          const isActive = one.cursor || one.focusable || (one.part && one.text !== undefined)
          const count = text.split(`[${one.ref}]`).length - 1
          expect(count).toBeLessThanOrEqual(1)
          if (isActive) expect(count).toBe(1)
        })
      }),
      { numRuns: 300 },
    )
  })
})
