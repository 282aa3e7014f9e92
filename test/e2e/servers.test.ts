// What a dev server must not lose, leak or be blamed for: each of these once went wrong.

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isPortFree } from '../../src/core/devserver/process/free-port.ts'
import { closeSessions, connect, type Peer } from '../support/client.ts'
import { until } from '../support/leftovers.ts'
import { reservePort } from '../support/reserve-port.ts'

let peer: Peer
let folder: string
beforeAll(async () => {
  peer = await connect({ args: ['--headless', '--max-sessions', '3'] })
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fl-srv-'))
})
afterEach(async () => {
  await closeSessions(peer)
  rmSync(folder, { recursive: true, force: true })
})
afterAll(() => peer.close())
const open = async (input: Record<string, unknown>) => (await peer.call('create_session', input)).data
const node = (handle: string, before = '') => [
  'node',
  '-e',
  `${before}; require('http').createServer((request, response) => { ${handle} }).listen(process.env.PORT, '127.0.0.1')`,
]
const slowToEnd = node(
  `response.end('up')`,
  `process.on('SIGTERM', () => setTimeout(() => process.exit(0), 700))`,
)

test('a session that is closed while its server restarts leaves no server', async () => {
  const { sessionId, port } = await open({ command: slowToEnd })
  const restarting = peer.call('restart_server', { sessionId })
  await peer.call('list_sessions')
  expect((await peer.call('close_session', { sessionId })).data).toMatchObject({ success: true })
  expect((await restarting).failed).toBe(true)
  expect(await until(() => isPortFree(port))).toBe(true)
})

test('two restarts at once come one after the other, and the server runs', async () => {
  const { sessionId, url } = await open({ command: slowToEnd })
  const both = await Promise.all([1, 2].map(() => peer.call('restart_server', { sessionId })))
  expect(both.map(({ failed }) => failed)).toEqual([false, false])
  expect((await peer.call('get_session_status', { sessionId })).data).toMatchObject({
    status: 'running',
    url,
  })
})

test('after a restart that failed the status, the logs and the evidence tell of that one, and a next restart may mend it', async () => {
  const flag = join(folder, 'broken')
  const { sessionId, url } = await open({
    command: node(
      `response.end('up')`,
      `if (require('fs').existsSync('${flag}')) { console.error('config is broken'); process.exit(3) }`,
    ),
  })
  writeFileSync(flag, '')
  expect((await peer.call('restart_server', { sessionId })).data).toMatchObject({
    errorCode: 'SERVER_START_FAILED',
    details: { exitCode: 3, stderr: ['config is broken'] },
  })
  expect((await peer.call('get_session_status', { sessionId })).data).toMatchObject({ status: 'stopped' })
  expect((await peer.call('read_server_logs', { sessionId, logType: 'stderr' })).data.text).toBe(
    'config is broken',
  )
  expect((await peer.call('click', { sessionId, selector: '#x', timeout: 50 })).data.message).toMatch(
    /^The dev server did not restart\./,
  )
  rmSync(flag)
  expect((await peer.call('restart_server', { sessionId })).data).toMatchObject({ url })
  expect((await peer.call('get_session_status', { sessionId })).data).toMatchObject({ status: 'running' })
})

test('a command that cannot be given to any program costs no place', async () => {
  for (const input of [
    { command: [''] },
    { command: ['node', 'a\0b'] },
    { commandPath: '/bin/echo\0' },
    { command: ['node', ''], cwd: '/nope' },
  ]) {
    expect((await open(input)).errorCode).toMatch(/^(SERVER_START_FAILED|INVALID_PARAMETERS)$/)
  }
  expect((await peer.call('list_sessions')).data.sessions).toEqual([])
  for (let i = 0; i < 3; i += 1) await peer.session()
})

const contract = (start: string, more = '') => {
  const path = join(folder, 'serve')
  const answer = `printf '{"status":"ready","url":"http://127.0.0.1:%s/","port":%s,"pid":%s,"startedAt":"x","logs":{"stdout":"${folder}/out","stderr":"${folder}/err","combined":"${folder}/all"},"message":"m"}'`
  writeFileSync(
    path,
    `#!/bin/bash\ncase $1 in\n--start) ${start}; ${answer} $port $port $pid ;;\n--shutdown) ${more} printf '{"status":"stopped"}' ;;\nesac\n`,
    { mode: 0o755 },
  )
  return path
}
const inherited = `node -e 'require("http").createServer((q, r) => { console.log("asked"); console.error("asked"); r.end("x") }).listen(0, "127.0.0.1", function () { require("fs").writeFileSync(process.env.F, String(this.address().port)) })'`

