// What is kept of errors: the cause whole, the stack cut, few lines, nothing twice.

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  findErrorLines,
  findFailureOutput,
  isErrorLine,
  limitOutput,
  summarizeError,
} from '../../../../src/core/base/text/error-lines.ts'
import { describeEffects } from '../../../../src/core/sessions/call/action-effects.ts'
import type { JournalEntry } from '../../../../src/core/sessions/journal/journal.ts'

const same = (text: string) => text
const entry = (
  kind: JournalEntry['kind'],
  level: JournalEntry['level'],
  text: string,
  data = {},
): JournalEntry => ({
  seq: 1,
  at: 0,
  kind,
  level,
  text,
  data,
})

describe('causes', () => {
  test.each([
    'TypeError: orders.map is not a function',
    'ERROR in ./src/App.js 3:0-24',
    "Module not found: Error: Can't resolve './x' in '/app/src'",
    'Failed to compile.',
    '[vite] Internal server error: Failed to resolve import "./x"',
    "ModuleNotFoundError: No module named 'flask'",
    'panic: runtime error: index out of range',
  ])('%s', (line) => expect(isErrorLine(line)).toBe(true))
  test.each([
    '    at Object.<anonymous> (/app/server.js:1:7)',
    '  File "/app/server.py", line 3, in <module>',
    'Found 0 errors. Watching for file changes.',
    'GET / 200 in 12 ms',
    'compiled successfully',
  ])('not: %s', (line) => expect(isErrorLine(line)).toBe(false))
  test('what a tool wrapped beside a line at the left is one cause, without its stack', () => {
    const box = [
      '■  Vite Internal server error: Failed to resolve import',
      '│  "./missing-module" from "src/counter.jsx". Does the file exist?',
      '│  Plugin: vite:import-analysis',
      '│  at TransformPluginContext.error',
      '│',
    ]
    expect(findErrorLines(box)).toEqual([`${box[0]} ${box[1]?.slice(3)} ${box[2]?.slice(3)}`])
    const entries = [
      entry('request', 'warning', 'GET /src/counter.jsx → 404', { type: 'script' }),
      ...box.map((text) => entry('server', 'warning', text)),
    ]
    expect(describeEffects(entries, 0, [], same)[0]).toContain(
      'Failed to resolve import "./missing-module" from "src/counter.jsx"',
    )
  })
  test('an error with a name comes before what only speaks of a failure', () => {
    expect(findErrorLines(['request failed with 500', 'TypeError: no'])).toEqual([
      'TypeError: no',
      'request failed with 500',
    ])
  })
  test('the words are kept to 500 characters, and one frame', () => {
    const words = `Error: ${'x'.repeat(400)} end`
    expect(summarizeError(`${words}\n    at first (a.js:1:1)\n    at second (b.js:1:1)`)).toBe(
      `${words} at first (a.js:1:1)`,
    )
  })
  test('what a build tool prints on stdout is found with the lines that belong to it', () => {
    const lines = [
      'webpack 5 started',
      'ERROR in ./src/App.js 3:0',
      'Module not found: x',
      '',
      'webpack compiled with 1 error',
    ]
    const found = findFailureOutput(lines.map((text) => ({ text }))).map(({ text }) => text)
    expect(found.slice(0, 2)).toEqual(lines.slice(1, 3))
    expect(found).not.toContain('webpack 5 started')
  })
  test('lines are bounded, whatever they are, and say where the rest is', () => {
    const line = fc.oneof(
      fc.string({ maxLength: 2000 }),
      fc.constant('    at f (a.js:1:1)'),
      fc.constant('TypeError: x'),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 300 }), (texts) => {
        const most = 100
        const kept = limitOutput(
          texts.map((text) => ({ text, age: '-1.0 s' })),
          { most, characters: 4000, more: 'MORE' },
        )
        expect(kept.length).toBeLessThanOrEqual(most + 1)
        expect(kept.join('').length).toBeLessThanOrEqual(4000 + 2 * kept.length + 4)
        const whole = texts.filter((text) => text.trim() !== '').length
        expect(kept.at(-1) === 'MORE').toBe(kept.length - (kept.at(-1) === 'MORE' ? 1 : 0) < whole)
      }),
      { numRuns: 200 },
    )
  })
  test('the cause of a long stack is kept', () => {
    const texts = [
      'TypeError: x is not a function',
      ...Array<string>(200).fill(`    at f (${'a'.repeat(100)}.js:1:1)`),
    ]
    const kept = limitOutput(
      texts.map((text) => ({ text, age: '' })),
      { most: 100, characters: 4000, more: 'MORE' },
    )
    expect(kept[0]).toBe('TypeError: x is not a function')
    expect(kept.at(-1)).toBe('MORE')
  })
})

