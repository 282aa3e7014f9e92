// Whatever a program of the user says on the private socket, the server answers others, and does nothing but what it was told to.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { connect as connectTo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { connect, type Peer } from '../support/client.ts'
import { hostileBytes, nearTo } from '../support/hostile-json.ts'
import { until } from '../support/leftovers.ts'

const CASES = 10_000
const LINES = 20
/** The aim is 1 s, and the machine may be busy. */
const LIMIT_MS = 2500

let [top, folder]: [string, string] = ['', '']
let peer: Peer
let path = ''
beforeAll(async () => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'fl-lines-')))
  folder = join(top, 'project')
  mkdirSync(folder)
  writeFileSync(join(top, 'diary.txt'), 'the words of a diary')
  peer = await connect({ args: ['--headless'], cwd: folder })
  // The socket is there after the first answer.
  await peer.call('list_sessions')
  const sockets = join(peer.trace.env['XDG_RUNTIME_DIR'] ?? '', 'footlight')
  const find = () => existsSync(sockets) && readdirSync(sockets).find((name) => name.endsWith('.sock'))
  await until(() => Boolean(find()))
  path = join(sockets, find() || '')
}, 60_000)
afterAll(async () => {
  await peer.close()
  rmSync(top, { recursive: true, force: true })
})

const commandOf = (argv: string[], more = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'shell',
    arguments: {},
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'footlight-shell', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
      progressToken: 1,
      'footlight/command': { argv, cwd: '/', columns: 80, stdin: 'a', isOnlyExisting: true, ...more },
    },
  },
})
const call = (name: string, input: Record<string, string>) => ({
  ...{ jsonrpc: '2.0', id: 'c', method: 'tools/call' },
  params: { name, arguments: input },
})
const messages = nearTo(
  ...[['list'], ['help'], ['snap', '--json'], ['-s', 'x', 'find', 'a'], ['log', '--lines', '3']].map((argv) =>
    commandOf(argv),
  ),
  commandOf(['status'], { columns: 1 }),
  call('list_sessions', {}),
  call('snapshot', { sessionId: 'x' }),
  call('close_session', { sessionId: 'x' }),
  { jsonrpc: '2.0', id: 2, method: 'footlight/view', params: { kind: 'list', session: 'x' } },
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } },
  { jsonrpc: '2.0', id: 3, method: 'resources/read', params: { uri: 'footlight://sessions/x/files/y' } },
  {
    ...{ jsonrpc: '2.0', id: 'i', method: 'initialize' },
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
  },
)
const hello = fc.oneof(
  { weight: 9, arbitrary: fc.constant(Buffer.from('footlight/1 1.0.0\n')) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 150 }).map((bytes) => Buffer.from(bytes)) },
)

/** How long a ping takes after these lines; undefined where the connection is cut, as one is that does not begin with the hello. */
function pingAfter(first: Buffer, lines: readonly Buffer[]): Promise<number | undefined> {
  return new Promise((resolve) => {
    const socket: Socket = connectTo(path)
    const end = (wait: number | undefined) => {
      resolve(wait)
      socket.destroy()
    }
    socket.on('error', () => {})
    socket.on('close', () => end(undefined))
    let [text, askedAt] = ['', performance.now()]
    socket.on('data', (chunk) => {
      text = text.slice(-100) + String(chunk)
      if (text.includes('"alive"')) end(performance.now() - askedAt)
    })
    for (const part of [first, ...lines.flatMap((line) => [line, Buffer.from('\n')])]) socket.write(part)
    socket.write(`\n${JSON.stringify({ jsonrpc: '2.0', id: 'alive', method: 'ping' })}\n`)
    askedAt = performance.now()
    setTimeout(() => end(Infinity), 30_000).unref()
  })
}

const isHello = (first: Buffer) => /^footlight\/1 \S+\n/.test(first.toString('latin1'))

test('whatever a line says, the server goes on, and reads and writes nothing else', async () => {
  let longest = 0
  const line = hostileBytes(messages).map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 10)))
  const batch = fc.array(line, { minLength: LINES, maxLength: LINES })
  await fc.assert(
    fc.asyncProperty(hello, batch, async (first, lines) => {
      const wait = await pingAfter(first, lines)
      if (!isHello(first)) return expect(wait).toBeUndefined()
      // A message that closes the connection ends it alone: the next one is answered.
      const answered = wait ?? (await pingAfter(Buffer.from('footlight/1 1.0.0\n'), []))
      expect(answered).toBeLessThan(LIMIT_MS)
      longest = Math.max(longest, answered ?? 0)
    }),
    { numRuns: CASES / LINES },
  )
  console.log(`longest wait: ${Math.round(longest)} ms`)
  expect((await peer.call('list_sessions')).data.sessions).toEqual([])
  expect(readdirSync(top).toSorted()).toEqual(['diary.txt', 'project'])
  expect(readdirSync(folder).filter((name) => name !== '.footlight')).toEqual([])
  // All that the server and its browser are: the browser may still start.
  const others = peer.trace.processes().filter(({ command }) => !command.includes('headless'))
  expect(others).toEqual([])
  expect(peer.stderr()).not.toContain('the words of a diary')
}, 900_000)
