import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  findLineChanges,
  hashLines,
  meets,
  moveLine,
} from '../../../../src/features/verify/flows/line-changes.ts'
import { fillLines, ranLinesOf } from '../../../../src/features/verify/flows/ran-lines.ts'

const linesOf = (text: string) => text.split('\n')

test('a line that an edit left is found where it is now, and another one never', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', '}', ''), { maxLength: 12 })
  fc.assert(
    fc.property(lines, lines, (before, now) => {
      const changes = findLineChanges(hashLines(before.join('\n')), hashLines(now.join('\n')))
      const [old, present] = [linesOf(before.join('\n')), linesOf(now.join('\n'))]
      for (const [index, text] of old.entries()) {
        const moved = moveLine(index + 1, changes)
        if (moved === undefined) expect(meets(new Set([index + 1]), changeAt(changes, index + 1))).toBe(true)
        else expect(present[moved - 1]).toBe(text)
      }
    }),
  )
})

const changeAt = (changes: ReturnType<typeof findLineChanges>, line: number) =>
  changes.find(({ oldStart, oldEnd }) => oldStart <= line && line < oldEnd) as (typeof changes)[number]

test('what is added is met by what ran beside it', () => {
  const [change] = findLineChanges(hashLines('a\nb\nc'), hashLines('a\nnew\nb\nc'))
  expect(change).toEqual({ oldStart: 2, oldEnd: 2, newStart: 2, newEnd: 3 })
  expect([1, 2, 3].map((line) => meets(new Set([line]), change as NonNullable<typeof change>))).toEqual([
    true,
    true,
    false,
  ])
})

test('a line without code ran if the statement above or below did', () => {
  const known = new Map([
    [2, true],
    [4, false],
    [6, true],
    [8, false],
  ])
  expect(fillLines(known, 10)).toEqual([1, 2, 3, 5, 6, 7])
})

test('the count of a line is that of the innermost range, and the head of a function is that of what is around it', () => {
  const source = 'export function f() {\n  if (a) {\n    b()\n  }\n  c()\n}\nf()\nfunction g() {\n  d()\n}\n'
  const at = (text: string) => source.indexOf(text)
  const functions = [
    { ranges: [{ startOffset: 0, endOffset: source.length, count: 1 }] },
    {
      ranges: [
        { startOffset: at('function f'), endOffset: at('f()\nfunction g') - 1, count: 1 },
        { startOffset: at('{\n    b'), endOffset: at('\n  c()'), count: 0 },
      ],
    },
    { ranges: [{ startOffset: at('function g'), endOffset: source.length - 1, count: 0 }] },
  ]
  const places = [...source.matchAll(/\w+|[{}]/g)].map(({ index }) => ({
    ...{ offset: index, source: '' },
    line: source.slice(0, index).split('\n').length,
  }))
  const known = ranLinesOf(places, functions).get('') ?? new Map()
  expect(fillLines(known, 10)).toEqual([1, 2, 5, 6, 7, 8])
})
