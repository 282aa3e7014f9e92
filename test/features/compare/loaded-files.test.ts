import { expect, test } from 'bun:test'
import { isDeclared } from '../../../src/features/compare/differences/declared.ts'
import { findLoaded } from '../../../src/features/compare/differences/loaded-files.ts'
import { addedFile } from '../../../src/features/lib/changes/changed-file.ts'

const loaded = (file: string, ...paths: readonly string[]) =>
  findLoaded([addedFile(file, 'x')], paths).length > 0

test('a file is loaded by its path, below the public folder too, or as the view of a document', () => {
  expect(loaded('src/cart.js', '/src/cart.js')).toBe(true)
  expect(loaded('public/style.css', '/style.css')).toBe(true)
  expect(loaded('views/alpaca.html', '/alpaca')).toBe(true)
  expect(loaded('app/cart/page.tsx', '/cart')).toBe(true)
  expect(loaded('index.html', '/')).toBe(true)
  expect(loaded('views/alpaca.html', '/bison', '/')).toBe(false)
  expect(loaded('src/cart.js', '/', '/alpaca')).toBe(false)
  expect(loaded('README.md', '/README.md')).toBe(false)
})

test('what is declared is a text of the element or a selector around it; without a declaration it is everything', () => {
  expect(isDeclared([], ['button "Pay"'], [])).toBe(true)
  expect(isDeclared(['pay now'], [undefined, 'button "Pay now" [disabled]'], [])).toBe(true)
  expect(isDeclared(['button'], ['button "Pay"'], [])).toBe(false)
  expect(isDeclared(['.cart'], ['button "Pay"'], ['.cart'])).toBe(true)
  expect(isDeclared(['.cart', 'Total'], ['button "Pay"'], [])).toBe(false)
})
