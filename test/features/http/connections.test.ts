import { afterAll, expect, test } from 'bun:test'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { Server } from '@modelcontextprotocol/server'
import { createConnections, REQUEST_BODY_LIMIT_BYTES } from '../../../src/features/http/connections.ts'
import { readBody } from '../../../src/features/lib/request-body.ts'

let serverCount = 0
const connections = createConnections(
  () => {
    serverCount += 1
    return new Server({ name: 'test', version: '1' }, { capabilities: { tools: {} } })
  },
  () => {},
)
const http = createServer(async (request, response) => {
  const body = await readBody(request, REQUEST_BODY_LIMIT_BYTES)
  await connections.serve(
    request,
    response,
    { subject: undefined, client: 'a' },
    typeof body === 'string' ? undefined : body,
  )
})
await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
const { port } = http.address() as AddressInfo
afterAll(async () => {
  await connections.end()
  http.closeAllConnections()
  http.close()
})

const post = (message: object) =>
  fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  })

test('only initialize makes a server; a call without a session is refused without one', async () => {
  const refused = await post({ method: 'tools/call', params: { name: 'click', arguments: {} } })
  expect([refused.status, await refused.json()]).toMatchObject([400, { error: { code: -32_000 } }])
  expect(serverCount).toBe(0)
  const clientInfo = { name: 'test', version: '1' }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  expect((await post({ method: 'initialize', params })).status).toBe(200)
  expect([serverCount, connections.count()]).toEqual([1, 1])
})

test('the bodies of a client that have not arrived have a limit together, and others have theirs', async () => {
  const begin = (client: string) => {
    const body = new PassThrough()
    body.on('error', () => {})
    body.write(Buffer.alloc(3_000_000, ' '))
    const request = Object.assign(body, { headers: {} }) as unknown as IncomingMessage
    return { body, reading: readBody(request, 4_000_000, client) }
  }
  const all = Array.from({ length: 20 }, () => begin('one'))
  const refusals = all.slice(13).map(({ reading }) => reading)
  expect(await Promise.all(refusals)).toEqual(refusals.map(() => 'too large'))
  const other = begin('two')
  other.body.end('1')
  expect(await other.reading).toMatchObject({ value: 1 })
  for (const { body } of all) body.end('1')
  for (const { reading } of all.slice(0, 13)) expect(await reading).toMatchObject({ value: 1 })
  // They are counted no more.
  const late = begin('one')
  late.body.end('1')
  expect(await late.reading).toMatchObject({ value: 1 })
})
