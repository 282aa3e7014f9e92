// What V8 of Chromium 156 counted (recorded-counts.json), read as lines. Many more functions are in bench/verify.

import { expect, test } from 'bun:test'
import { parseSourceMap } from '../../../src/features/sources/parse-map.ts'
import { readLineRuns } from '../../../src/features/verify/coverage/read-line-runs.ts'
import { valueOf } from '../../support/session-page.ts'
import recorded from './recorded-counts.json' with { type: 'json' }

type Name = keyof typeof recorded

/** A function's name, then its ranges: start, end, count. */
function functionsOf(name: Name) {
  const rows = recorded[name].functions as unknown as readonly (readonly [string, ...number[][]])[]
  return rows.map(([functionName, ...ranges]) => ({
    functionName,
    ranges: ranges.map(([startOffset = 0, endOffset = 0, count = 0]) => ({ startOffset, endOffset, count })),
  }))
}

interface Changes {
  readonly source?: string
  readonly functions?: ReturnType<typeof functionsOf>
  readonly isWithoutExceptions?: boolean
}

async function linesOf(name: Name, changes: Changes = {}) {
  const script = { url: name, source: recorded[name].source, functions: functionsOf(name), ...changes }
  const map =
    name === 'app'
      ? valueOf(await parseSourceMap(JSON.stringify(recorded.app.map), script.source))
      : undefined
  const runs = await readLineRuns(script, map)
  const short = (runs?.get(map ? 'app.tsx' : name) ?? []).map(
    ({ ran, partly, notRun }) => `${ran} | ${partly} | ${notRun}`,
  )
  return runs && short
}

test('after a return that was taken nothing ran, whatever operators follow', async () => {
  expect(await linesOf('early')).toEqual(['7 |  | ', '1,2 |  | 3,4,5'])
})

test('after a call that may have thrown, only what a later counter proves has run', async () => {
  expect(await linesOf('callee')).toEqual(['10,11 |  | ', '1,2 |  | ', '4,5 | 6,7 | 8'])
})

test('where no exception was thrown, what follows a call ran', async () => {
  expect(await linesOf('callee', { isWithoutExceptions: true })).toEqual([
    '10,11 |  | ',
    '1,2 |  | ',
    '4,5,6 | 7 | 8',
  ])
})

test('after an await that never ends nothing ran', async () => {
  expect(await linesOf('never')).toEqual(['8 |  | ', '1,2,3,4 |  | 5,6', '4 |  | '])
})

test('a generator that is not begun, and a module whose import failed, are not said to have run', async () => {
  expect(await linesOf('unstarted')).toEqual(['5 |  | ', ' | 1,2,3 | '])
  expect(await linesOf('linked')).toEqual([' | 2,3,7 | ', ' |  | 3,4', ' |  | 6'])
})

test('two runs of a loop, or its end, prove that its body was left at its end', async () => {
  expect(await linesOf('loop')).toEqual(['8 |  | ', '1,2,3,4,6 |  | ', '8 |  | '])
})

test('TSX of esbuild: each handler for itself, by the lines of the source', async () => {
  expect(await linesOf('app')).toMatchInlineSnapshot(`
    [
      "2,3,4,6,7,8,9,10,15,18 | 5 | 16",
      "2 |  | ",
      "4 |  | ",
      "9 |  | ",
      " |  | 10,11,12",
      "18,19,20 |  | ",
      " |  | 19",
    ]
  `)
})

test('nothing is said of what is no JavaScript, and functions that V8 does not name did not run', async () => {
  expect(await linesOf('early', { source: 'function (' })).toBeUndefined()
  expect(await linesOf('early', { functions: [] })).toEqual([' |  | 7', ' |  | 1,2,3,4,5'])
})

test('what a compiler adds outside of a function has the place of something within it, and says nothing of that', async () => {
  const source = "import { a } from 'a'\nfunction row() {\n  return a\n}\nrow.id = 1"
  const whole = { startOffset: 0, endOffset: source.length, count: 1 }
  const start = source.indexOf('function')
  const functions = [
    { functionName: '', ranges: [whole] },
    { functionName: 'row', ranges: [{ startOffset: start, endOffset: source.indexOf('}\n') + 1, count: 0 }] },
  ]
  // The assignment stands for a registration that a compiler adds.
  const map = {
    findAll: async (positions: readonly { line: number; column: number }[]) =>
      positions.map(({ line, column }) =>
        line === 5 ? { source: 'row.js', line: 2, column: 3 } : { source: 'row.js', line: line - 1, column },
      ),
  }
  const runs = await readLineRuns({ url: 'row', source, functions }, map)
  expect(runs?.get('row.js')?.map(({ ran, partly, notRun }) => [ran, partly, notRun])).toEqual([
    [[], [], [1, 2]],
  ])
})
