// The begin of a tag that Astro notes by its end or its name.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { findTagStart } from '../../../src/features/sources/template-match.ts'

const source = `---
const a = 1
---
<section>
  <p
    id="text"
  >Some <b>bold</b> text</p>
  <bdi>x</bdi><input id="field" />
</section>
`

test.each([
  ['section', 4, 10, 4, 1],
  ['p', 7, 4, 5, 3],
  ['b', 7, 12, 7, 9],
  // Its name begins there.
  ['input', 8, 16, 8, 15],
  ['bdi', 8, 8, 8, 3],
])('<%s>', (tag, line, column, startLine, startColumn) =>
  expect(findTagStart(source, tag, { line, column })).toEqual({ line: startLine, column: startColumn }),
)

test('a tag that is not there has no begin', () => {
  expect(findTagStart(source, 'table', { line: 8, column: 1 })).toBeUndefined()
  expect(findTagStart(source, 'section', { line: 2, column: 3 })).toBeUndefined()
  expect(findTagStart(source, 'p', { line: 100, column: 1 })).toBeUndefined()
  // Another tag begins with the same letters.
  expect(findTagStart('<pre>', 'p', { line: 1, column: 6 })).toBeUndefined()
})

test('whatever stands there, what is found is a tag at or before the position', () => {
  const lines = fc.array(fc.constantFrom('<p>', '<pre>', ' <p a', '>', 'p', '', '<b><p>'), { maxLength: 8 })
  const position = fc.record({ line: fc.integer({ min: 1, max: 9 }), column: fc.integer({ min: 1, max: 9 }) })
  fc.assert(
    fc.property(lines, position, (given, end) => {
      const start = findTagStart(given.join('\n'), 'p', end)
      if (!start) return
      expect(given[start.line - 1]?.slice(start.column - 1)).toMatch(/^<p/)
      expect(start.line).toBeLessThanOrEqual(end.line)
    }),
    { numRuns: 300 },
  )
})