test('a contract server that inherited our pipes goes on when its command has ended', async () => {
  const start = `export F=${folder}/port; ${inherited} & pid=$!; while [ ! -s $F ]; do sleep 0.05; done; port=$(cat $F)`
  const { sessionId, url, pid } = await open({ commandPath: contract(start, 'true;') })
  for (let i = 0; i < 5; i += 1)
    expect((await peer.call('navigate', { sessionId, url })).data).toMatchObject({ status: 200 })
  await peer.call('close_session', { sessionId })
  expect(await until(() => spawnSync('kill', ['-0', String(pid)]).status !== 0)).toBe(true)
})

test('a process that a command only names is never killed', async () => {
  const other = spawn('sleep', ['600'], { stdio: 'ignore' })
  await new Promise((done) => setTimeout(done, 50))
  const { sessionId } = await open({ commandPath: contract(`port=1; pid=${other.pid}`) })
  await peer.call('close_session', { sessionId })
  expect(other.exitCode).toBeNull()
  expect(spawnSync('kill', ['-0', String(other.pid)]).status).toBe(0)
  other.kill('SIGKILL')
})

test('a log that is a pipe does not hold us up', async () => {
  const start = `mkfifo ${folder}/all ${folder}/err ${folder}/out; sleep 100 > /dev/null 2>&1 & pid=$!; port=1`
  const { sessionId } = await open({ commandPath: contract(start) })
  expect((await peer.call('read_server_logs', { sessionId })).data).toMatchObject({
    errorCode: 'LOG_READ_FAILED',
    details: { reason: 'it is not a regular file' },
  })
})

test('what a server answered instead, and its last words without a newline, are in the failure', async () => {
  const port = await reservePort()
  const sick = await open({
    command: node('response.statusCode = 500; response.end()'),
    port,
    readyUrl: `http://127.0.0.1:${port}/`,
    readyTimeout: 5000,
  })
  expect(sick).toMatchObject({
    details: { reason: 'timeout', text: expect.stringContaining('responds with 500') },
  })
  expect(await open({ command: `printf 'BOOM without newline' >&2; exit 1` })).toMatchObject({
    details: { stderr: ['BOOM without newline'] },
  })
})

test('a readyUrl that drips is given up in time; a debugger is no application', async () => {
  const drip = node(
    `response.writeHead(200); `,
    `const net = require('net'); net.createServer((s) => { const t = setInterval(() => s.write('H'), 100); s.on('close', () => clearInterval(t)); s.on('error', () => {}) }).listen(process.env.DRIP, '127.0.0.1')`,
  )
  const port = await reservePort()
  const since = performance.now()
  expect(
    await open({
      command: drip,
      env: { DRIP: String(port) },
      readyUrl: `http://127.0.0.1:${port}/`,
      readyTimeout: 800,
    }),
  ).toMatchObject({ errorCode: 'SERVER_START_FAILED' })
  expect(performance.now() - since).toBeLessThan(45_000)
  const late = [
    'node',
    '--inspect=0',
    '-e',
    `setTimeout(() => require('http').createServer((q, r) => r.end('app')).listen(process.env.PORT, '127.0.0.1'), 2500)`,
  ]
  const opened = await open({ command: late })
  // Bun puts a matcher in the place of what it matches, so the answer is shown like this.
  if (!opened.url) throw new Error(JSON.stringify(opened))
  const { sessionId, url } = opened
  expect((await peer.call('navigate', { sessionId, url })).data).toMatchObject({ status: 200 })
})

test('fields of the other mode are refused', async () => {
  expect(await open({ command: 'node', args: ['x.js'] })).toMatchObject({
    errorCode: 'INVALID_PARAMETERS',
    details: { field: 'command' },
  })
  expect(await open({ commandPath: '/bin/true', port: 80 })).toMatchObject({
    errorCode: 'INVALID_PARAMETERS',
  })
})

test('a server ends with the longest life of its session, also under steady calls', async () => {
  const own = await connect({ args: ['--headless', '--session-timeout', '1000', '--max-lifetime', '1500'] })
  const { sessionId, port, message } = (await own.call('start_session', { command: slowToEnd })).data
  expect(message).toContain('Session and server close after 1 s without a call.')
  const last = async () => (await own.call('exists', { sessionId, selector: 'html' })).data
  expect(await until(async () => (await last()).errorCode === 'SESSION_EXPIRED')).toBe(true)
  expect(await last()).toMatchObject({
    message: expect.stringMatching(
      /1500 ms; its page, cookies, dev server and logs are no longer available.*create_session.*--max-lifetime/,
    ),
    details: { reason: 'lifetime', after: 1500, server: true },
  })
  expect(await until(() => isPortFree(port))).toBe(true)
  await own.close()
})
