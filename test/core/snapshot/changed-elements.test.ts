import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { AriaNode } from '../../../src/core/sessions/types/snapshot.ts'
import { findChangedElements, placedElementsOf } from '../../../src/core/snapshot/changed-elements.ts'

const box = (x: number, y: number, width: number, height: number) => ({ x, y, width, height })

const page: readonly AriaNode[] = [
  {
    ref: 'e1',
    box: box(0, 0, 1000, 700),
    children: [
      {
        role: 'banner',
        name: 'Top',
        ref: 'e2',
        box: box(0, 0, 1000, 100),
        children: [
          { role: 'button', name: 'Save', ref: 'e3', box: box(10, 20, 100, 40) },
          { role: 'button', name: 'Send', ref: 'e4', box: box(700, 20, 100, 40) },
        ],
      },
      {
        ref: 'e5',
        box: box(0, 100, 1000, 600),
        children: [
          { role: 'paragraph', text: 'Twelve  items\nleft', ref: 'e6', box: box(0, 120, 900, 20) },
          { role: 'paragraph', ref: 'e7', box: box(0, 150, 900, 20), children: ['Two', 'parts'] },
        ],
      },
    ],
  },
]
const elements = placedElementsOf(page)
const refsOf = (area: ReturnType<typeof box>) => findChangedElements(area, elements).map(({ ref }) => ref)

test('an area of an element names it, and not what is around it', () => {
  expect(findChangedElements(box(10, 20, 100, 40), elements)).toEqual([
    { role: 'button', name: 'Save', ref: 'e3' },
  ])
  expect(refsOf(box(40, 30, 20, 15))).toEqual(['e3'])
  expect(refsOf(box(0, 122, 60, 14))).toEqual(['e6'])
})

test('an area with nothing in it names the smallest element around it', () => {
  expect(refsOf(box(300, 20, 100, 40))).toEqual(['e2'])
  expect(refsOf(box(300, 500, 100, 40))).toEqual(['e5'])
  expect(refsOf(box(2000, 500, 100, 40))).toEqual([])
})

test('an area of several elements names the outermost ones', () => {
  expect(refsOf(box(0, 0, 1000, 100))).toEqual(['e2'])
  expect(refsOf(box(0, 110, 900, 65))).toEqual(['e6', 'e7'])
  expect(refsOf(box(0, 0, 1000, 700))).toEqual(['e2', 'e6', 'e7'])
})

test('a name is the name or the text of the element itself, on one line', () => {
  expect(elements.map(({ name }) => name)).toEqual([
    '',
    'Top',
    'Save',
    'Send',
    '',
    'Twelve items left',
    'Two parts',
  ])
})

test('elements behind a modal layer, without a ref or without a box are left out', () => {
  const tree: readonly AriaNode[] = [
    { role: 'main', ref: 'e1', box: box(0, 0, 9, 9), hidden: true, children: page },
    { role: 'button', name: 'A', ref: 'e2' },
    { role: 'button', name: 'B', box: box(0, 0, 9, 9) },
    { role: 'button', name: 'C', ref: 'e4', box: box(0, 0, 9, 0) },
    { role: 'list', children: [{ role: 'button', name: 'D', ref: 'e5', box: box(0, 0, 9, 9) }] },
  ]
  expect(placedElementsOf(tree).map(({ ref }) => ref)).toEqual(['e5'])
})

test('the elements of any area touch it, are at most three, and none is inside of another', () => {
  const side = fc.nat({ max: 1100 })
  fc.assert(
    fc.property(
      side,
      side,
      fc.integer({ min: 1, max: 900 }),
      fc.integer({ min: 1, max: 900 }),
      (x, y, w, h) => {
        const found = findChangedElements(box(x, y, w, h), elements)
        expect(found.length).toBeLessThanOrEqual(3)
        for (const { ref } of found) {
          const index = elements.findIndex((element) => element.ref === ref)
          const element = elements[index]!
          expect(element.box.x < x + w && x < element.box.x + element.box.width).toBe(true)
          expect(element.box.y < y + h && y < element.box.y + element.box.height).toBe(true)
          const parent = element.parent === undefined ? undefined : elements[element.parent]
          expect(found.map((other) => other.ref)).not.toContain(parent?.ref)
        }
      },
    ),
  )
})
