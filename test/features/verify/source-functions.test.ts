// The functions of a source by their whole text: what an edit touches has not run, and what it does not touch keeps that it has.

import { describe, expect, test } from 'bun:test'
import type { RunEntry } from '../../../src/features/verify/ledger/entry.ts'
import { runsOfContent } from '../../../src/features/verify/ledger/runs-of-content.ts'
import { functionEntriesOf } from '../../../src/features/verify/ledger/source-functions.ts'
import { hashText } from '../../../src/features/verify/ledger/text-hash.ts'
import { placeInFile } from '../../../src/features/verify/page/place-in-file.ts'

type Functions = Parameters<typeof functionEntriesOf>[0]
const ran = (...lines: number[]): Functions[number] => ({
  firstLine: lines[0] ?? 1,
  lastLine: lines.at(-1) ?? 1,
  ran: lines,
  partly: [],
  notRun: [],
})

function entryOf(file: string, content: string, functions: Functions): RunEntry {
  const own = functionEntriesOf(functions, content, file)
  return { kind: 'run', at: 1, session: 's', call: 'click', file, content: hashText(content), functions: own }
}

/** The lines that are known to have run after an edit. */
const linesAfter = (file: string, before: string, functions: Functions, after: string) =>
  [...runsOfContent(after, [entryOf(file, before, functions)]).lines.keys()].toSorted((a, b) => a - b)

describe('what stands behind the last position of a function is of it', () => {
  test.each([
    ['a.js', 'the tail of a template', 'function f(a) {\n  return `\n  ${a}\n  <b>one</b>\n`\n}\n'],
    ['a.tsx', 'the text of an element', 'function F() {\n  return (\n    <p>\n      one\n    </p>\n  )\n}\n'],
    ['a.ts', 'a last comment', 'function f(): number {\n  return 1\n  // one\n}\n'],
  ])('%s: %s', (file, _, text) => {
    const functions = [ran(1, 2)]
    expect(linesAfter(file, text, functions, text.replace('one', 'other'))).toEqual([])
    expect(linesAfter(file, text, functions, `\n\n${text}`)).toEqual([3, 4])
  })
})

test('of a file without functions or without a parser each edit is one of all', () => {
  expect(linesAfter('a.js', 'a()\nb()\n', [ran(1, 2)], 'a()\nb()\nc()\n')).toEqual([])
  expect(linesAfter('a.py', 'a()\nb()\n', [ran(1, 2)], 'a()\nb()\nc()\n')).toEqual([])
})

describe('a function of one line', () => {
  const text = 'const a = () => one()\nconst b = () => two()\n'
  const functions = [ran(1), ran(2)]
  test('is found by its text', () => {
    expect(linesAfter('a.js', text, functions, `// more\n${text.replace('two', 'three')}`)).toEqual([2])
  })
  test('is that in its place among those with the same text', () => {
    const same = 'on(() => one())\nother()\non(() => one())\n'
    const runs = [ran(1), { ...ran(3), ran: [], notRun: [3] }]
    const entries = [entryOf('a.js', same, runs)]
    const states = runsOfContent(`\n${same}`, entries).lines
    expect([states.get(2)?.state, states.get(4)?.state]).toEqual(['ran', 'not run'])
    // Which one is gone is not known.
    expect(runsOfContent('on(() => one())\n', entries).lines.size).toBe(0)
  })
  test('that is in a comment now has not run', () => {
    expect(
      linesAfter('a.js', 'const a = () => one()\n', [ran(1)], '/*\nconst a = () => one()\n*/\n'),
    ).toEqual([])
  })
})

test('a block of styles is one by itself', () => {
  const text = '<p>one</p>\n<style>\n.a { top: 0 }\n</style>\n'
  expect(linesAfter('a.vue', text, [ran(3)], text.replace('one', 'two\n'))).toEqual([4])
  expect(linesAfter('a.vue', text, [ran(3)], text.replace('top: 0', 'top: 1'))).toEqual([])
})

test('a module without code of its own was loaded', () => {
  const text = "export { a } from './a.js'\n"
  const { isLoaded, lines } = runsOfContent(text, [entryOf('a.js', text, [])])
  expect([isLoaded, lines.size]).toEqual([true, 0])
})

describe('a text of a map that is not that of the file', () => {
  const file =
    '<script>\nlet n = 1\n</script>\n\n<style>\n  p { top: 0 }\n  b { top: 0 }\n</style>\n<p>{n}</p>\n'
  const mapped = '<script>\nlet n = 1\n</script>\n<style>\n *{}</style>\n<p>{n}</p>\n'
  test('is it but for blank lines and styles, by the lines of the file', () => {
    expect(placeInFile('a.svelte', file, mapped, [ran(2, 6)])).toEqual({ text: file, functions: [ran(2, 9)] })
  })
  test.each([
    ['an edit', file.replace('n = 1', 'n = 2')],
    ['a line more', file.replace('let n', 'let m = 1\nlet n')],
    ['a line less', file.replace('<p>{n}</p>\n', '')],
  ])('is another version after %s', (_, disk) => {
    expect(placeInFile('a.svelte', disk, mapped, [ran(2)])).toBeUndefined()
  })
  test('has no styles in another language', () => {
    expect(placeInFile('a.js', 'a()\n// <style>\nb()\n// </style>', 'a()\n', [ran(1)])).toBeUndefined()
  })
})
