import { expect, test } from 'bun:test'
import { openDocument } from '../../../src/core/base/files/open-document.ts'
import { createRedactor } from '../../../src/core/base/redaction/redactor.ts'
import { openHarReplay } from '../../../src/features/mock/har-file.ts'
import type { HarEntry } from '../../../src/features/mock/har.ts'
import { redactHar } from '../../../src/features/mock/har.ts'

const entry = (
  method: string,
  url: string,
  { status = 200, text = '', body = '', location = '', mimeType = 'application/json' } = {},
): HarEntry => ({
  request: { method, url, headers: [], ...(body && { postData: { text: body } }) },
  response: {
    status,
    headers: [
      { name: 'Content-Length', value: '3' },
      { name: 'Set-Cookie', value: 'a=1' },
      { name: 'set-cookie', value: 'b=2' },
      { name: 'Vary', value: 'a' },
      { name: 'vary', value: 'b' },
      ...(location ? [{ name: 'Location', value: location }] : []),
    ],
    content: { text, mimeType },
  },
})

const request = (method: string, url: string, postData = '', isNavigation = false) => ({
  method,
  url,
  postData,
  isNavigation,
})

async function openReplay(entries: readonly HarEntry[], redact = (text: string) => text) {
  const bytes = new TextEncoder().encode(JSON.stringify({ log: { entries } }))
  const replay = await openHarReplay(bytes, redact, { openDocument })
  if (!replay.ok) throw new Error(JSON.stringify(replay.error))
  return replay.value.findResponse
}

test('the responses to one request come in their order, and the last one from then on', async () => {
  const find = await openReplay([
    entry('GET', 'http://a/job', { text: 'runs' }),
    entry('POST', 'http://a/job', { text: 'other' }),
    entry('GET', 'http://a/job', { text: 'ready' }),
  ])
  const bodies: unknown[] = []
  for (let count = 0; count < 3; count += 1)
    bodies.push((await find(request('GET', 'http://a/job#top')))?.body)
  expect(bodies).toEqual(['runs', 'ready', 'ready'])
  expect(await find(request('GET', 'http://a/job?x'))).toBeUndefined()
  expect(await find(request('PUT', 'http://a/job'))).toBeUndefined()
})

test('a body tells requests apart; one that is new gets the first response', async () => {
  const find = await openReplay(
    ['a', 'b'].map((body) => entry('POST', 'http://a/search', { body, text: `found ${body}` })),
  )
  const bodies: unknown[] = []
  for (const body of ['b', 'a', 'c'])
    bodies.push((await find(request('POST', 'http://a/search', body)))?.body)
  expect(bodies).toEqual(['found b', 'found a', 'found a'])
})

test('headers of a transfer are left out, others joined', async () => {
  const find = await openReplay([entry('GET', 'http://a/')])
  expect((await find(request('GET', 'http://a/')))?.headers).toEqual({
    'set-cookie': 'a=1\nb=2',
    vary: 'a, b',
  })
})

test('redirects are followed, except those of a page', async () => {
  const entries = [
    entry('POST', 'http://a/login', { status: 303, location: '/home', body: 'x' }),
    entry('GET', 'http://a/home', { status: 302, location: 'http://b/end' }),
    entry('GET', 'http://b/end', { text: 'end' }),
    entry('GET', 'http://a/loop', { status: 302, location: '/loop' }),
    entry('GET', 'http://a/script', { status: 302, location: 'javascript:alert(1)' }),
  ]
  const find = await openReplay(entries)
  expect((await find(request('POST', 'http://a/login', 'x')))?.body).toBe('end')
  expect(await find(request('GET', 'http://a/home', '', true))).toMatchObject({ redirectUrl: 'http://b/end' })
  expect((await find(request('GET', 'http://a/loop')))?.status).toBe(302)
  expect(await find(request('GET', 'http://a/script', '', true))).not.toHaveProperty('redirectUrl')
})

