import { expect, test } from 'bun:test'
import { isDeclared } from '../../../src/features/compare/differences/declared.ts'

test('what is declared is a text of the element or a selector around it; without a declaration it is everything', () => {
  expect(isDeclared([], ['button "Pay"'], [])).toBe(true)
  expect(isDeclared(['pay now'], [undefined, 'button "Pay now" [disabled]'], [])).toBe(true)
  expect(isDeclared(['button'], ['button "Pay"'], [])).toBe(false)
  expect(isDeclared(['.cart'], ['button "Pay"'], ['.cart'])).toBe(true)
  expect(isDeclared(['.cart', 'Total'], ['button "Pay"'], [])).toBe(false)
})
