import { expect, test } from 'bun:test'
import {
  chooseMark,
  formatMark,
  type Mark,
  parseMark,
} from '../../../src/features/run-test/in-page/choose-mark.ts'

const mark = (fields: Partial<Mark> = {}): Mark => ({
  ...{ role: 'button', text: 't1', isEmpty: false, page: 'p1', count: 1, signs: ['aid', 'cbutton', 'nrow'] },
  ...fields,
})

test('a mark is what it was after it was written', () => {
  for (const one of [mark(), mark({ role: '', isEmpty: true, signs: [] })])
    expect(parseMark(formatMark(one))).toEqual(one)
})

test('of several elements the one with most of the same signs is chosen, by what weighs most', () => {
  const others = [mark({ signs: ['cbutton'] }), mark({ signs: ['nrow'] }), mark({ signs: ['cbutton', 'ca'] })]
  expect(chooseMark(mark(), others, 'p1')).toBe(1)
})

test('nothing is chosen where that would be a guess', () => {
  const twin = mark({ signs: ['cbutton'] })
  expect(chooseMark(mark(), [twin, twin], 'p1')).toBe('several')
  expect(chooseMark(mark(), [], 'p1')).toBe('changed')
  expect(chooseMark(mark(), [mark()], 'p2')).toBe('elsewhere')
  expect(chooseMark(mark({ count: 2 }), [mark()], 'p1')).toBe('fewer')
  // Without a text it must have something of its own.
  expect(chooseMark(mark({ isEmpty: true }), [twin], 'p1')).toBe('several')
  expect(chooseMark(mark({ isEmpty: true }), [mark({ signs: ['aid'] })], 'p1')).toBe(0)
})
