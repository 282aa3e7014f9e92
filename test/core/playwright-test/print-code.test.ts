import { expect, test } from 'bun:test'
import { blockCode, printCode } from '../../../src/core/playwright-test/print-code.ts'

const long = (length: number) => `'${'x'.repeat(length - 2)}'`

test('a line has at most 100 characters if it can be broken', () => {
  const code = (length: number) => `await expect(${long(length)}).toBe('a');`
  expect(printCode(code(75))).toHaveLength(100)
  expect(printCode(code(75))).not.toContain('\n')
  expect(printCode(code(76))).toBe(`await expect(${long(76)}).toBe(\n  'a',\n);`)
  // The indentation counts.
  expect(printCode(code(75), 2)).toBe(`await expect(${long(75)}).toBe(\n    'a',\n  );`)
  expect(printCode(code(90))).toBe(`await expect(\n  ${long(90)},\n).toBe('a');`)
})

test('a last object, array, function or template continues on the line of the call', () => {
  expect(printCode(`a(${long(60)}, { b: ${long(30)}, c: 1 })`)).toBe(
    `a(${long(60)}, {\n  b: ${long(30)},\n  c: 1,\n})`,
  )
  expect(printCode(`a(b, async () => ${blockCode(['c();', '', 'd();'])})`)).toBe(
    'a(b, async () => {\n  c();\n\n  d();\n})',
  )
  expect(printCode(`a(${long(60)}, (b) => c(${long(40)}))`)).toBe(
    `a(${long(60)}, (b) =>\n  c(${long(40)}),\n)`,
  )
  expect(printCode('a(`\n- b\n  - c\n`)')).toBe('a(`\n  - b\n    - c\n`)')
})

test('a chain of three calls has one a line, a shorter one breaks its arguments', () => {
  const calls = `page.first(${long(40)}).second(${long(40)})`
  expect(printCode(`${calls}.third()`)).toBe(
    `page\n  .first(${long(40)})\n  .second(${long(40)})\n  .third()`,
  )
  expect(printCode(calls)).toBe(`page.first(${long(40)}).second(\n  ${long(40)},\n)`)
  expect(printCode('page.a().b().c()')).toBe('page.a().b().c()')
})

test('brackets, commas and line breaks in literals and comments are none of the code', () => {
  const literals = [`'a, (b'`, '"it\'s {"', '`[${c}, `', String.raw`/[/)]\/,(/i`]
  expect(printCode(`a(${literals.join(', ')}, ${long(80)})`)).toBe(
    `a(\n${[...literals, long(80)].map((item) => `  ${item},\n`).join('')})`,
  )
  const block = blockCode(["// It's (", 'a(b / 2, c / 2);'])
  expect(printCode(`if (a) ${block} else ${block}`)).toBe(
    "if (a) {\n  // It's (\n  a(b / 2, c / 2);\n} else {\n  // It's (\n  a(b / 2, c / 2);\n}",
  )
})

test('a condition and a member get no comma at their end', () => {
  const condition = `if (${long(60)} === a?.['b'] && ${long(40)} === c) d();`
  expect(printCode(condition)).toBe(condition)
  expect(printCode(`a(b['c'], ${long(100)})`)).toBe(`a(\n  b['c'],\n  ${long(100)},\n)`)
})
