import { describe, expect, test } from 'bun:test'
import {
  foldRepeatedMessages,
  shortenStacks,
  type ShownMessage,
  stackFramesOf,
} from '../../../src/core/sessions/journal/console-view.ts'

const origin = 'http://localhost:5173'
const frame = (name: string, path: string) => `    at ${name} (${origin}${path}:1:2)`
const deep = [
  'TypeError: no',
  frame('throwIt', '/node_modules/.vite/deps/lodash.js'),
  frame('commit', '/node_modules/.vite/deps/react-dom.js'),
  frame('total', '/src/cart.ts'),
  '    at new Promise (<anonymous>)',
  frame('onClick', '/src/App.tsx'),
]

describe('a stack', () => {
  test('keeps where it was thrown and the frames of the application; an origin is reported once', () => {
    expect(shortenStacks(deep.join('\n')).split('\n')).toEqual([
      'TypeError: no',
      `at throwIt (${origin}/node_modules/.vite/deps/lodash.js:1:2)`,
      'at total (/src/cart.ts:1:2)',
      'at onClick (/src/App.tsx:1:2)',
      '… 2 more',
    ])
  })
  test('of one file has its first four frames, another origin in full', () => {
    const run = Array.from({ length: 10 }, (_, index) => frame(`f${index}`, '/app.js'))
    expect(
      shortenStacks(run.with(1, '    at cdn (https://cdn.test/a.js:3:4)').join('\n')).split('\n'),
    ).toEqual([
      `at f0 (${origin}/app.js:1:2)`,
      'at cdn (https://cdn.test/a.js:3:4)',
      `at f2 (${origin}/app.js:1:2)`,
      'at f3 (/app.js:1:2)',
      '… 6 more',
    ])
  })
  test("Firefox's frames, and the text around several stacks", () => {
    expect(shortenStacks(`a\nf@${origin}/x.js:1:2\ng@${origin}/x.js:3:4\nb\n${deep[3]}`)).toBe(
      `a\nf@${origin}/x.js:1:2\ng@/x.js:3:4\nb\nat total (${origin}/src/cart.ts:1:2)`,
    )
  })
  test('without frames is no stack, and a text without frames stays as it is', () => {
    expect(stackFramesOf('TypeError: no\n  twice')).toBeUndefined()
    expect(stackFramesOf(deep.join('\n'))).toBe(deep.slice(1).join('\n'))
    const more = `TypeError: no\n${deep[3]} and Error: more`
    expect(shortenStacks(`${more}\n${deep[3]}`)).toBe(`${more}\n${deep[3]?.trim()}`)
    const text = `look at ${origin}/a and\n  ${origin}/b`
    expect(shortenStacks(text)).toBe(text)
  })
})

describe('what was said again', () => {
  const said = (seq: number, level: string, message: string, more: object = {}): ShownMessage => ({
    seq,
    timestamp: seq * 10,
    level,
    message,
    ...more,
  })
  const shape = (messages: readonly ShownMessage[]) =>
    foldRepeatedMessages(messages).map(({ seq, message, count }) => [seq, message, count ?? 1])

  test('errors and warnings are counted at their last time, whatever came between', () => {
    expect(
      shape([said(1, 'error', 'a'), said(2, 'warning', 'b'), said(3, 'error', 'a'), said(4, 'warning', 'a')]),
    ).toEqual([
      [2, 'b', 1],
      [3, 'a', 2],
      [4, 'a', 1],
    ])
  })
  test('other messages only where nothing came between, so that their order stays', () => {
    expect(
      shape(
        ['mount', 'mount', 'unmount', 'mount', 'mount', 'mount'].map((text, at) => said(at, 'info', text)),
      ),
    ).toEqual([
      [1, 'mount', 2],
      [2, 'unmount', 1],
      [5, 'mount', 3],
    ])
  })
  test('the same words from elsewhere are another message', () => {
    const at = (line: number) => ({ location: { url: origin, line } })
    expect(shape([said(1, 'error', 'a', at(1)), said(2, 'error', 'a', at(2))])).toHaveLength(2)
    expect(shape([said(1, 'error', 'a', { stack: 'x' }), said(2, 'error', 'a')])).toHaveLength(2)
  })
})
