// What V8 of Chromium 156 counted (recorded-counts.json), read as lines. Many more functions are in bench/verify.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { resolve } from 'node:path'
import process from 'node:process'
import { readLineRuns } from '../../../src/features/verify/coverage/read-line-runs.ts'
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
  const json = name === 'app' ? JSON.stringify(recorded.app.map) : undefined
  const script = { source: recorded[name].source, functions: functionsOf(name), json, ...changes }
  const source = json === undefined ? '' : 'app.tsx'
  const runs = await readLineRuns(script, [source])
  const short = (runs?.get(source) ?? []).map(({ ran, partly, notRun }) => `${ran} | ${partly} | ${notRun}`)
  return runs && short
}

const program = process.argv[1] ?? ''
beforeAll(() => void (process.argv[1] = resolve(import.meta.dir, '../../../src/main.ts')))
afterAll(() => void (process.argv[1] = program))

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

test('a large script is read in a thread, as a small one, and one that is nested too deeply is not', async () => {
  const { length } = recorded.callee.source
  const source = `${recorded.callee.source}\n//${'x'.repeat(200_000)}`
  const functions = functionsOf('callee').map(({ functionName, ranges }) => ({
    functionName,
    ranges: ranges.map((range) =>
      range.endOffset === length ? { ...range, endOffset: source.length } : range,
    ),
  }))
  expect(await linesOf('callee', { source, functions })).toEqual(await linesOf('callee'))
  expect(await linesOf('callee', { source: `${'['.repeat(100_000)}${']'.repeat(100_000)}` })).toBeUndefined()
  expect(await linesOf('callee', { source, functions })).toEqual(await linesOf('callee'))
}, 60_000)

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
  // The assignment stands for a registration that a compiler adds
  const mappings = ';AAAA;EACE;;AAAA'
  const json = JSON.stringify({ version: 3, sources: ['row.js'], names: [], mappings })
  const runs = await readLineRuns({ source, functions, json }, ['row.js'])
  expect(runs?.get('row.js')?.map(({ ran, partly, notRun }) => [ran, partly, notRun])).toEqual([
    [[], [], [1, 2]],
  ])
})
