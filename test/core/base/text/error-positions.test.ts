// The position below an error that build tools and servers print.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { findErrorPosition, findErrors, hasPosition } from '../../../../src/core/base/text/error-lines.ts'
test.each([
  ['Rolldown', ['', '   ╭─[ src/app.jsx:6:11 ]', '   │'], 'src/app.jsx:6'],
  ['Vite', ['  Plugin: vite:import-analysis', '  File: /app/src/app.vue:3:24'], '/app/src/app.vue:3'],
  ['Angular', ['', '    src/app.ts:7:57:', '      7 │ ...{{ total() }}'], 'src/app.ts:7'],
  ['Next', ['    at GET (app/(shop)/api/[id]/route.js:4:39)'], 'app/(shop)/api/[id]/route.js:4'],
  [
    'Node',
    ['    at file:///app/api/items.mjs:4:44', '    at Array.map (<anonymous>)'],
    '/app/api/items.mjs:4',
  ],
  ['Python', ['  File "/app/server.py", line 12, in index'], '/app/server.py:12'],
  ['webpack', ['ERROR in ./src/index.js 11:10'], 'src/index.js:11'],
  [
    'libraries are passed over',
    [
      '    at f (/app/node_modules/a/b.js:1:1)',
      '    at Server.emit (node:events:524:28)',
      '    at g (/app/c.ts:2:3)',
    ],
    '/app/c.ts:2',
  ],
])('%s', (_, lines, position) => expect(findErrorPosition(lines)).toBe(position))

test('what is no position of a source file is none', () => {
  for (const line of [
    'GET /a.js 200 in 12:30',
    'http://localhost:3000/',
    'at 12:30:11 a.b:3',
    'Vite 8.3:1',
    '',
  ])
    expect(hasPosition(line)).toBe(false)
})

test('each error has the position before the next one, and none if it names a line itself', () => {
  const lines = [
    'TypeError: first',
    'Error: second (src/b.ts:2:1)',
    '    at f (src/c.ts:3:1)',
    'SyntaxError: third',
    '    at g (src/d.ts:4:1)',
  ]
  expect(findErrors(lines)).toEqual([
    { line: 'TypeError: first' },
    { line: 'Error: second (src/b.ts:2:1)' },
    { line: 'SyntaxError: third', position: 'src/d.ts:4' },
  ])
})

test('any path with a line is found in a stack frame', () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/)
  const path = fc.tuple(fc.array(name, { maxLength: 4 }), name, fc.constantFrom('ts', 'jsx', 'vue', 'py'))
  fc.assert(
    fc.property(path, fc.integer({ min: 1, max: 99_999 }), ([folders, base, type], line) => {
      const file = [...folders, `${base}.${type}`].join('/')
      fc.pre(!file.includes('node'))
      expect(findErrorPosition([`    at run (${file}:${line}:7)`])).toBe(`${file}:${line}`)
    }),
    { numRuns: 200 },
  )
})
