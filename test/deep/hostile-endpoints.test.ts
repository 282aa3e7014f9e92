// Endpoints, services and Grids that answer anything: each answer is read, or refused by its own connection, and nothing else is asked.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import process from 'node:process'
import fc from 'fast-check'
import { findCdpAddress } from '../../src/features/remote/cdp-address.ts'
import { closeGridSession, openGridSession, readGridState } from '../../src/features/remote/grid.ts'
import { sendCall } from '../../src/features/remote/http-call.ts'
import { parseRemoteAddress } from '../../src/features/remote/remote-address.ts'
import { hostileBytes, hostileValue, nearTo } from '../support/hostile-json.ts'

const CASES = 10_000
const LIMIT_MS = 1000
const TEST_TIMEOUT_MS = 1_800_000

/** Runs a case; no other call waits for it longer than the limit, in time of the processor, as the machine may be busy. */
async function expectQuick(work: () => Promise<unknown>): Promise<void> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(LIMIT_MS)
}

let [hub, url]: [Server, string] = [undefined as never, '']
let answer: { status: number; body: Buffer } = { status: 200, body: Buffer.alloc(0) }
const paths: string[] = []
beforeAll(async () => {
  hub = createServer((request, response) => {
    paths.push(`${request.method} ${request.url}`)
    response.writeHead(answer.status, { location: 'http://127.0.0.1:1/' }).end(answer.body)
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => hub.once('listening', listening))
  url = `http://127.0.0.1:${(hub.address() as AddressInfo).port}`
})
afterAll(() => {
  hub.closeAllConnections()
  hub.close()
})

const status = fc.constantFrom(200, 200, 200, 200, 201, 302, 307, 404, 500)

const versions = nearTo(
  { webSocketDebuggerUrl: 'ws://127.0.0.1:9/devtools/browser/a', Browser: 'Chrome/1' },
  { webSocketDebuggerUrl: 'ws://localhost.:9/x?y=1' },
  { webSocketDebuggerUrl: 'wss://user:password@service.example/x' },
)

test(
  'the version of an endpoint leads to it, to a public host, or nowhere',
  async () => {
    const check = fc.asyncProperty(status, hostileBytes(versions), (code, body) =>
      expectQuick(async () => {
        answer = { status: code, body }
        const found = await findCdpAddress({ url, headers: {}, timeoutMs: 10_000 }).catch((error: Error) => {
          expect(error).toBeInstanceOf(Error)
        })
        if (found === undefined) return
        const { host, hostname } = new URL(found)
        if (host !== new URL(url).host) expect(hostname).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/)
      }),
    )
    await fc.assert(check, { numRuns: CASES })
  },
  TEST_TIMEOUT_MS,
)

const session = { sessionId: 'a-1', capabilities: { 'se:name': 'ours', 'se:cdp': 'ws://127.0.0.1:9/' } }
const node = {
  id: 'n',
  uri: 'http://127.0.0.1:5555',
  availability: 'UP',
  maxSessions: 2,
  slots: [{ session }, { session: null }],
}
const gridAnswers = nearTo(
  { value: { ready: true, nodes: [node, node] } },
  { value: session },
  { value: ['{"capabilities":[]}'] },
  { value: { error: 'session not created', message: 'no\nroom' } },
)

test(
  'the answer of a Grid is read or refused, and its ids name one session each',
  async () => {
    const address = parseRemoteAddress(url)
    const check = fc.asyncProperty(status, hostileBytes(gridAnswers), (code, body) =>
      expectQuick(async () => {
        answer = { status: code, body }
        paths.length = 0
        const refused = (error: Error) => expect(error.message.length).toBeLessThan(500)
        await readGridState(address).then(({ active }) => expect(typeof active).toBe('number'), refused)
        await openGridSession(address, {}, 'name').then(
          ({ id }) => closeGridSession(address, id).catch(refused),
          refused,
        )
        for (const path of paths)
          expect(path).toMatch(
            /^(GET \/status|GET \/se\/grid\/newsessionqueue\/queue|POST \/session|DELETE \/session\/[^/?#]+)$/,
          )
      }),
    )
    await fc.assert(check, { numRuns: CASES })
  },
  TEST_TIMEOUT_MS,
)

test(
  'the answer of a service is a value or a failure',
  async () => {
    const check = fc.asyncProperty(status, hostileBytes(hostileValue), (code, body) =>
      expectQuick(async () => {
        answer = { status: code, body }
        await sendCall({ method: 'POST', url, headers: {}, body: {} }, 10_000).catch((error: Error) =>
          expect(error.message.length).toBeLessThan(500),
        )
      }),
    )
    await fc.assert(check, { numRuns: CASES })
  },
  TEST_TIMEOUT_MS,
)

// A listener of Playwright may reject, which a server logs, and which would fail a test: a process of its own has both apart.
test(
  'a browser that says anything ends its own connection at most',
  async () => {
    const program = resolve(import.meta.dir, '../fixtures/hostile-browsers.ts')
    const child = Bun.spawn([process.execPath, program, String(CASES)], { stdout: 'pipe', stderr: 'pipe' })
    const [out, errors] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ])
    expect(errors.slice(0, 3000)).toBe('')
    expect(out).toBe(`${CASES} cases\n`)
  },
  TEST_TIMEOUT_MS,
)
