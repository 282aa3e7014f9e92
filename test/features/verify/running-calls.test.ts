import { expect, test } from 'bun:test'
import { createRunningCalls } from '../../../src/features/verify/running-calls.ts'

function callsOf(...all: readonly (readonly [name: string, from: number, to?: number])[]) {
  const calls = createRunningCalls()
  for (const [name, from, to] of all) {
    calls.begin(name, from)
    if (to !== undefined) calls.end(to)
  }
  return calls
}

test('a page has run what was counted for the calls since the last reading, else for the last one', () => {
  const calls = callsOf(['click #a', 10, 20], ['type #b', 30, 40])
  expect(calls.since(25)).toBe('type #b')
  expect(calls.since(15)).toBe('click #a or type #b')
  expect(calls.since(50)).toBe('type #b')
  expect(callsOf().since(0)).toBe('opening the session')
})

test('a call that still runs may have run it before and after a reading', () => {
  const calls = callsOf(['click #a', 10])
  expect([calls.since(0), calls.since(15)]).toEqual(['click #a', 'click #a'])
})

test('an evaluation is named last, and many calls by their number', () => {
  expect(callsOf(['evaluate', 1, 2], ['click #a', 3, 4]).since(0)).toBe('click #a or evaluate')
  const many = callsOf(['a', 1, 2], ['evaluate', 3, 4], ['b', 5, 6], ['c', 7, 8])
  expect(many.since(0)).toBe('2 calls or c or evaluate')
})

test('a server has run for the calls with requests: typing runs nothing of it', () => {
  const calls = callsOf(['click #order', 10, 20], ['type #b', 30, 40])
  expect(calls.withRequests([12])).toBe('click #order')
  // What a page asks for later is of the last call.
  expect(calls.withRequests([25])).toBe('click #order')
  expect(calls.withRequests([12, 35])).toBe('click #order or type #b')
  expect(calls.withRequests([])).toBe('the server by itself')
  expect(calls.withRequests([5])).toBe('opening the session')
})
