// Endpoints and Grids that answer with what is none of theirs: it ends their own connection, has a limit, and sends nobody elsewhere.

import { afterEach, expect, test } from 'bun:test'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { findCdpAddress, publicAddressOf } from '../../../src/features/remote/cdp-address.ts'
import { connectOverCdp } from '../../../src/features/remote/cdp-connection.ts'
import { readMessage } from '../../../src/features/remote/cdp-message.ts'
import {
  closeGridSession,
  openGridSession,
  readGridState,
  releaseGridSessions,
} from '../../../src/features/remote/grid.ts'
import { sendCall } from '../../../src/features/remote/http-call.ts'
import { parseRemoteAddress } from '../../../src/features/remote/remote-address.ts'
import { until } from '../../support/leftovers.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server: Server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A browser that says these lines once it is asked something. */
async function serveCdp(lines: readonly string[]): Promise<{ url: string; sent(): number }> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise<void>((listening) => server.once('listening', () => listening()))
  let sent = 0
  server.on('connection', (socket) => {
    socket.on('error', () => {})
    socket.once('message', () => {
      for (const line of lines) {
        if (socket.readyState !== socket.OPEN) return
        sent += 1
        socket.send(line)
      }
    })
  })
  closers.push(() => server.close())
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`, sent: () => sent }
}

const connect = (url: string, timeoutMs = 20_000) =>
  connectOverCdp({ url, headers: {}, timeoutMs, label: 'test' }, ({ message }) => ({
    code: 'BROWSER_ERROR',
    text: message,
  }))

test.each([
  ['no JSON', Array.from({ length: 60 }, () => 'hello')],
  ['no object', ['null', '1', '"text"', '[]']],
  ['a value without an end', ['{"id":1,"result":']],
  ['an answer to no question', Array.from({ length: 60 }, (_, id) => `{"id":${id + 1000},"result":{}}`)],
  ['millions of values', [`{"id":1,"result":[${'[],'.repeat(1_000_001)}0]}`]],
])('%s in place of a message ends that connection alone', async (_, lines) => {
  const { url } = await serveCdp(lines)
  expect(await connect(url)).toMatchObject({ ok: false, error: { code: 'BROWSER_ERROR' } })
})

test('one that says it before it is asked ends the connection at once', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise<void>((listening) => server.once('listening', () => listening()))
  closers.push(() => server.close())
  server.on('connection', (socket) => socket.send('hello'))
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`
  expect(await connect(url, 300_000)).toMatchObject({
    ok: false,
    error: { text: expect.stringContaining('no message of CDP') },
  })
})

test('a message of more than 64 MB ends its connection', async () => {
  const { url } = await serveCdp([`{"id":1,"result":{"text":"${'x'.repeat(65_000_000)}"}}`])
  expect(await connect(url)).toMatchObject({ ok: false })
}, 60_000)

test('an answer of more than 32 MB fails alone, and reports of such a size are left out', async () => {
  const text = 'x'.repeat(40_000_000)
  const report = (method: string) => `{"method":"${method}","params":{"text":"${text}"},"sessionId":"A1"}`
  const { url } = await serveCdp([
    report('Runtime.consoleAPICalled'),
    report('Network.webSocketFrameReceived'),
    `{"id":1,"result":{"text":"${text}"}}`,
  ])
  const failed = await connect(url)
  expect(failed).toMatchObject({ ok: false, error: { text: expect.stringContaining('40 MB, more than 32') } })
  const long = (message: string) => readMessage(Buffer.from(message))
  expect(long(`{"id":7,"result":{"text":"${text}"},"sessionId":"A1"}`)).toMatchObject([
    { id: 7, sessionId: 'A1' },
  ])
  expect(long(report('Page.frameNavigated'))).toBeUndefined()
}, 60_000)

const endless = (request: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const chunk = Buffer.alloc(1_000_000, ' ')
  const write = (): void => {
    if (!response.destroyed) response.write(chunk, write)
  }
  request.once('close', () => response.destroy())
  write()
}

test('an answer without an end has one', async () => {
  const url = await serve(endless)
  const address = parseRemoteAddress(url)
  await expect(sendCall({ method: 'GET', url, headers: {} }, 60_000)).rejects.toThrow(/more than 8000000/)
  await expect(readGridState(address)).rejects.toThrow(/more than 8000000|does not answer/)
  await expect(openGridSession(address, {}, 'name')).rejects.toThrow(/more than 8000000/)
}, 60_000)

test('no redirect takes the keys elsewhere', async () => {
  const seen: (string | undefined)[] = []
  const other = await serve((request, response) => {
    seen.push(request.headers['x-api-key'] as string)
    response.end('{"value":{"sessionId":"a"}}')
  })
  const hub = await serve((request, response) => {
    response.writeHead(request.method === 'GET' ? 302 : 307, { location: `${other}/` }).end('{}')
  })
  const address = { ...parseRemoteAddress(hub), headers: { 'x-api-key': 'secret' } }
  await readGridState(address).catch(() => {})
  await openGridSession(address, {}, 'name').catch(() => {})
  await closeGridSession(address, 'a').catch(() => {})
  await findCdpAddress({ url: hub, headers: address.headers, timeoutMs: 1000 }).catch(() => {})
  expect(seen).toEqual([])
})

