// Where a session's server is: at what it announces, in every start, restart and move; and whether it is there is a matter of who
// listens, not of the shell that started it. Each case has sessions of its own, so they share one Footlight and run side by side.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isPortFree } from '../../src/core/devserver/process/free-port.ts'
import { connect, type Peer } from '../support/client.ts'
import { until } from '../support/leftovers.ts'
import { pool } from '../support/pool.ts'
import { reservePort } from '../support/reserve-port.ts'

let peer: Peer
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fl-addr-'))
  peer = await connect({ args: ['--headless', '--max-sessions', '40'] })
}, 300_000)
afterAll(async () => {
  await peer.close()
  rmSync(folder, { recursive: true, force: true })
}, 300_000)

const open = async (input: Record<string, unknown>) => (await peer.call('create_session', input)).data
const call = async (tool: string, sessionId: string, input: Record<string, unknown> = {}) =>
  (await peer.call(tool, { sessionId, ...input })).data

const script = (text: string): string => {
  const path = join(folder, `${crypto.randomUUID()}.mjs`)
  writeFileSync(path, `import { createServer } from 'node:http'\n${text}`)
  return path
}
const page = `response.setHeader('content-type', 'text/html').end('<title>Web</title>')`
/** Four cases at a time. */
const lanes = pool([1, 2, 3, 4])
const inLane =
  <A extends unknown[]>(body: (...row: A) => Promise<void>) =>
  (...row: A) =>
    lanes.with(() => body(...row))
/** Listens on one address, and only then, a while later, announces another. */
const server = (host: string, announced: string | undefined, before = '') =>
  script(`${before}
const port = Number(process.env.PORT)
createServer((request, response) => ${page}).listen({ port, host: '${host}', ipv6Only: true }, () =>
  ${announced === undefined ? '{}' : `setTimeout(() => console.log('  Local:   http://${announced}:' + port + '/'), 400)`})`)

describe('one server', () => {
  test.concurrent.each([
    ['127.0.0.1', 'localhost', 'localhost'],
    ['::1', 'localhost', 'localhost'],
    ['127.0.0.1', '127.0.0.1', '127.0.0.1'],
    ['::1', '[::1]', '[::1]'],
    ['0.0.0.0', '0.0.0.0', 'localhost'],
    ['127.0.0.1', 'app.localhost', 'app.localhost'],
    ['127.0.0.1', undefined, 'localhost'],
    ['::1', undefined, 'localhost'],
  ])(
    'on %s that announces %s is at %s, also after a restart and behind rules',
    inLane(async (host: string, announced: string | undefined, expected: string) => {
      const command = ['node', server(host, announced)]
      for (const rules of [{}, { allowedDomains: ['example.com'] }]) {
        const { sessionId, url, port } = await open({ command, ...rules })
        expect(url).toBe(`http://${expected}:${port}/`)
        expect(await call('navigate', sessionId, { url })).toMatchObject({ title: 'Web', status: 200 })
        if (!('allowedDomains' in rules)) {
          expect(await call('restart_server', sessionId)).toMatchObject({ url, port, previousPort: port })
          expect(await call('navigate', sessionId, { url })).toMatchObject({ title: 'Web', status: 200 })
        }
        expect(await call('get_session_status', sessionId)).toMatchObject({ status: 'running', url, port })
        await call('close_session', sessionId)
      }
    }),
    180_000,
  )

  test.concurrent(
    "another program's port at the other loopback address is not taken for ours",
    inLane(async () => {
      const other = createServer((_, response) =>
        response.setHeader('content-type', 'text/html').end('<title>Other</title>'),
      )
      await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
      const { port } = other.address() as { port: number }
      const { sessionId, url } = await open({ command: ['node', server('::1', 'localhost')], port })
      expect(url).toBe(`http://[::1]:${port}/`)
      expect(await call('navigate', sessionId, { url })).toMatchObject({ title: 'Web', status: 200 })
      other.close()
    }),
    180_000,
  )

  test.concurrent(
    'Firefox reaches localhost where only ::1 listens',
    inLane(async () => {
      const { sessionId, url } = await open({
        browser: 'firefox',
        command: ['node', server('::1', 'localhost')],
      })
      expect(await call('navigate', sessionId, { url })).toMatchObject({ title: 'Web', status: 200 })
    }),
    180_000,
  )

  test.concurrent(
    'what answers without an announcement is taken when the time is up',
    inLane(async () => {
      const busy = `setInterval(() => { const end = Date.now() + 90; while (Date.now() < end); }, 100)`
      const command = ['node', server('127.0.0.1', undefined, busy)]
      const { sessionId, url, port } = await open({ command, readyTimeout: 4000 })
      expect(url).toBe(`http://localhost:${port}/`)
      await call('close_session', sessionId)
    }),
    180_000,
  )
})

