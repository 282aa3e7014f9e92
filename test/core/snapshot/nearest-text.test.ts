import { expect, test } from 'bun:test'
import { findNearestText } from '../../../src/core/snapshot/nearest-text.ts'

test('the text that is nearest to one that was waited for', () => {
  const texts = ['Shop', '3 teas', 'Your order of 3 teas was sent to the shop on Monday', 'Thanks, Ada!']
  expect(findNearestText('1 teas', texts)).toBe('3 teas')
  expect(findNearestText('Thank you, Ada', texts)).toBe('Thanks, Ada!')
  expect(findNearestText('sent to a shop', texts)).toBe('sent to the shop')
  expect(findNearestText('Invoice', texts)).toBeUndefined()
  expect(findNearestText('x', [])).toBeUndefined()
})
