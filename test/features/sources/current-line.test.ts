import { expect, test } from 'bun:test'
import { findCurrentLine } from '../../../src/features/sources/script-positions.ts'

const previous = [
  'import a',
  'function A() {',
  '  return (',
  '    <p>one</p>',
  '    <p>two</p>',
  '  )',
  '}',
].join('\n')
const edit = (from: string, to: string) => previous.replace(from, to)

test.each([
  ['without an edit', previous, [4, 4]],
  ['after lines above', edit('import a', 'import b\nimport a'), [4, 5]],
  ['after a change below', edit('two', 'three'), [4, 4]],
  ['between two changes', edit('import a', 'x\ny').replace('two', 'three'), [4, 5]],
  ['whose own text changed', edit('one', 'three'), [4, undefined]],
  ['that is there twice now', edit('import a', 'import b').replace('two', 'one'), [4, undefined]],
  ['that is gone', edit('    <p>one</p>\n', ''), [4, undefined]],
  ['beyond the end', edit('import a', 'import b'), [99, undefined]],
] as const)('a line %s', (_, current, [line, expected]) =>
  expect(findCurrentLine(previous, current, line)).toBe(expected),
)
