// The places that compilers write into scripts, and how far they are from the tags of the file.

import { expect, test } from 'bun:test'
import { findNotes, findShift } from '../../../src/features/sources/noted-places.ts'

const placesIn = (script: string) => findNotes(script).map(({ line, column }) => ({ line, column }))

test('React and Preact, by esbuild and by Babel', () => {
  const script = `jsxDEV("p", {}, void 0, false, {
  fileName: "/app/src/app.jsx",
  lineNumber: 41,
  columnNumber: 9
}, this)
_jsxDEV("b", { lineNumber }, void 0, false, { fileName: _jsxFileName, lineNumber: 5, columnNumber: 7 }, this)`
  expect(placesIn(script)).toEqual([
    { line: 41, column: 9 },
    { line: 5, column: 7 },
  ])
  expect(findNotes(script).map(({ index }) => script.slice(index, index + 14))).toEqual([
    'lineNumber: 41',
    'lineNumber: 5,',
  ])
})

test('Svelte 4 counts from 0, Svelte 5 the columns alone', () => {
  expect(placesIn('add_location(p, file, 77, 4, 1652);\nadd_location(li$1, file$2, 0, 0, 0);')).toEqual([
    { line: 78, column: 5 },
    { line: 1, column: 1 },
  ])
  const svelte5 =
    'var root = $.add_locations($.from_html(`<main><p></p></main>`), App[$.FILENAME], [[12, 0, [[13, 2]]], [20, 4]]);\nconst pairs = [[1, 2]]'
  expect(placesIn(svelte5)).toEqual([
    { line: 12, column: 1 },
    { line: 13, column: 3 },
    { line: 20, column: 5 },
  ])
})

const note = (line: number, column: number) => ({ line, column, index: 0 })
const source = `<script lang="ts">
  let a: number
</script>

<main>
  <p>1</p>
  <p>2</p>
</main>`

test('notes that stand at tags are right, others are as far away as all of them together', () => {
  expect(findShift([note(5, 1), note(6, 3)], source)).toBe(0)
  expect(findShift([note(4, 1), note(5, 3)], source)).toBe(1)
  expect(findShift([note(24, 1), note(25, 3), note(26, 3)], source)).toBe(-19)
})

test('a distance that is not certain is none', () => {
  // Either of two.
  expect(findShift([note(26, 3)], source)).toBeUndefined()
  // Not the same for all.
  expect(findShift([note(24, 1), note(24, 3)], source)).toBeUndefined()
  expect(findShift([], source)).toBeUndefined()
})
