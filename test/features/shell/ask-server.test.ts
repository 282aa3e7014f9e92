// What a command says where its server says something else, or nothing.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatAnswer } from '../../../src/features/lib/socket/shell-message.ts'
import { askServer } from '../../../src/features/shell/run-client.ts'

let [folder, server]: [string, Server | undefined] = ['', undefined]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fl-ask-'))
})
afterEach(() => {
  server?.close()
  rmSync(folder, { recursive: true, force: true })
})

const ask = async (serve: (socket: Socket) => void, limitMs?: number) => {
  const path = join(folder, 'a.sock')
  server = createServer((socket) => {
    socket.on('error', () => {})
    serve(socket)
  }).listen(path)
  await once(server, 'listening')
  return askServer(path, { argv: ['snap'], cwd: '/' }, limitMs)
}

test.each([
  'no JSON',
  '[]',
  'null',
  '1',
  '"text"',
  '{"id":1,"error":{"message":7}}',
  '{"id":1,"result":{"_meta":{"footlight/answer":{"text":7}}}}',
  '{"id":1,"result":{"_meta":{"footlight/answer":{"text":"a","exitCode":0,"stream":"file"}}}}',
  '{"id":1,"error":null}',
])('a server that says %s gives no answer, and no stack', async (line) => {
  const answer = await ask((socket) => socket.write(`${line}\n`))
  expect(answer).toMatchObject({ exitCode: 4, stream: 'stderr' })
  expect(answer?.text).toStartWith('footlight: ')
})

test('a server that says nothing is left after a while, one that answers a ping is waited for', async () => {
  expect(await ask(() => {}, 100)).toMatchObject({ exitCode: 124, stream: 'stderr' })
  server?.close()
  rmSync(join(folder, 'a.sock'), { force: true })
  let pings = 0
  const busy = (socket: Socket): void => {
    socket.on('data', (chunk) => {
      if (!String(chunk).includes('"ping"')) return
      pings += 1
      const answer = { text: 'done', exitCode: 0, stream: 'stdout' } as const
      const line = pings < 3 ? { id: 'alive', result: {} } : { id: 1, result: formatAnswer(answer) }
      socket.write(`${JSON.stringify({ jsonrpc: '2.0', ...line })}\n`)
    })
  }
  expect(await ask(busy, 400)).toMatchObject({ text: 'done', exitCode: 0 })
  expect(pings).toBe(3)
})
