// What stands at the socket of the coverage and is no process as Footlight has made it: it loses its connection, and the others are read.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDeadline } from '../../../../src/core/base/system/race-deadline.ts'
import {
  openServerCoverage,
  type ServerCoverage,
} from '../../../../src/features/verify/node/server-coverage.ts'
import { until } from '../../../support/leftovers.ts'

const FILE = '/a.js'
const folder = mkdtempSync(join(tmpdir(), 'fl-floods-'))
const sockets: Socket[] = []
let coverage: ServerCoverage
beforeAll(async () => {
  coverage = await openServerCoverage(folder)
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await coverage.end()
  rmSync(folder, { recursive: true, force: true })
})

const line = (value: unknown) => `${JSON.stringify(value)}\n`
const script = { scriptId: '1', url: `file://${FILE}`, functions: [] }
type Answer = (question: { id: number; take?: true; texts?: string[] }, socket: Socket) => string | void

async function open(threadId: number, answer: Answer): Promise<Socket> {
  const socket = connect(coverage.socket)
  sockets.push(socket)
  let rest = ''
  socket.on('error', () => {}).setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const one of lines) socket.write(answer(JSON.parse(one), socket) ?? '')
  })
  socket.write(line({ pid: 1, threadId, startedAt: 1, cwd: '/' }))
  await until(() => coverage.processes().some((one) => one.threadId === threadId) || socket.destroyed)
  return socket
}

const take = () =>
  coverage.take(
    new Set([FILE]),
    createDeadline(60_000, new AbortController().signal, () => performance.now()),
  )
const isCounted = (threadId: number) => coverage.processes().some((one) => one.threadId === threadId)

const honest: Answer = ({ id, take: isTake }) =>
  (isTake ? line({ id, script }) : line({ id, text: ['1', 'go()'] })) + line({ id })
const long = 'x'.repeat(9_000_000)

test.each<[string, Answer]>([
  ['a line without an end', ({ id }) => `{"id":${id},"x":"${'x'.repeat(11_000_000)}`],
  ['a line of three million lists', ({ id }) => `{"id":${id},"x":[${'[],'.repeat(3_000_000)}0]}\n`],
  ['more than all processes answer', ({ id }) => line({ id, script: { ...script, long } }).repeat(8)],
  ['more scripts than a server has', ({ id }) => line({ id, script }).repeat(10_002)],
  [
    'texts of more than all processes answer',
    ({ id, take: isTake }) =>
      isTake ? honest({ id, take: true }, undefined as never) : line({ id, text: ['1', long] }).repeat(8),
  ],
  ['answers that nobody asked for', ({ id }) => line({ id: id + 1 })],
  ['what is no script', ({ id }) => line({ id, script: { scriptId: 1, url: {}, functions: 'x' } })],
  ['no JSON', () => 'x\n'],
])(
  '%s',
  async (_, answer) => {
    await open(1, honest)
    await open(2, answer)
    expect((await take()).map(({ threadId }) => threadId)).toEqual([1])
    await until(() => !isCounted(2))
    expect(isCounted(1)).toBe(true)
    for (const socket of sockets.splice(0)) socket.destroy()
    await until(() => coverage.processes().length === 0)
  },
  90_000,
)

test('more connections than a server has processes', async () => {
  const opened = await Promise.all(Array.from({ length: 300 }, (_, index) => open(index, honest)))
  await until(() => opened.filter(({ destroyed }) => destroyed).length === 100)
  expect(coverage.processes()).toHaveLength(200)
}, 90_000)
