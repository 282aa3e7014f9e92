import { describe, expect, test } from 'bun:test'
import { formatEventStream } from '../../../src/features/mock/event-stream.ts'
import { applyMergePatch } from '../../../src/features/mock/merge-patch.ts'
import { createMockResponse } from '../../../src/features/mock/mock-response.ts'

// The examples of RFC 7396, appendix A.
test.each([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('%j patched by %j is %j', (target, patch, result) => {
  expect(applyMergePatch(target, patch)).toEqual(result)
})

test('a patch cannot reach the prototype', () => {
  const patch = JSON.parse('{"__proto__":{"polluted":1}}')
  applyMergePatch({}, patch)
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

describe('a response', () => {
  const server = {
    status: 201,
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': '9',
      'content-encoding': 'gzip',
      etag: 'x',
    },
    body: '{"a":1}',
    json: { a: 1 },
  }
  test.each([
    [{ json: { a: 1 } }, { status: 200, headers: { 'content-type': 'application/json' }, body: '{"a":1}' }],
    [
      { json: null, status: 404 },
      { status: 404, headers: { 'content-type': 'application/json' }, body: 'null' },
    ],
    [{ body: 'a' }, { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'a' }],
    [
      { body: ' <p>' },
      { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: ' <p>' },
    ],
    [
      { status: 302, headers: { Location: '/b', 'Content-Type': 'a/b' } },
      { status: 302, headers: { 'content-type': 'a/b', location: '/b' }, body: '' },
    ],
  ])('of %j', (answer, response) => {
    expect(createMockResponse(answer, undefined, false)).toEqual(response)
  })
  test.each([
    [
      { json: { b: 2 } },
      { status: 201, headers: { 'content-type': 'application/json', etag: 'x' }, body: '{"a":1,"b":2}' },
    ],
    [
      { status: 500 },
      { status: 500, headers: { 'content-type': 'application/json', etag: 'x' }, body: '{"a":1}' },
    ],
    [{ body: '[]' }, { status: 201, headers: { 'content-type': 'application/json', etag: 'x' }, body: '[]' }],
  ])('that %j changes', (answer, response) => {
    expect(createMockResponse({ ...answer, change: true }, undefined, false, server)).toEqual(response)
  })
  test('of a file', () => {
    const file = { bytes: new Uint8Array([1]), mimeType: 'image/png' }
    expect(createMockResponse({ path: 'a.png' }, file, false)).toMatchObject({
      headers: { 'content-type': 'image/png' },
      body: file.bytes,
    })
  })
})

describe('a stream', () => {
  test('has its events in the format of the standard', () => {
    const events = [{ data: 'a\r\nb' }, { data: { c: 1 }, event: 'd\ne', id: '1' }, {}]
    expect(formatEventStream(events, false)).toBe(
      'data: a\ndata: b\n\nid: 1\nevent: d e\ndata: {"c":1}\n\ndata: \n\n',
    )
    expect(formatEventStream([{ data: 'a' }], true)).toBe('retry: 86400000\n\ndata: a\n\n')
  })
})
