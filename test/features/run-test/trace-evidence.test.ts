import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { readPageSnapshot, readTrace } from '../../../src/features/run-test/trace-evidence.ts'

const consoleEvent = (messageType: string, text: string) => ({
  type: 'console',
  messageType,
  text,
  location: { url: 'http://localhost:3000/src/app.js', lineNumber: 4 },
})
const pageError = {
  type: 'event',
  method: 'pageError',
  params: {
    error: {
      error: {
        name: 'TypeError',
        message: 'x is null',
        stack: 'TypeError: x is null\n    at f (http://localhost:3000/src/app.js:7:3)',
      },
    },
  },
}
const request = (status: number, more: object = {}) => ({
  type: 'resource-snapshot',
  snapshot: {
    request: { method: 'GET', url: 'http://localhost:3000/api' },
    response: { status, content: { mimeType: 'application/json', ...more }, ...more },
  },
})

test('errors of the console and of the page have their position, other messages are left out', () => {
  const events = [
    consoleEvent('log', 'fine'),
    consoleEvent('error', 'bad'),
    consoleEvent('error', 'Failed to load resource: the server responded with a status of 500'),
    pageError,
  ]
  const url = 'http://localhost:3000/src/app.js'
  expect(readTrace(events, []).console).toEqual([
    { text: 'bad', position: { url, line: 5, column: 1 } },
    { text: 'uncaught TypeError: x is null', position: { url, line: 7, column: 3 } },
  ])
})

test('failed requests are those with a status from 400 and those without a response, but not aborted ones', () => {
  const network = [
    request(200),
    request(404, { _sha1: 'abc.json' }),
    request(500, { _file: 'resources/def.json' }),
    request(-1, { _failureText: 'net::ERR_CONNECTION_REFUSED' }),
    request(-1, { _failureText: 'net::ERR_ABORTED' }),
  ]
  expect(readTrace([], network).requests).toEqual([
    { text: 'GET http://localhost:3000/api 404', body: 'resources/abc.json' },
    { text: 'GET http://localhost:3000/api 500', body: 'resources/def.json' },
    { text: 'GET http://localhost:3000/api net::ERR_CONNECTION_REFUSED' },
  ])
})

test('the last picture has its name in both formats, the last action its log', () => {
  const old = { type: 'screencast-frame', sha1: 'page@1.jpeg' }
  const events = [
    { type: 'before', callId: 'call@1', method: 'click', params: { selector: '#a' } },
    { type: 'log', callId: 'call@0', message: 'other' },
    { type: 'log', callId: 'call@1', message: '  waiting for #a ' },
  ]
  expect(readTrace([old], []).picture).toBe('resources/page@1.jpeg')
  expect(readTrace([old, { type: 'screencast-frame', file: 'screencast/2.jpeg' }], []).picture).toBe(
    'screencast/2.jpeg',
  )
  expect(readTrace(events, []).action).toBe('click #a; waiting for #a')
})

test('whatever the documents are, they are read', () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue()),
      fc.array(fc.jsonValue()),
      fc.object(),
      (events, network, fields) => {
        const types = ['console', 'event', 'before', 'log', 'frame-snapshot', 'screencast-frame']
        const records = types.map((type) => ({
          ...fields,
          type,
          messageType: 'error',
          method: 'pageError',
          snapshot: fields,
        }))
        readTrace([...events, ...records], [...network, { snapshot: { request: fields, response: fields } }])
      },
    ),
    { numRuns: 200 },
  )
})

test('the snapshot of the page is read from the error context, without refs', () => {
  const context =
    '# Test info\n\n# Page snapshot\n\n```yaml\n- heading "Items" [level=1] [ref=e2]\n- button [ref=e3] [cursor=pointer]\n```\n\n# Test source\n'
  expect(readPageSnapshot(context)).toBe('- heading "Items" [level=1]\n- button')
  expect(readPageSnapshot('# Test info\n')).toBeUndefined()
})