const otherPaths = [
  ...[
    '',
    '.',
    '..',
    '...',
    '../../containers/precious',
    '/etc',
    'a/',
    'a/../b',
    '%2e%2e',
    '..%2f',
    '..%2Fadmin',
    'a%2F..%2F..',
    '%252e%252e%252f',
  ],
  ...['a?b', 'a#b', 'a;b', 'a\\b', 'a b', 'a\r\nb', 'a\0', '\u2025', '\uff0f', '%', 'a'.repeat(501)],
]

test('an id of a Grid is one segment of a path, or nothing is sent, to the hub or to a node', async () => {
  const paths: string[] = []
  const note = (request: IncomingMessage, response: ServerResponse, value: unknown) => {
    if (request.method === 'DELETE') paths.push(request.url ?? '')
    response.end(JSON.stringify({ value }))
  }
  const node = await serve((request, response) => note(request, response, null))
  const ids = ['5f0c2a3e-1b7d', 'chrome-117-0-5f0c', 'a.b_c~d', 'node:5:a=b+c@d']
  const sessions = [...otherPaths, ...ids].map((sessionId) => ({
    session: { sessionId, capabilities: { 'se:name': 'ours' } },
  }))
  const nodes = [{ uri: node, availability: 'UP', slots: sessions }]
  const hub = await serve((request, response) => {
    if (request.method === 'DELETE') return response.writeHead(404).end('{"value":null}')
    return note(request, response, request.url?.endsWith('/queue') ? [] : { nodes })
  })
  const address = parseRemoteAddress(hub)
  for (const id of otherPaths) {
    await expect(closeGridSession(address, id)).rejects.toThrow('is no id of a session')
    const opener = await serve((request, response) => note(request, response, { sessionId: id }))
    await expect(openGridSession(parseRemoteAddress(opener), {}, 'name')).rejects.toThrow(
      'is no id of a session',
    )
  }
  expect(paths).toEqual([])
  void releaseGridSessions({ address, name: 'ours' })
  const expected = ids.map((id) => `/session/${encodeURIComponent(id)}`).toSorted()
  await until(() => paths.length >= expected.length)
  expect([...new Set(paths)].toSorted()).toEqual(expected)
})

test('a node that a hub names gets a request on the host of the hub or of an option alone, and no keys', async () => {
  const asked: { host: string | undefined; url: string | undefined; key: unknown }[] = []
  const node = await serve((request, response) => {
    asked.push({ host: request.headers.host, url: request.url, key: request.headers['x-api-key'] })
    response.end('{"value":null}')
  })
  const uris = [
    node.replace('127.0.0.1', 'localhost'),
    node.replace('127.0.0.1', '127.0.0.2'),
    `${node}/deep?x=1`,
    'file:///etc/passwd',
    'no address',
  ]
  let sessions = uris.map((uri, index) => ({ uri, sessionId: `s${index}` }))
  const hub = await serve((request, response) => {
    if (request.method === 'DELETE') return response.writeHead(404).end('{"value":null}')
    if (request.url?.endsWith('/queue')) return response.end('{"value":[]}')
    const nodes = sessions.map(({ uri, sessionId }) => ({
      uri,
      availability: 'UP',
      slots: [{ session: { sessionId, capabilities: { 'se:name': 'ours' } } }],
    }))
    sessions = []
    return response.end(JSON.stringify({ value: { nodes } }))
  })
  const address = { ...parseRemoteAddress(hub), headers: { 'x-api-key': 'secret' } }
  // Those that are refused are tried again, as a hub that does not answer is.
  void releaseGridSessions({ address, name: 'ours' })
  await Bun.sleep(500)
  expect(asked).toEqual([{ host: new URL(node).host, url: '/session/s2', key: undefined }])
})

test.each([
  '{}',
  '[]',
  'null',
  '{"value":null}',
  '{"value":{"nodes":{}}}',
  '{"value":{"nodes":[null,1,{"slots":[1]},{"slots":{}},{"slots":[{"session":{"sessionId":7}}]}]}}',
  '{"value":{"sessionId":{"a":1}}}',
  '<html>',
])('the answer %s of a hub is read, or refused by name', async (text) => {
  const hub = await serve((_, response) => void response.end(text))
  const address = parseRemoteAddress(hub)
  await readGridState(address).catch((error: Error) => expect(error.message).toContain('its hub answers'))
  await openGridSession(address, {}, 'name').then(
    () => expect.unreachable(),
    (error: Error) => expect(error.message).toMatch(/its hub answers|opened no session/),
  )
})

test.each(['localhost.', 'localhost', 'a.localhost.', '127.0.0.1', 'chrome..', 'x.internal.'])(
  'an endpoint leads to no other service of this machine, also as %s',
  (host) => {
    const answer = new URL('ws://x:9/devtools/browser/1')
    answer.hostname = host
    expect(new URL(publicAddressOf(answer, 'https://endpoint.example:8443/')).host).toBe(
      'endpoint.example:8443',
    )
  },
)
