// When a dev server counts as up: a page that fails from the start is there to be looked at; what is not there yet is waited for.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect, type Peer } from '../support/client.ts'
import { reservePort } from '../support/reserve-port.ts'

const READY_TIMEOUT_MS = 60_000

/** A server whose page is made by `handle`; `since` are the milliseconds since it listens. */
const server = (handle: string, announced = true) => [
  'node',
  '-e',
  `let began
require('http').createServer((request, response) => {
  const since = Date.now() - began
  response.setHeader('content-type', 'text/html')
  const answer = (status) => { response.statusCode = status; response.end('<title>' + status + '</title>') }
  ${handle}
}).listen(process.env.PORT, '127.0.0.1', () => {
  began = Date.now()
  if (${announced}) console.log('Local: http://localhost:' + process.env.PORT + '/')
})`,
]
const failing = `console.error('Error: no such table: users'); console.error('    at load (/app/page.js:3:9)'); answer(500)`

// A busy machine needs seconds until a server listens.
const starts = {
  failing: { command: server(failing) },
  quietly: { command: server('answer(500)') },
  silent: { command: server(failing, false) },
  loading: { command: server('answer(since < 3000 ? 503 : 200)') },
  recovering: { command: server(`if (since < 400) { ${failing} } else answer(200)`) },
  gateway: { command: server('answer(502)'), readyTimeout: 10_000 },
  slow: { command: server('setTimeout(answer, 2500, 200)') },
  losing: { command: server('if (globalThis.isAsked) answer(200); globalThis.isAsked = true') },
  hanging: { command: server('if (!globalThis.isAsked) answer(200); globalThis.isAsked = true') },
  unhealthy: { command: server('answer(500)'), readyUrl: 'http://localhost:0/health', readyTimeout: 10_000 },
  beside: {
    command: [
      'node',
      '-e',
      `const { createServer } = require('http')
createServer((request, response) => response.end('metrics')).listen(0, '127.0.0.1')
let ready
const page = createServer(async (request, response) => {
  await (ready ??= new Promise((resolve) => setTimeout(resolve, 13_000)))
  response.setHeader('content-type', 'text/html').end('<title>page</title>')
}).listen(0, '127.0.0.1', () => console.log('Local: http://localhost:' + page.address().port + '/'))`,
    ],
  },
  hurried: { command: server('answer(500)'), readyTimeout: 4500 },
} as const

type Name = keyof typeof starts
interface Start {
  readonly data: any
  readonly ms: number
}

let peer: Peer
const made = new Map<Name, Start>()
beforeAll(async () => {
  peer = await connect({ args: ['--headless', '--max-sessions', '20'] })
  const names = Object.keys(starts) as Name[]
  await Promise.all(
    names.map(async (name) => {
      const since = performance.now()
      const port = await reservePort()
      const input = { readyTimeout: READY_TIMEOUT_MS, ...starts[name] } as Record<string, unknown>
      const url = input['readyUrl'] && { port, readyUrl: `http://localhost:${port}/health` }
      const { data } = await peer.call('create_session', { ...input, ...(url as object) })
      made.set(name, { data, ms: performance.now() - since })
    }),
  )
}, 120_000)
afterAll(() => peer.close())

const start = (name: Name): Start => made.get(name) ?? { data: {}, ms: Number.NaN }

test('a page that fails from the start is up, and the answer has what the server printed about it', async () => {
  const { data, ms } = start('failing')
  const { sessionId, url } = data
  expect(ms).toBeLessThan(READY_TIMEOUT_MS / 2)
  expect(data).toMatchObject({
    url: expect.stringMatching(/^http:\/\/localhost:\d+\/$/),
    message: expect.stringMatching(
      /The server is up at \S+, but its page responds with 500: Error: no such table: users$/,
    ),
    serverOutput: ['Error: no such table: users', '    at load (/app/page.js:3:9)'],
  })
  const call = async (tool: string, input: Record<string, unknown> = {}) =>
    (await peer.call(tool, { sessionId, ...input })).data
  expect(await call('navigate', { url })).toMatchObject({ status: 500, title: '500' })
  expect(await call('get_session_status')).toMatchObject({
    status: 'unhealthy',
    message: 'It responds with 500.',
  })
  const again = await call('restart_server')
  expect(again).toMatchObject({ url, message: expect.stringContaining('its page responds with 500') })
})

test('the announced address is waited for, and no other port of the command takes its place', async () => {
  const { sessionId, url, message } = start('beside').data
  expect(message).toMatch(/The server is ready at \S+ \(also listening: port \d+\)/)
  expect((await peer.call('navigate', { sessionId, url })).data.title).toBe('page')
})

test('a server that hangs is unhealthy, and the status says how long it was given', async () => {
  const { sessionId, message } = start('hanging').data
  expect(message).toContain('The server is ready at')
  const status = (await peer.call('get_session_status', { sessionId })).data
  expect(status).toMatchObject({ status: 'unhealthy', message: 'It did not respond within 3 seconds.' })
})

test('also where it prints nothing about it, or announces no address', () => {
  expect(start('quietly').data.message).toMatch(/The server is up at \S+, but its page responds with 500$/)
  expect(start('quietly').data.serverOutput).toBeUndefined()
  expect(start('silent').data.message).toContain('responds with 500: Error: no such table')
  for (const name of ['quietly', 'silent'] as const) expect(start(name).ms).toBeLessThan(READY_TIMEOUT_MS / 2)
})

test('what is not there yet is waited for: a proxy whose server is coming, and a page that fails only at first', () => {
  for (const name of ['loading', 'recovering'] as const) {
    expect([name, start(name).data.message]).toEqual([
      name,
      expect.stringContaining('The server is ready at'),
    ])
    expect(start(name).data.serverOutput).toBeUndefined()
  }
})

test('a server that is slow with every page is up, and one that loses its first request', () => {
  expect(start('slow').data.message).toContain('The server is')
  expect(start('losing').data.message).toContain('The server is')
})

test('a gateway that never finds its server, and a readyUrl that never gets ready, are reported as that', () => {
  expect(start('gateway').data).toMatchObject({
    errorCode: 'SERVER_START_FAILED',
    details: { reason: 'timeout', text: expect.stringContaining('responds with 502') },
  })
  expect(start('unhealthy').data).toMatchObject({
    errorCode: 'SERVER_START_FAILED',
    details: { reason: 'timeout', text: expect.stringContaining('responds with 500') },
  })
})

test('when the time is up, what announced itself and answers is up', () => {
  expect(start('hurried').data.message).toContain('its page responds with 500')
})
