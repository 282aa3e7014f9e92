import { expect, test } from 'bun:test'
import { findClosestName } from '../../../../src/core/base/text/closest-name.ts'

test('the nearest name forgives case, separators and a slip, and gives up on what is far', () => {
  const names = ['create_session', 'navigate', 'wait_for']
  expect(findClosestName('CreateSesion', names)).toBe('create_session')
  expect(findClosestName('waitfor', names)).toBe('wait_for')
  expect(findClosestName('zzzzzz', names)).toBeUndefined()
  expect(findClosestName('back', ['mock'])).toBeUndefined()
  expect(findClosestName('Foo', ['F1'])).toBeUndefined()
  expect(findClosestName('tpe', ['type'])).toBe('type')
  expect(findClosestName('opne', ['snap', 'open'])).toBe('open')
  expect(findClosestName('open', ['opne', 'open'])).toBe('open')
})
