import { expect, test } from 'bun:test'
import { parseMockAnswer } from '../../src/tools/mock.ts'
import { compileUrlPattern } from '../../src/tools/define/pattern.ts'

test.each([
  { status: 204 },
  { json: null },
  { json: [1], headers: { 'x-a': 'b' }, delay: 5, times: 2 },
  { fail: true, delay: 5 },
  { change: true, json: { a: null } },
])('accepts %j', (answer) => {
  expect(parseMockAnswer(answer)).toEqual({ ok: true, value: answer })
})

test('an event may be its data alone', () => {
  expect(parseMockAnswer({ stream: ['a', { data: { b: 1 }, delay: 5 }] })).toMatchObject({
    value: { stream: [{ data: 'a' }, { data: { b: 1 }, delay: 5 }] },
  })
})

test('a rule may be its text alone, and a list its rule alone; what is sent is a list', () => {
  const rules = (socket: unknown) => parseMockAnswer({ socket })
  expect(rules('hi')).toMatchObject({ value: { socket: [{ send: ['hi'] }] } })
  expect(rules({ on: { a: 1 }, send: { b: 1 } })).toMatchObject({
    value: { socket: [{ on: { a: 1 }, send: [{ b: 1 }] }] },
  })
  expect(rules([{ on: [1], send: ['a', [1]], close: 4001 }])).toMatchObject({
    value: { socket: [{ on: [1], send: ['a', [1]], close: 4001 }] },
  })
})

test.each([
  [{ socket: [{ on: 1 }] }, 'answer.socket'],
  [{ socket: [{ close: 999 }] }, 'answer.socket[0].close'],
  [{ socket: [], body: 'a' }, 'answer'],
  [{ socket: ['a'], fail: true }, 'answer'],
  [{ socket: [{ json: {} }] }, 'answer'],
  [{ status: 99 }, 'answer.status'],
  [{ stauts: 200 }, 'answer.stauts'],
  [{ headers: { 'a b': 'c' } }, 'answer.headers.a b'],
  [{ stream: [{ delay: -1, data: '' }] }, 'answer.stream[0].delay'],
  [{ times: 0 }, 'answer.times'],
  [{ body: 'a', json: 1 }, 'answer'],
  [{ fail: true, status: 500 }, 'answer'],
  [{ change: true }, 'answer'],
  [{ change: true, stream: [] }, 'answer'],
])('refuses %j', (answer, field) => {
  expect(parseMockAnswer(answer)).toMatchObject({ ok: false, error: { code: 'INVALID_PARAMETERS', field } })
})

test('an unknown field is refused in words', () => {
  expect(parseMockAnswer({ statuss: 200 })).toMatchObject({
    error: { field: 'answer.statuss', received: 'an unknown field' },
  })
  expect(parseMockAnswer({ status: 'ok' })).toMatchObject({
    error: { expected: 'a number', received: '"ok"' },
  })
})

test.each([
  ['/api/', 'http://a/api/users', true],
  ['/api\\/users\\/\\d+$/', 'http://a/api/users/12', true],
  ['/api\\/users\\/\\d+$/', 'http://a/api/users/x', false],
  ['**/api/*', 'http://a/api/users', true],
  ['**/api/*', 'http://a/api/users/1', false],
  ['a/api', 'http://a/api/users', true],
])('the pattern %s and %s: %j', async (pattern, url, matches) => {
  const compiled = await compileUrlPattern(pattern)
  expect(compiled.ok && compiled.value(url)).toBe(matches)
})