describe('effects', () => {
  test('the worst comes first, and what says nothing is left out', () => {
    const lines = describeEffects(
      [
        entry('console', 'error', 'error: The above error occurred in <Cart>'),
        entry(
          'console',
          'error',
          'error: Failed to load resource: the server responded with a status of 500 ()',
        ),
        entry('console', 'warning', 'warning: old'),
        entry('request', 'warning', 'GET /icon → 404', { type: 'image' }),
        entry('request', 'warning', 'GET /api → 404', { type: 'fetch' }),
        entry('request', 'error', 'GET /api → 500', { type: 'fetch' }),
        entry('server', 'warning', 'TypeError: db'),
        entry('server', 'warning', '    at f (a.js:1:1)'),
        entry('console', 'error', 'uncaught Error: no'),
        entry('server', 'error', 'the dev server exited with code 7'),
      ],
      0,
      ['GET /late'],
      same,
    )
    expect(lines).toEqual([
      'The dev server exited with code 7.',
      'uncaught Error: no',
      'GET /api → 500',
      'dev server: TypeError: db at a.js:1',
      'console error: The above error occurred in <Cart>',
      'and 2 more: console_messages',
    ])
    expect(describeEffects([], 0, ['GET /late'], same)).toEqual(['GET /late → no response yet'])
  })
  test('what came before the action is not charged to it', () => {
    const lines = describeEffects(
      [
        { ...entry('console', 'error', 'uncaught Error: late'), seq: 4 },
        { ...entry('console', 'error', 'uncaught Error: both'), seq: 5 },
        { ...entry('console', 'error', 'uncaught Error: both'), seq: 6 },
        { ...entry('request', 'error', 'GET /api → 500'), seq: 7 },
      ],
      5,
      [],
      same,
    )
    expect(lines).toEqual([
      'uncaught Error: both',
      'GET /api → 500',
      'since the last call: uncaught Error: late',
    ])
  })
  test('at most five lines of 200 characters and what was left out, redacted before they are cut, none twice', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 600 }),
      fc.constantFrom('a', 'b', `${'x'.repeat(195)} hunter2`),
    )
    const any = fc.record({
      kind: fc.constantFrom<JournalEntry['kind']>('console', 'request', 'server'),
      text,
    })
    fc.assert(
      fc.property(fc.array(any, { maxLength: 40 }), (given) => {
        const lines = describeEffects(
          given.map((one, index) => ({ ...entry(one.kind, 'error', one.text), seq: index })),
          given.length >> 1,
          given.map((one) => one.text),
          (whole) => whole.replaceAll('hunter2', '[hidden]'),
        )
        expect(lines.length).toBeLessThanOrEqual(6)
        const own = lines.map((line) => line.replace('since the last call: ', ''))
        expect(own.slice(0, 5).every((line) => line.length <= 201)).toBe(true)
        expect(new Set(lines).size).toBe(lines.length)
        expect(lines.join()).not.toContain('hunt')
      }),
      { numRuns: 300 },
    )
  })
})
