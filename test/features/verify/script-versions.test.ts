import { expect, test } from 'bun:test'
import { chooseVersion } from '../../../src/features/verify/page/choose-version.ts'
import { findStyleShift, readStyleLines } from '../../../src/features/verify/page/style-lines.ts'

const script = (key: string, length = 1) => ({ key, length })
const choose = (...args: Parameters<typeof chooseVersion>) =>
  Object.fromEntries([...chooseVersion(...args)].map(([key, { text }]) => [key, text]))

test('a script is the version of its length, or of its place among those', () => {
  expect(choose([script('1', 2)], [{ text: 'a' }, { text: 'bb' }])).toEqual({ 1: 'bb' })
  expect(choose([script('1'), script('2')], [{ text: 'a' }, { text: 'b' }])).toEqual({ 1: 'a', 2: 'b' })
  expect(choose([script('1')], [{ text: 'a' }, { text: 'b' }])).toEqual({})
  expect(choose([script('1')], [{ text: 'a' }, { text: 'a' }])).toEqual({ 1: 'a' })
  expect(choose([script('1')], [{ text: 'a' }, undefined])).toEqual({})
  expect(choose([script('1'), script('2')], [undefined, { text: 'b' }])).toEqual({ 2: 'b' })
  expect(choose([{ key: '1', length: undefined }], [{ text: 'a' }])).toEqual({})
})

test('of several rules on a line some may be used', () => {
  expect(readStyleLines('a { b: c } d { e: f }\n', [{ startOffset: 0, endOffset: 10 }])).toEqual({
    used: [],
    partly: [1],
    unused: [],
  })
  const nested =
    '.a {\n  color: red;\n  .b {\n    color: blue;\n  }\n}\n/* a {} */\n@keyframes k {\n  to { top: 0 }\n}\n'
  expect(readStyleLines(nested, [{ startOffset: 0, endOffset: 58 }])).toEqual({
    used: [1, 2, 6],
    partly: [],
    unused: [3, 4, 5],
  })
})

test('a sheet is found in its component, unless that is another one now', () => {
  const component = '<p></p>\n<style>\n.a {\n  color: red;\n}\n</style>\n'
  expect(findStyleShift('\n.a[data-v-1] {\n  color: red;\n}\n', component)).toBe(1)
  expect(findStyleShift('.a.svelte-x {\n  color: red;\n}', component)).toBe(2)
  expect(findStyleShift('.a {\n  color: blue;\n}', component)).toBeUndefined()
})