test('a recording without its secrets answers the same requests', async () => {
  const token = 'c4n4ryQ7WmZ2pXs9LrT4vKd8Hb'
  const redactor = createRedactor()
  const { redactData } = redactor
  const url = `http://a/orders?access_token=${token}`
  const login = JSON.stringify({ password: token })
  const script = `const password = "${token}"`
  const har = redactHar(
    {
      log: {
        entries: [
          entry('POST', 'http://a/login', { body: login, text: JSON.stringify({ access_token: token }) }),
          entry('GET', url, { text: 'orders' }),
          entry('GET', 'http://a/app.js', { text: script, mimeType: 'text/javascript' }),
        ],
      },
    },
    redactor,
  )
  const [first, second, third] = har.log.entries
  expect(JSON.stringify([first, second])).not.toContain(token)
  // The page would not run without it.
  expect(third?.response.content?.text).toBe(script)
  const find = await openReplay(har.log.entries, (body) => redactData({ body }).body)
  expect((await find(request('GET', url)))?.body).toBe('orders')
  expect((await find(request('POST', 'http://a/login', login)))?.status).toBe(200)
})

const githubToken = 'ghp_016C7pHXWmZ2pXs9LrT4vKd8HbQe5y3NnUaJ'

test('a HAR file has no secret in the title of a page, a status text or a WebSocket message', () => {
  const { request: sent, response } = entry('GET', 'http://a/')
  const har = {
    log: {
      pages: [{ id: 'page_1', title: `Key ${githubToken}` }],
      entries: [
        {
          pageref: 'page_1',
          request: sent,
          response: { ...response, statusText: `Hello ${githubToken}` },
          _webSocketMessages: [{ type: 'receive', data: `{"token":"${githubToken}"}` }],
        },
      ],
    },
  }
  const text = JSON.stringify(redactHar(har, createRedactor()))
  expect(text).not.toContain('016C7pHX')
  expect(JSON.parse(text)).toMatchObject({
    log: {
      pages: [{ id: 'page_1', title: 'Key [redacted GitHub token]' }],
      entries: [{ pageref: 'page_1' }],
    },
  })
})

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jWN9zB2Wc1qYl6nq9x0a7bT5rLmK8vE'

/** A message of protobuf: each text is a field, after its number and its length. */
const protobufOf = (...texts: string[]): Buffer =>
  Buffer.concat(
    texts.map((text, index) => {
      const bytes = Buffer.from(text)
      return Buffer.concat([Buffer.of(((index + 1) << 3) | 2, bytes.length), bytes])
    }),
  )

const fields = ['a', 'b', 'c', 'd', 'e', 'Zoë', 'hunter2-Zoë', 'f', jwt, 'after']

test.each([
  ['octet-stream of text', Buffer.from(`{"note":"Zoë","token":"${githubToken}"}`)],
  ['protobuf', protobufOf(...fields)],
  ['gRPC', Buffer.concat([Buffer.of(0, 0, 0, 0, 200), protobufOf(...fields)])],
  ['gRPC with other bytes', Buffer.concat([Buffer.of(0xff, 0xfe, 0x80, 0x33), protobufOf(...fields)])],
])('a body of %s in a HAR file has no secret, and is of the same form', (_, bytes) => {
  const redactor = createRedactor()
  redactor.learn('typed', ['hunter2-Zoë'])
  const { request: sent, response } = entry('GET', 'http://a/')
  const content = { mimeType: 'application/octet-stream', encoding: 'base64', text: bytes.toString('base64') }
  const har = redactHar(
    { log: { entries: [{ request: sent, response: { ...response, content } }] } },
    redactor,
  )
  const body = Buffer.from(har.log.entries[0]?.response.content?.text ?? '', 'base64')
  for (const secret of ['016C7pHX', 'hunter2', 'dozjgNry', 'eyJzdWIi'])
    expect(body.toString('latin1')).not.toContain(secret)
  expect(body.toString()).toContain('Zoë')
  if (!bytes.toString().startsWith('{')) expect(body).toHaveLength(bytes.length)
})

test('a body of bytes without a secret stays as it is in a HAR file', () => {
  const { request: sent, response } = entry('GET', 'http://a/')
  const text = Buffer.from(Array.from({ length: 3000 }, (_, index) => (index * 7919) % 256)).toString(
    'base64',
  )
  const content = { mimeType: 'application/octet-stream', encoding: 'base64', text }
  const har = redactHar(
    { log: { entries: [{ request: sent, response: { ...response, content } }] } },
    createRedactor(),
  )
  expect(har.log.entries[0]?.response.content?.text).toBe(text)
})
