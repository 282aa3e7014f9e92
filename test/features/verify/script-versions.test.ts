import { expect, test } from 'bun:test'
import { chooseVersion } from '../../../src/features/verify/page/choose-version.ts'

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