// These name ports that are free now, which nothing beside them may take meanwhile: one at a time.
describe('several servers of one command', () => {
  const api = () =>
    script(`createServer((request, response) => response.setHeader('content-type', 'application/json').end('{}'))
  .listen(process.env.PORT, () => console.log('API at http://localhost:' + process.env.PORT))`)
  // Working, as a bundler does, and not merely waiting: that is what it is waited for.
  const web = (port: number) =>
    script(`const end = Date.now() + 2300; while (Date.now() < end);
createServer((request, response) => ${page}).listen(${port}, () => console.log('Web at http://localhost:${port}/'))`)
  const both = (port: number) => `node ${api()} & node ${web(port)} & wait`

  test('the one that answers HTML, although another has the PORT and came first; the same after a restart', async () => {
    const port = await reservePort()
    const { sessionId, url } = await open({ command: both(port) })
    expect(url).toBe(`http://localhost:${port}/`)
    expect(await call('restart_server', sessionId)).toMatchObject({ url, port })
  }, 300_000)

  test('the one that is announced late, although the PORT answers that it takes WebSockets alone and an error was printed', async () => {
    const port = await reservePort()
    const sockets =
      script(`createServer((request, response) => response.writeHead(426).end('Upgrade Required'))
  .listen(process.env.PORT, () => console.error('TypeError: it is no function'))
setTimeout(() => createServer((request, response) => ${page})
  .listen(${port}, () => console.log('Web at http://localhost:${port}/')), 6000)`)
    const { url } = await open({ command: ['node', sockets] })
    expect(url).toBe(`http://localhost:${port}/`)
  }, 300_000)

  const named = (port: number, status: number, delayMs: number) =>
    script(`setTimeout(() => createServer((request, response) => { response.statusCode = ${status}; ${page} })
  .listen(${port}, () => console.log('Web at http://localhost:${port}/')), ${delayMs})`)

  test('of pages the one that was announced last; the other is named', async () => {
    const [first, last] = [await reservePort(), await reservePort()]
    const { url, message } = await open({
      command: `node ${named(first, 200, 0)} & node ${named(last, 200, 1200)} & wait`,
    })
    expect(url).toBe(`http://localhost:${last}/`)
    expect(message).toEndWith(`(also listening: http://localhost:${first}/)`)
  }, 300_000)

  test('the page at PORT, although it is an error and another one is none', async () => {
    const other = await reservePort()
    const atPort = script(`createServer((request, response) => { response.statusCode = 500; ${page} })
  .listen(process.env.PORT)`)
    const { port, message } = await open({ command: `node ${named(other, 200, 0)} & node ${atPort} & wait` })
    expect(message).toContain(`up at http://localhost:${port}/ (also listening: http://localhost:${other}/)`)
  }, 300_000)

  test('a runner that hides PORT is named, in an answer and in a failure', async () => {
    const port = await reservePort()
    const runner = (file: string) =>
      script(`import { spawn } from 'node:child_process'
spawn('node', ['${file}'], { env: { PATH: process.env.PATH }, stdio: 'inherit', detached: true })`)
    const { message } = await open({ command: ['node', runner(named(port, 200, 0))] })
    expect(message).toEndWith(
      '. node does not pass PORT on: pass it on there, or pass the port of the server as "port"',
    )
    const silent = await open({
      command: ['node', runner(script('setInterval(() => {}, 1e6)'))],
      readyTimeout: 2000,
    })
    expect(silent.details.text).toContain('it opened no port; node does not pass PORT on: ')
  }, 300_000)

  test('the one whose port was asked for, by port or by PORT', async () => {
    for (const way of ['port', 'env']) {
      const [asked, other] = [await reservePort(), await reservePort()]
      const wanted = way === 'port' ? { port: asked } : { env: { PORT: String(asked) } }
      const { sessionId, url } = await open({ command: both(other), ...wanted })
      expect(url).toBe(`http://localhost:${asked}/`)
      await call('close_session', sessionId)
    }
  }, 300_000)
})

test('a server that announces another port later is followed: answer, status, rules, restart', async () => {
  const [first, second] = [await reservePort(), await reservePort()]
  const command = [
    'node',
    script(`const open = (port) => {
  const server = createServer((request, response) => {
    ${page}
    if (request.url === '/move') server.close(() => open(${second})), server.closeAllConnections()
  }).listen(port, () => console.log('Local: http://localhost:' + port + '/'))
}
open(${first})`),
  ]
  const { sessionId, url } = await open({ command, allowedDomains: ['example.com'] })
  expect(url).toBe(`http://localhost:${first}/`)
  const leaving = await call('navigate', sessionId, { url: `${url}move` })
  const moved = `http://localhost:${second}/`
  let status: Record<string, unknown> = {}
  expect(
    await until(async () => {
      status = await call('get_session_status', sessionId)
      return status['url'] === moved
    }, 20_000),
  ).toBe(true)
  expect(status).toMatchObject({ status: 'running', healthy: true, port: second })
  const arrived = await call('navigate', sessionId, { url: moved })
  expect(arrived).toMatchObject({ title: 'Web', status: 200 })
  // It may have moved before the answer of the call that made it move.
  const notes = [leaving, arrived].flatMap((answer) => answer.notes ?? [])
  expect(notes).toEqual([`The dev server moved from ${url} to ${moved}`])
  expect((await call('navigate', sessionId, { url: moved })).notes).toBeUndefined()
  expect(await call('restart_server', sessionId)).toMatchObject({ url, previousPort: second })
  expect(await call('navigate', sessionId, { url })).toMatchObject({ title: 'Web', status: 200 })
}, 300_000)

