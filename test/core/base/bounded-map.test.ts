import { expect, test } from 'bun:test'
import { createBoundedMap } from '../../../src/core/base/bounded-collections.ts'

test('the oldest entry is dropped beyond the limit', () => {
  const map = createBoundedMap<string, number>(2)
  for (const [index, key] of ['a', 'b', 'c'].entries()) map.set(key, index)
  expect(map.keys()).toEqual(['b', 'c'])
  expect(map.values()).toEqual([1, 2])
  expect([map.size, map.has('a'), map.get('a')]).toEqual([2, false, undefined])
})

test('an entry that is set again is the newest', () => {
  const map = createBoundedMap<string, number>(2)
  for (const key of ['a', 'b', 'a', 'c']) map.set(key, key.length)
  expect(map.keys()).toEqual(['a', 'c'])
})

test('entries are deleted one by one and all at once', () => {
  const map = createBoundedMap<string, undefined>(3)
  for (const key of ['a', 'b', 'c']) map.set(key, undefined)
  map.delete('a')
  expect([map.has('a'), map.has('b'), map.size]).toEqual([false, true, 2])
  map.clear()
  expect(map.keys()).toEqual([])
})
