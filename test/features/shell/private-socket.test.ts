import { afterEach, beforeEach, expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { Server } from '@modelcontextprotocol/server'
import { formatCommand, helloOf, parseAnswer } from '../../../src/features/lib/socket/shell-message.ts'
import {
  type AnswerCommand,
  listenOnPrivateSocket,
  type PrivateSocket,
} from '../../../src/features/shell/private-socket.ts'

let [folder, path] = ['', '']
let listening: PrivateSocket | undefined
const clients: Socket[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fl-socket-'))
  path = join(folder, 'a.sock')
})
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy()
  listening?.close()
  rmSync(folder, { recursive: true, force: true })
})

const answerWithWords: AnswerCommand = async ({ argv }) => ({
  text: argv.join(' '),
  exitCode: 0,
  stream: 'stdout',
})

async function listen(answerCommand: AnswerCommand = answerWithWords): Promise<void> {
  listening = await listenOnPrivateSocket({
    path,
    answerCommand,
    createServer: () => new Server({ name: 'x', version: '1' }, { capabilities: {} }),
    listenToResources: () => () => {},
    answerView: async () => ({}),
    onError: () => {},
    onFirstAnswer: () => {},
  })
}

/** Sends bytes; what comes back, once the other end has closed or there is a whole line. */
function send(text: string): { readonly socket: Socket; readonly reply: Promise<string> } {
  const socket = connect(path, () => socket.write(text))
  clients.push(socket)
  const reply = new Promise<string>((resolve) => {
    let received = ''
    socket.on('data', (chunk) => {
      received += String(chunk)
      if (received.endsWith('\n')) resolve(received)
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
  })
  return { socket, reply }
}

const command = (...argv: string[]) => formatCommand({ argv, cwd: '/' }, '1')

test('a command is answered, with its words as they were written', async () => {
  await listen()
  const { reply } = send(helloOf('1') + command('type', 'e1', 'two  "words"\n'))
  expect(parseAnswer({ value: JSON.parse(await reply), size: 0 })).toEqual({
    text: 'type e1 two  "words"\n',
    exitCode: 0,
    stream: 'stdout',
  })
})

test('a client that does not say who it is gets nothing, not even an error', async () => {
  await listen()
  const request = `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n${command('open')}`
  expect(await send(request).reply).toBe('')
  expect(await send(command('open')).reply).toBe('')
  expect(await send('x'.repeat(5000)).reply).toBe('')
  expect(await send('footlight/2 1\n').reply).toBe('')
})

test('a hello that arrives byte by byte counts, and what follows it in the same packet is read', async () => {
  await listen()
  const { socket, reply } = send('')
  for (const char of helloOf('1')) socket.write(char)
  socket.write(command('list'))
  expect(await reply).toContain('"text":"list"')
})

test('after the hello it is MCP', async () => {
  await listen()
  const request = {
    jsonrpc: '2.0',
    id: 7,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
  }
  expect(JSON.parse(await send(`${helloOf('1')}${JSON.stringify(request)}\n`).reply)).toMatchObject({
    id: 7,
    result: { serverInfo: { name: 'x' } },
  })
})

test('a client that goes away cancels its command', async () => {
  const cancelled = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  await listen((_, { signal }) => {
    started.resolve()
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        cancelled.resolve()
        resolve({ text: '', exitCode: 1, stream: 'stdout' })
      })
    })
  })
  const { socket } = send(helloOf('1') + command('wait'))
  await started.promise
  socket.destroy()
  await cancelled.promise
})

test("the socket is the user's alone, has its name only while somebody listens, and is gone afterwards", async () => {
  await listen()
  expect(readdirSync(folder)).toEqual(['a.sock'])
  expect(statSync(path).mode & 0o777).toBe(0o600)
  listening?.close()
  expect(readdirSync(folder)).toEqual([])
})

test.skipIf(process.platform === 'win32')(
  'with loosened modes of the socket or its folder nobody is answered',
  async () => {
    await listen()
    const ask = () => send(helloOf('1') + formatCommand({ argv: ['x'], cwd: '/' }, '1')).reply
    expect(await ask()).not.toBe('')
    chmodSync(path, 0o660)
    expect(await ask()).toBe('')
    chmodSync(path, 0o600)
    chmodSync(folder, 0o750)
    expect(await ask()).toBe('')
    chmodSync(folder, 0o700)
    expect(await ask()).not.toBe('')
  },
)
