import { expect, test } from 'bun:test'
import { createMockList, summarizeMock } from '../../../src/features/mock/mock-list.ts'
import type { MockRule } from '../../../src/features/mock/mock-rule.ts'

const mockOf = (rule: MockRule) => ({ rule, matchesUrl: (url: string) => url.includes(rule.url ?? '') })

test('the newest mock that matches decides; those that only count do not', () => {
  const mocks = createMockList()
  mocks.add(mockOf({ url: '/api', answer: { status: 200 } }))
  mocks.add(mockOf({ url: '/api/users', method: 'post', answer: { status: 201, times: 2 } }))
  mocks.add(mockOf({ url: '/api', answer: {} }))
  const ids = (method: string) => mocks.match(method, 'http://a/api/users')?.id
  expect([ids('POST'), ids('GET'), ids('POST'), ids('POST')]).toEqual(['m2', 'm1', 'm2', 'm1'])
  expect(mocks.match('GET', 'http://a/')).toBeUndefined()
  expect(mocks.list().map(({ id, matchCount }) => [id, matchCount])).toEqual([
    ['m1', 2],
    ['m2', 2],
    ['m3', 4],
  ])
  expect([mocks.remove('m2'), mocks.remove('m2')]).toEqual([true, false])
  // An id is not used again.
  mocks.clear()
  expect(mocks.add(mockOf({ url: '/' }))).toBe('m4')
})

test('a mock of WebSockets decides on no request, and the others on no WebSocket', () => {
  const mocks = createMockList()
  mocks.add(mockOf({ url: '/chat', answer: { socket: [] } }))
  mocks.add(mockOf({ url: '/chat', answer: { socket: [], times: 1 } }))
  mocks.add(mockOf({ url: '/chat', answer: { status: 200 } }))
  const socketIds = [1, 2, 3].map(() => mocks.matchSocket('ws://a/chat')?.id)
  expect(socketIds).toEqual(['m2', 'm1', 'm1'])
  expect(mocks.match('GET', 'http://a/chat')?.id).toBe('m3')
  expect(mocks.matchSocket('ws://a/')).toBeUndefined()
})

test.each([
  [{}, 'counted only'],
  [{ answer: { times: 1 } }, 'counted only'],
  [{ answer: { fail: true } }, 'failure'],
  [{ answer: { delay: 50 } }, 'after 50 ms'],
  [{ answer: { delay: 50, status: 503 } }, 'after 50 ms 503'],
  [{ answer: { stream: [{ data: 'a' }] } }, '200 stream'],
  [{ answer: { change: true, json: {} } }, 'changed: json'],
  [{ answer: { socket: [{}, {}], delay: 5 } }, 'after 5 ms WebSocket, 2 messages'],
  [{ answer: { socket: ['a'] } }, 'WebSocket, 1 message'],
  [{ answer: { socket: [], fail: true } }, 'failure'],
  [{ har: 'a.har' }, 'from a.har'],
])('%j reads %j', (rule, answer) => {
  const entry = { ...mockOf(rule), id: 'm1', matchCount: 0 }
  expect(summarizeMock(entry).answer).toBe(answer)
})
