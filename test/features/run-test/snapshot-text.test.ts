import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type FrameSnapshot, readSnapshotText } from '../../../src/features/run-test/trace-evidence.ts'

type Node = string | [string, object, ...Node[]]

const snapshotOf = (html: unknown): FrameSnapshot => ({
  frameId: 'frame@1',
  frameUrl: 'http://localhost/',
  isMainFrame: true,
  html,
})

const treeOf = (depth: number): fc.Arbitrary<Node> => {
  const text = fc.stringMatching(/^[a-z]{1,5}$/)
  if (depth === 0) return text
  return fc.oneof(
    text,
    fc
      .tuple(fc.constantFrom('P', 'DIV', 'H1'), fc.array(treeOf(depth - 1), { maxLength: 4 }))
      .map(([tag, children]): Node => [tag, {}, ...children]),
  )
}

const pageTree = fc.array(treeOf(3), { maxLength: 5 }).map((body): Node => ['HTML', {}, ...body])

// As Playwright counts: texts and elements, children before parents.
const nodesOf = (node: Node): Node[] =>
  typeof node === 'string' ? [node] : [...(node.slice(2) as Node[]).flatMap(nodesOf), node]

test('a reference to any node of an earlier snapshot reads as that node', () => {
  fc.assert(
    fc.property(pageTree, fc.nat(), fc.nat(3), (tree, position, gap) => {
      const nodes = nodesOf(tree)
      const index = position % nodes.length
      const between = Array.from({ length: gap }, () => snapshotOf(['HTML', {}, 'between']))
      const withReference = [snapshotOf(tree), ...between, snapshotOf(['BODY', {}, [[gap + 1, index]]])]
      const expected = readSnapshotText([snapshotOf(['BODY', {}, nodes[index]])])
      expect(readSnapshotText(withReference)).toEqual(expected)
    }),
    { numRuns: 300 },
  )
})

test('the newest main frame counts, with its title and without scripts', () => {
  const page = [
    'HTML',
    {},
    ['HEAD', {}, ['TITLE', {}, 'Shop'], ['SCRIPT', {}, 'x()']],
    ['BODY', {}, ' a  b '],
  ]
  const inner = { ...snapshotOf(['HTML', {}, 'inner']), frameId: 'frame@2', isMainFrame: false }
  expect(readSnapshotText([snapshotOf('old'), snapshotOf(page), inner])).toEqual({
    url: 'http://localhost/',
    title: 'Shop',
    text: 'body: a b',
  })
  expect(readSnapshotText([])).toEqual({ text: '' })
})

test('a snapshot that refers to itself or to nothing has no text', () => {
  for (const reference of [[[0, 0]], [[1, 99]], [[9, 0]], [[]], [null], []])
    expect(readSnapshotText([snapshotOf('a'), snapshotOf(['P', {}, reference])]).text).toBe('')
})

test('the texts of one element are one line, also where a value stands in it', () => {
  const earlier = snapshotOf(['BODY', {}, ['H1', {}, 'Item ', '1']])
  const later = snapshotOf(['BODY', {}, ['H1', {}, [[1, 0]], '2'], ['P', {}, 'a ', ['B', {}, 'b'], ' c']])
  expect(readSnapshotText([earlier]).text).toBe('h1: Item 1')
  expect(readSnapshotText([earlier, later]).text).toBe('h1: Item 2\np: a\nb: b\np: c')
})
