import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { ElementCheck } from '../../../src/core/base/action.ts'
import {
  addObservation,
  describeChecks,
  describeLog,
  EMPTY_LOG,
  isNegative,
} from '../../../src/core/snapshot/element-check.ts'
const logOf = (...texts: string[]) =>
  texts.reduce((log, text, index) => addObservation(log, { at: index * 100, text }), EMPTY_LOG)

test('a log is one line, without repetitions', () => {
  expect(describeLog('count', logOf('0', '0', '0', '2'), '3')).toBe('count 0 -> 2 after 300 ms, wanted 3')
  expect(describeLog('value', logOf('"a"'), '"abc"')).toBe('value "a", wanted "abc"')
  expect(describeLog('state', EMPTY_LOG, 'not visible')).toBe('state unknown, wanted not visible')
})
test('of many changes the first and the last are in it', () => {
  expect(describeLog('count', logOf('0', '1', '2', '3', '4', '5', '6'), '9')).toBe(
    'count 0 -> 1 after 100 ms -> 2 after 200 ms -> 2 more changes -> 5 after 500 ms -> 6 after 600 ms, wanted 9',
  )
})
test('however much was seen, a log stays small and ends with what was seen last', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 500 }), { minLength: 1 }), (texts) => {
      const log = logOf(...texts)
      expect(log.first.length + log.last.length).toBeLessThanOrEqual(5)
      expect(describeLog('value', log, 'x').length).toBeLessThan(800)
      const last = log.last.at(-1) ?? log.first.at(-1)
      expect(texts.at(-1)?.startsWith(last?.text.replace(/…$/, '') ?? '?')).toBe(true)
      const changes = texts.filter((text, index) => text !== texts[index - 1]).length
      expect(log.first.length + log.omitted + log.last.length).toBeLessThanOrEqual(changes)
    }),
  )
})
test('what is expected, and what is negative', () => {
  const state: ElementCheck = { kind: 'state', state: 'enabled' }
  const count: ElementCheck = { kind: 'count', count: 0 }
  expect(describeChecks([state, { kind: 'value', value: 'a' }, { kind: 'text', text: 'b' }], false)).toBe(
    'to be enabled and to have value "a" and to contain the text "b"',
  )
  expect(describeChecks([count], true)).toBe('not to have count 0')
  expect(
    [state, count, { kind: 'state', state: 'hidden' } as const].map((check) => isNegative(check, false)),
  ).toEqual([false, true, true])
  expect(isNegative(state, true)).toBe(true)
})
