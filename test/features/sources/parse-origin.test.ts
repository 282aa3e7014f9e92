import { expect, test } from 'bun:test'
import { describeSource, summarizeSource } from '../../../src/features/sources/element-source.ts'
import { parseOrigin } from '../../../src/features/sources/parse-origin.ts'

test('what a page answers is taken as far as it is an origin', () => {
  for (const answer of [
    undefined,
    1,
    'x',
    [],
    {},
    { element: {} },
    { element: { tag: 'a b' } },
    { element: { tag: 3 } },
  ])
    expect(parseOrigin(answer)).toBeUndefined()
  const origin = parseOrigin({
    element: { tag: 'p', attributes: { id: 'a', bad: 3 }, text: 'x'.repeat(5000) },
    position: { file: 'a.ts', line: -1, column: 'x' },
    components: [{ name: 'A\nB', position: { stack: 'y'.repeat(10_000) } }, { name: 5 }, null],
    path: [{ tag: 'p' }, null, { tag: 'p', attributes: {}, index: 0, count: 1, isDirect: 'yes' }],
    testId: {},
  })
  expect(origin).toMatchObject({
    element: { tag: 'p', attributes: { id: 'a' } },
    position: { file: 'a.ts' },
    components: [{ name: 'A B' }],
    path: [{ tag: 'p', index: 0, count: 1, isDirect: false }],
  })
  expect(JSON.stringify(origin).length).toBeLessThan(6000)
  expect(origin?.testId).toBeUndefined()
})

const at = { file: 'src/cart.tsx', line: 41, column: 7 }
const components = [{ name: 'Cart', position: { file: 'src/app.tsx', line: 3, column: 2 } }, { name: 'App' }]

test('a source is one line in evidence and several as content', () => {
  const source = { element: '<button>', position: at, components }
  expect(summarizeSource(source)).toBe('src/cart.tsx:41:7 in Cart < App')
  expect(describeSource(source)).toBe('<button> src/cart.tsx:41:7\nin Cart (src/app.tsx:3:2)\nin App')
  expect(summarizeSource({ element: '<button>', components })).toBe('src/app.tsx:3:2 (<Cart>) in Cart < App')
  const around = { ...source, ancestor: '<form>' }
  expect(summarizeSource(around)).toContain('(<form> around <button>)')
  expect(describeSource(around)).toContain('<form> src/cart.tsx:41:7, the nearest known ancestor of <button>')
})

test('without a source no file is named, and the nearest test id helps', () => {
  const source = { element: '<button>', components: [], testId: 'data-testid="save"' }
  expect(summarizeSource(source)).toBeUndefined()
  expect(describeSource(source)).toMatch(/^No source is known .* Nearest test id: data-testid="save"\.$/)
})
