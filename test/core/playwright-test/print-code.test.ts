import { expect, test } from 'bun:test'
import { callCode, printCode, type Code } from '../../../src/core/playwright-test/print-code.ts'

const object = (...items: Code[]): Code => ({ open: '{', items, close: '}' })
const long = (length: number) => `'${'x'.repeat(length - 2)}'`

test('a line has at most 100 characters if it can be broken', () => {
  const code = (length: number): Code => [
    'await ',
    callCode('expect', [long(length)]),
    callCode('.toBe', ["'a'"]),
    ';',
  ]
  expect(printCode(code(75))).toHaveLength(100)
  expect(printCode(code(75))).not.toContain('\n')
  expect(printCode(code(76))).toBe(`await expect(${long(76)}).toBe(\n  'a',\n);`)
  // The indentation counts.
  expect(printCode(code(75), 2)).toBe(`await expect(${long(75)}).toBe(\n    'a',\n  );`)
  expect(printCode(code(90))).toBe(`await expect(\n  ${long(90)},\n).toBe('a');`)
})

test('a last object, array, function or template continues on the line of the call', () => {
  expect(printCode(callCode('a', [long(60), object(`b: ${long(30)}`, 'c: 1')]))).toBe(
    `a(${long(60)}, {\n  b: ${long(30)},\n  c: 1,\n})`,
  )
  expect(printCode(callCode('a', ['b', ['async () => ', { statements: ['c();', '', 'd();'] }]]))).toBe(
    'a(b, async () => {\n  c();\n\n  d();\n})',
  )
  expect(
    printCode(callCode('a', [long(60), { arrow: '(b) =>', expression: callCode('c', [long(40)]) }])),
  ).toBe(`a(${long(60)}, (b) =>\n  c(${long(40)}),\n)`)
  expect(printCode(callCode('a', [{ template: ['- b', '  - c'] }]))).toBe('a(`\n  - b\n    - c\n`)')
})

test('a chain of three calls has one a line, a shorter one breaks its arguments', () => {
  const calls = [callCode('.first', [long(40)]), callCode('.second', [long(40)])]
  expect(printCode({ head: 'page', links: [...calls, '.third()'] })).toBe(
    `page\n  .first(${long(40)})\n  .second(${long(40)})\n  .third()`,
  )
  expect(printCode({ head: 'page', links: calls })).toBe(`page.first(${long(40)}).second(\n  ${long(40)},\n)`)
  expect(printCode({ head: 'page', links: ['.a()', '.b()', '.c()'] })).toBe('page.a().b().c()')
})
