import { expect, test } from 'bun:test'
import { shortenStacks } from '../../../src/core/sessions/journal/console-view.ts'
import {
  findPositions,
  positionsOfEntry,
  replaceEntryPositions,
  replacePositions,
  type ScriptPosition,
} from '../../../src/features/sources/script-positions.ts'

const find = ({ url, line }: ScriptPosition) =>
  url.includes('/src/') ? { file: 'src/app.tsx', line: line + 30, column: 3 } : undefined

const v8 = `TypeError: broken
    at increment (http://localhost:5173/src/app.tsx?t=1730:11:30)
    at http://localhost:5173/src/app.tsx?t=1730:12:5
    at dispatch (http://localhost:5173/.vite/deps/react-dom.js?v=1:99:1)`

test('frames of V8 get the source file and line', () => {
  expect(findPositions(v8)).toEqual([
    { url: 'http://localhost:5173/src/app.tsx?t=1730', line: 11, column: 30 },
    { url: 'http://localhost:5173/src/app.tsx?t=1730', line: 12, column: 5 },
    { url: 'http://localhost:5173/.vite/deps/react-dom.js?v=1', line: 99, column: 1 },
  ])
  expect(replacePositions(v8, find)).toBe(`TypeError: broken
    at increment (src/app.tsx:41)
    at src/app.tsx:42
    at dispatch (http://localhost:5173/.vite/deps/react-dom.js?v=1:99:1)`)
})

test('frames of Firefox get the form of V8, so that they are still taken for frames', () => {
  const stack = 'broken\nincrement@http://localhost/src/app.tsx:11:30\n@http://localhost/src/app.tsx:1:1'
  const located = replacePositions(stack, find)
  expect(located).toBe('broken\nat increment (src/app.tsx:41)\nat <anonymous> (src/app.tsx:31)')
  expect(shortenStacks(`${located}\nat render (node_modules/react/index.js:1)`)).toBe(`${located}\n… 1 more`)
})

test('paths with parentheses are whole, and what is no position stays', () => {
  expect(
    findPositions('at Page (webpack-internal:///(app-pages-browser)/./app/(shop)/page.jsx:12:5)'),
  ).toEqual([{ url: 'webpack-internal:///(app-pages-browser)/./app/(shop)/page.jsx', line: 12, column: 5 }])
  for (const text of ['http://localhost:5173/src/app.tsx', 'at 10:20:30', 'see https://a.b/src/c:1'])
    expect(replacePositions(text, find)).toBe(text)
})

test('text without end does not take long', () => {
  const started = performance.now()
  findPositions('http://'.repeat(200_000))
  expect(performance.now() - started).toBeLessThan(20_000)
}, 300_000)

const url = 'http://localhost/src/app.tsx'
const entry = {
  seq: 1,
  at: 5,
  kind: 'console',
  level: 'error',
  text: `error: bad (${url}:11)`,
  message: 'bad',
  data: { location: { url, line: 11, column: 2 } },
} as const

test('an entry of the console has its location in the source', () => {
  expect(positionsOfEntry(entry)).toEqual([{ url, line: 11, column: 2 }])
  expect(replaceEntryPositions(entry, find)).toEqual({
    ...entry,
    text: 'error: bad (src/app.tsx:41)',
    data: { location: { file: 'src/app.tsx', line: 41, column: 3 } },
  } as never)
  expect(replaceEntryPositions(entry, () => undefined)).toBe(entry)
})
