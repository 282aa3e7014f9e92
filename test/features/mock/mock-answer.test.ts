import { expect, test } from 'bun:test'
import { compileUrlPattern } from '../../../src/core/tool/pattern.ts'
import { parseMockAnswer } from '../../../src/features/mock/tool.ts'

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
  expect(parseMockAnswer({ stream: ['a', { data: { b: 1 }, id: '5' }] })).toMatchObject({
    value: { stream: [{ data: 'a' }, { data: { b: 1 }, id: '5' }] },
  })
})

test('what a WebSocket is sent is a text, {send}, or a list of them', () => {
  const messages = (socket: unknown) => parseMockAnswer({ socket })
  expect(messages('hi')).toMatchObject({ value: { socket: ['hi'] } })
  expect(messages({ send: { b: 1 } })).toMatchObject({ value: { socket: [{ b: 1 }] } })
  expect(messages(['a', { send: ['b', [1]] }])).toMatchObject({ value: { socket: ['a', 'b', [1]] } })
})

test.each([
  [{ push: 'a' }, 'answer.push', /initScript.*WebSocket/],
  [{ socket: ['a', { on: 'b', send: 'c' }] }, 'answer.socket.on', /initScript.*WebSocket/],
  [{ socket: { close: 4001 } }, 'answer.socket.close', /initScript.*WebSocket/],
  [{ socket: [], change: true }, 'answer.change', /initScript.*WebSocket/],
  [{ stream: [{ data: 'a', delay: 5 }] }, 'answer.stream.delay', /initScript.*EventSource/],
])('what was removed says what to use instead: %j', (answer, field, advice) => {
  expect(parseMockAnswer(answer)).toMatchObject({
    error: { field, hint: expect.stringMatching(advice) },
  })
})

test.each([
  [{ socket: [{ to: 1 }] }, 'answer.socket'],
  [{ socket: [], body: 'a' }, 'answer'],
  [{ socket: ['a'], fail: true }, 'answer'],
  [{ status: 99 }, 'answer.status'],
  [{ stauts: 200 }, 'answer.stauts'],
  [{ headers: { 'a b': 'c' } }, 'answer.headers.a b'],
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