describe('whether it runs', () => {
  const mortal = () =>
    script(`const server = createServer((request, response) => {
  ${page}
  if (request.url === '/die') process.exit(0)
}).listen(process.env.PORT, () => console.log('http://localhost:' + process.env.PORT + '/'))`)

  test.concurrent(
    'a shell that outlives its server does not run it',
    inLane(async () => {
      const { sessionId, url, port } = await open({ command: `node ${mortal()}; sleep 7654` })
      await call('navigate', sessionId, { url })
      expect(await call('get_session_status', sessionId)).toMatchObject({ status: 'running', healthy: true })
      await fetch(`${url}die`).catch(() => {})
      expect(await until(() => isPortFree(port))).toBe(true)
      const why = `no longer listens on port ${port}, although its command still runs`
      expect(await call('get_session_status', sessionId)).toMatchObject({
        status: 'stopped',
        healthy: false,
        message: `It ${why}. Call restart_server.`,
      })
      const failed = await call('click', sessionId, { selector: '#none', timeout: 50 })
      expect(failed.evidence.serverEnded).toBe(why)
      expect(await call('restart_server', sessionId)).toMatchObject({ url, port })
      expect(await call('get_session_status', sessionId)).toMatchObject({ status: 'running' })
    }),
    180_000,
  )

  test.concurrent(
    'a server that outlives its shell runs, and is gone after close',
    inLane(async () => {
      const { sessionId, url, port } = await open({ command: `node ${mortal()} & exit 0` })
      expect(await call('navigate', sessionId, { url })).toMatchObject({ title: 'Web', status: 200 })
      expect(await call('get_session_status', sessionId)).toMatchObject({
        status: 'running',
        healthy: true,
        url,
      })
      const failed = await call('click', sessionId, { selector: '#none', timeout: 50 })
      expect(failed.evidence.serverEnded).toBeUndefined()
      await call('close_session', sessionId)
      expect(await until(() => isPortFree(port))).toBe(true)
    }),
    180_000,
  )
})

test.concurrent(
  'logs are followed by the seq of each answer, over a restart too',
  inLane(async () => {
    const command = [
      'node',
      script(`let count = 0
process.on('SIGTERM', () => { console.log('line last of ' + process.pid); process.exit(0) })
createServer((request, response) => { console.log('line ' + count++); ${page} })
  .listen(process.env.PORT, () => console.log('http://localhost:' + process.env.PORT + '/'))`),
    ]
    const { sessionId, url, pid } = await open({ command })
    let { seq } = await call('read_server_logs', sessionId)
    const seen: string[] = []
    const poll = async (input: Record<string, unknown> = {}) => {
      const read = await call('read_server_logs', sessionId, { since: seq, ...input })
      seen.push(...(read.text.match(/line (\d+|last of \d+)/g) ?? []))
      seq = read.seq
    }
    for (let round = 0; round < 3; round++) {
      await fetch(url)
      await poll()
      await poll()
    }
    expect([...new Set(seen)]).toEqual(seen)
    expect(seen.length).toBeGreaterThanOrEqual(3)
    // It is a number of the session: the other lists go on after it too.
    const count = seen.length
    await fetch(url)
    expect(await until(async () => (await poll(), seen.length > count))).toBe(true)
    const linesSince = async (since: number) =>
      (await call('timeline', sessionId, { since })).entries.map(({ text }: { text: string }) => text)
    expect(await linesSince(0)).toContain(seen.at(-1))
    expect(await linesSince(seq)).not.toContain(seen.at(-1))
    // What nobody read before the restart, and what it printed at its end, is read after it.
    await fetch(url)
    await call('restart_server', sessionId)
    const before = seen.length
    await poll()
    expect(seen.slice(before)).toContain(`line last of ${pid}`)
    const unread = seen.slice(before, seen.indexOf(`line last of ${pid}`))
    expect(unread.length).toBeGreaterThan(0)
    await fetch(url)
    expect(await until(async () => (await poll(), seen.lastIndexOf('line 0') >= before))).toBe(true)
    const recent = await call('read_server_logs', sessionId, { since: Date.now() - 600_000 })
    expect(recent.lineCount).toBeGreaterThan(0)
    const later = await call('read_server_logs', sessionId, { since: Date.now() + 600_000 })
    expect(later).toMatchObject({ lineCount: 0, text: '' })
  }),
  180_000,
)
