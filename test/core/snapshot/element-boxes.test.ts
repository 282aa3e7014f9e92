import { expect, test } from 'bun:test'
import type { AriaNode } from '../../../src/core/sessions/types/snapshot.ts'
import { omitBoxes, placeFrame, placeFrames } from '../../../src/core/snapshot/element-boxes.ts'
import { linesOf, textOf } from '../../../src/core/snapshot/snapshot-lines.ts'

const box = (x: number, y: number, width = 10, height = 10) => ({ x, y, width, height })

const frame: AriaNode = {
  role: 'iframe',
  ref: 'e2',
  box: box(100, 50),
  children: [
    { role: 'button', name: 'Go', ref: 'f1e2', box: box(1, 2), cursor: 'pointer' },
    {
      role: 'iframe',
      ref: 'f1e3',
      box: box(5, 5),
      children: [{ role: 'link', ref: 'f2e2', box: box(1, 1) }],
    },
    'text',
  ],
}
const boxesIn = (tree: readonly (AriaNode | string)[]): unknown[] =>
  tree.flatMap((node) =>
    typeof node === 'string'
      ? []
      : [node.box && [node.box.x, node.box.y, node.box.width], ...boxesIn(node.children ?? [])],
  )

test('the boxes of a frame are moved and scaled with it, also those of frames in it', () => {
  const placed = placeFrame([frame], { x: 10.4, y: -20, a: 0.5, b: 0, c: 0, d: 2 })
  expect(boxesIn(placed)).toEqual([
    [60, 80, 5],
    [11, -16, 5],
    [13, -10, 5],
    [11, -18, 5],
  ])
  expect(placed).toMatchObject([{ children: [{ name: 'Go', box: { height: 20 } }, {}, 'text'] }])
})

test('where frames have coordinates of their own they are placed at their boxes', () => {
  expect(boxesIn(placeFrames([{ role: 'main', children: [frame] }]))).toEqual([
    undefined,
    [100, 50, 10],
    [101, 52, 10],
    [105, 55, 10],
    [106, 56, 10],
  ])
})

test('a line with a ref has the box after it, a line without a ref has none', () => {
  const tree: readonly AriaNode[] = [
    { role: 'button', name: 'Save [e9]', ref: 'e1', box: box(-4, 0, 80, 30), disabled: true, text: 'now' },
    { role: 'heading', name: 'Top', box: box(0, 0) },
    { ref: 'e3', text: 'Item', part: true, box: box(7, 8) },
  ]
  expect(textOf(linesOf(tree))).toBe(
    'button "Save [e9]" [e1] [-4,0,80,30] disabled: now\nheading "Top"\ntext [e3] [7,8,10,10]: Item',
  )
  expect(textOf(linesOf(omitBoxes(tree)))).toBe(
    'button "Save [e9]" [e1] disabled: now\nheading "Top"\ntext [e3]: Item',
  )
})
