import { expect, test } from 'bun:test'
import { hasFewValues } from '../../../../src/core/base/text/json-size.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

test('values are counted, and what stands in texts is none', () => {
  expect(hasFewValues(bytesOf('[1,2,3]'), 3)).toBe(true)
  expect(hasFewValues(bytesOf('[1,2,3]'), 2)).toBe(false)
  expect(hasFewValues(bytesOf('"[[[[,,,,{{{"'), 0)).toBe(true)
  expect(hasFewValues(bytesOf('"a\\"[[[[\\\\"'), 0)).toBe(true)
  expect(hasFewValues(bytesOf('"a\\\\"[[[['), 3)).toBe(false)
  expect(hasFewValues(bytesOf('"without an end [[['), 0)).toBe(true)
})
