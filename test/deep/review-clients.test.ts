// The third review's proofs with clients over HTTP, other programs and browsers elsewhere, against the executable: none of them costs others
// their server, its memory or its files.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { WebSocketServer } from 'ws'
import { callOrThrow, connect, type Peer } from '../support/client.ts'
import { connectOverHttp, type HttpServer, serveOverHttp } from '../support/http.ts'
import { startChromium } from '../support/remote.ts'
import { openShell } from '../support/shell.ts'
import { serveSite } from '../support/site.ts'

/** What a flood may take of memory. */
const FLOOD_LIMIT_BYTES = 600_000_000

let folder = ''
const closers: (() => unknown)[] = []
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-review-')))
})
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
  rmSync(folder, { recursive: true, force: true })
})

async function serveHttp(...args: string[]): Promise<HttpServer> {
  const limits = ['--rate-limit', '100000', '--session-rate-limit', '1000']
  const server = await serveOverHttp([...limits, ...args], {}, folder)
  closers.push(() => server.close())
  return server
}
async function openClient({ url }: HttpServer) {
  const client = await connectOverHttp(url)
  closers.push(() => client.close())
  return client
}

const memoryOf = (pid: number, field: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) *
  1024

/** The most memory above rest that the server has had meanwhile. */
async function floodOf(name: string, pid: number, work: () => Promise<unknown>): Promise<number> {
  const rest = memoryOf(pid, 'VmRSS')
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  let highest = rest
  const timer = setInterval(() => (highest = Math.max(highest, memoryOf(pid, 'VmRSS'))), 20)
  await work()
  clearInterval(timer)
  console.log(`${name}: ${Math.round((highest - rest) / 1e6)} MB above ${Math.round(rest / 1e6)}`)
  return highest - rest
}

test('f14, f15: what a caller asks for wrongly is no failure of the browser', async () => {
  const server = await serveHttp()
  const client = await openClient(server)
  const wrong = [
    { headless: false, isolation: 'browser' },
    { timezone: 'No/Where' },
    { isolation: 'browser', timezone: 'No/Where' },
    { isolation: 'browser', locale: 'not a locale' },
  ]
  for (const input of wrong)
    for (let time = 0; time < 4; time += 1) {
      const { data } = await client.call('create_session', input)
      if ('timezone' in input || 'locale' in input) expect(data.errorCode).toBe('INVALID_PARAMETERS')
    }
  expect((await fetch(new URL('/health', server.url))).status).toBe(200)
  expect((await fetch(new URL('/health?live', server.url))).status).toBe(200)
  await client.session({ isolation: 'browser' })
}, 120_000)

const bytes = Buffer.alloc(95_000_000, 'x')
const download = (_: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(200, { 'content-disposition': 'attachment; filename=a.bin' }).end(bytes)

test('h12: what closed sessions of a client leave has a limit', async () => {
  const site = await serveSite({ '/': '<a href="/a.bin">Get</a>', '/a.bin': download })
  closers.push(() => site.close())
  const client = await openClient(await serveHttp('--allowed-hosts', new URL(site.url).host))
  const output = join(folder, '.footlight')
  mkdirSync(output)
  const files = () =>
    readdirSync(output, { recursive: true, encoding: 'utf8' }).map(
      (name) => statSync(join(output, name)).size,
    )
  for (let round = 1; round <= 8; round += 1) {
    const sessionId = await client.session()
    await callOrThrow(client, 'navigate', { sessionId, url: site.url })
    await callOrThrow(client, 'click', { sessionId, selector: 'a' })
    const whole = () => files().filter((size) => size === bytes.length).length
    for (const before = Math.min(round, 6); whole() < before;) await Bun.sleep(50)
    await callOrThrow(client, 'close_session', { sessionId })
  }
  const sum = files().reduce((total, size) => total + size, 0)
  console.log(`h12: ${Math.round(sum / 1e6)} MB`)
  expect(sum).toBeLessThan(500_100_000)
  expect(readdirSync(output)).toHaveLength(6)
}, 120_000)

test('h04: what is kept for connections that may come again is bounded', async () => {
  const server = await serveHttp()
  const first = await openClient(server)
  const sessionId = await first.session()
  const script = `'x'.repeat(30_000_000)`
  const { data } = await first.call('evaluate', { sessionId, script })
  const name = readdirSync(join(folder, '.footlight', sessionId.slice(0, 8)))[0] ?? JSON.stringify(data)
  const uri = `footlight://sessions/${sessionId}/files/${name}`
  writeFileSync(join(folder, '.footlight', sessionId.slice(0, 8), name), 'x'.repeat(30_000_000))
  const above = await floodOf('h04', server.pid, async () => {
    for (let count = 0; count < 20; count += 1) {
      const client = await openClient(server)
      await client.client
        .readResource({ uri })
        .catch((error: Error) => console.log(error.message.slice(0, 100)))
    }
    await Bun.sleep(1000)
  })
  const rest = memoryOf(server.pid, 'VmRSS')
  console.log(`h04: ${Math.round(rest / 1e6)} MB at rest afterwards`)
  expect(above).toBeLessThan(FLOOD_LIMIT_BYTES)
}, 180_000)

test('h09: a HAR file of 90 MB of nothing', async () => {
  const server = await serveHttp('--tools', 'all')
  const client = await openClient(server)
  const sessionId = await client.session()
  for (const megabytes of [90, 19]) {
    const text = `{"log":{"entries":[${'[],'.repeat((megabytes * 1e6) / 3)}{}]}}`
    writeFileSync(join(folder, 'a.har'), text)
    const above = await floodOf(`h09, ${megabytes} MB`, server.pid, async () => {
      const { data } = await client.call('mock', { sessionId, har: 'a.har' })
      console.log(data.message.slice(0, 150))
    })
    expect(above).toBeLessThan(FLOOD_LIMIT_BYTES)
  }
}, 180_000)

test('r11c: over HTTP an extension that was listed passes no rule either', async () => {
  mkdirSync(join(folder, 'listed'))
  const manifest = {
    manifest_version: 3,
    name: 'a',
    version: '1',
    permissions: ['declarativeNetRequest', 'proxy'],
  }
  writeFileSync(join(folder, 'listed', 'manifest.json'), JSON.stringify(manifest))
  const client = await openClient(await serveHttp('--browser', 'chromium', '--extensions', 'listed'))
  const { data } = await client.call('create_session', { extension: 'listed' })
  expect([data.errorCode, data.message.includes('proxy')]).toEqual(['ACCESS_DENIED', true])
}, 60_000)

test('f08: a profile that is in use, with a lock of last year', async () => {
  const env = { XDG_STATE_HOME: join(folder, 'state') }
  const [one, two] = [await connect({ env }), await connect({ env })]
  await one.session({ profile: 'work' })
  const all = readdirSync(env.XDG_STATE_HOME, { recursive: true, encoding: 'utf8' })
  const locks = all.filter((name) => name.endsWith('.lock'))
  expect(locks.length).toBeGreaterThan(0)
  for (const name of locks) utimesSync(join(env.XDG_STATE_HOME, name), 1_700_000_000, 1_700_000_000)
  const { failed, data } = await two.call('create_session', { profile: 'work' })
  expect([failed, data.message.includes('work')]).toEqual([true, true])
  await one.close()
  await two.close()
}, 60_000)

test('u02: a socket folder to which a group may write', async () => {
  const shell = openShell()
  const runtime = join(shell.folder, 'runtime')
  mkdirSync(join(runtime, 'footlight'), { recursive: true, mode: 0o700 })
  chmodSync(join(runtime, 'footlight'), 0o770)
  const answer = await shell.runWith({ env: { XDG_RUNTIME_DIR: runtime } }, 'open', 'about:blank')
  expect(answer.code).not.toBe(0)
  expect(statSync(join(runtime, 'footlight')).mode & 0o777).toBe(0o770)
  await shell.close()
}, 60_000)

/** A browser elsewhere that says so many lines that are no JSON, or so many megabytes. */
async function startLoudBrowser(
  say: { readonly lines: number } | { readonly megabytes: number },
): Promise<string> {
  if ('megabytes' in say) {
    const program = resolve(import.meta.dir, '../fixtures/loud-browser.ts')
    const child = Bun.spawn([process.execPath, program, String(say.megabytes)], { stdout: 'pipe' })
    closers.push(() => child.kill())
    const { value } = await child.stdout.getReader().read()
    return new TextDecoder().decode(value).trim()
  }
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise<void>((listening) => server.once('listening', () => listening()))
  closers.push(() => server.close())
  server.on('connection', (socket) => {
    socket.on('error', () => {})
    for (let count = 0; count < say.lines; count += 1) socket.send('hello')
  })
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test.each<[string, string, Parameters<typeof startLoudBrowser>[0]]>([
  ['e01: no JSON', '--cdp-endpoint', { lines: 60 }],
  ['e01: no JSON of a Playwright server', '--connect', { lines: 60 }],
  ['e14: 350 MB', '--cdp-endpoint', { megabytes: 350 }],
  ['e14: 350 MB of a Playwright server', '--connect', { megabytes: 350 }],
  ['60 MB', '--cdp-endpoint', { megabytes: 60 }],
  ['60 MB of a Playwright server', '--connect', { megabytes: 60 }],
])(
  '%s ends that connection alone',
  async (name, option, say) => {
    const chromium = await startChromium()
    closers.push(() => chromium.close())
    const url = await startLoudBrowser(say)
    const isPlaywright = option === '--connect'
    const args = isPlaywright ? ['--connect', url] : ['--cdp-endpoint', chromium.url, '--cdp-endpoint', url]
    const peer = await connect({ args: ['--headless', ...args] })
    closers.push(() => peer.close())
    let longest = 0
    const above = await floodOf(name, peer.pid, async () => {
      let isDone = false
      const opening = Promise.all(Array.from({ length: 4 }, () => peer.call('create_session', {}))).finally(
        () => (isDone = true),
      )
      while (!isDone) {
        const before = performance.now()
        await callOrThrow(peer, 'list_sessions')
        longest = Math.max(longest, performance.now() - before)
      }
      const opened = (await opening).filter(({ failed }) => !failed)
      if (!isPlaywright) expect(opened.length).toBeGreaterThan(0)
    })
    console.log(`${name}: others waited ${Math.round(longest)} ms`)
    expect(above).toBeLessThan(FLOOD_LIMIT_BYTES)
    expect(longest).toBeLessThan(2500)
    const { sessions } = await callOrThrow(peer, 'list_sessions')
    for (const { sessionId } of sessions)
      expect((await callOrThrow(peer, 'evaluate', { sessionId, script: '6 * 7' })).result).toBe(42)
  },
  120_000,
)

const endless = (_: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const chunk = Buffer.alloc(1_000_000, ' ')
  const write = (): void => void (response.destroyed || response.write(chunk, write))
  write()
}

const serviceOf = (create: object) =>
  JSON.stringify({ create, connect: '{url}', release: { method: 'DELETE', url: 'http://127.0.0.1:9/{id}' } })

test.each([
  ['e07: of a Grid', (url: string) => ['--grid', url]],
  ['e11: of an endpoint', (url: string) => ['--cdp-endpoint', url]],
  ['e11: of a service', (url: string) => ['--endpoint-create', serviceOf({ url })]],
])(
  '%s: an answer without an end has one',
  async (name, argsOf) => {
    const site = await serveSite({}, endless)
    closers.push(() => site.close())
    const peer = await connect({ args: ['--headless', ...argsOf(site.url)] })
    closers.push(() => peer.close())
    const above = await floodOf(name, peer.pid, async () => {
      const { failed, data } = await peer.call('create_session')
      expect(failed).toBe(true)
      console.log(data.message.slice(0, 150))
    })
    expect(above).toBeLessThan(FLOOD_LIMIT_BYTES)
  },
  120_000,
)

test('e05, e06: keys of a Grid stay with its hub', async () => {
  const keys: unknown[] = []
  const other = await serveSite({}, (request, response) => {
    keys.push(request.url, request.headers['x-api-key'])
    response.end('{"value":{"sessionId":"a","capabilities":{}}}')
  })
  const hub = await serveSite({}, (request, response) => {
    if (request.method === 'POST' && request.url === '/session')
      return void response.writeHead(307, { location: `${other.url}/session` }).end()
    const session = { sessionId: '../../containers/precious', capabilities: { 'se:name': 'footlight' } }
    const node = {
      id: 'n',
      uri: other.url.replace('127.0.0.1', 'localhost'),
      availability: 'UP',
      maxSessions: 5,
      slots: [{ session }, { session: null }],
    }
    response.end(JSON.stringify({ value: { ready: true, nodes: [node] } }))
  })
  closers.push(
    () => hub.close(),
    () => other.close(),
  )
  const args = ['--headless', '--grid', hub.url, '--endpoint-header', 'X-Api-Key=Zq81hfLw02mcXx7vB4tG']
  const peer = await connect({ args })
  const { failed, data } = await peer.call('create_session')
  expect(failed).toBe(true)
  console.log(data.message.slice(0, 200))
  await peer.close()
  expect(keys).toEqual([])
  expect(hub.hits).toContain('/session')
}, 60_000)

test('e09, e10b, f13: keys of a service are hidden, and a header command that hangs ends with what it started', async () => {
  const key = 'Zq81hfLw02mcXx7vB4tG'
  const site = await serveSite(
    {},
    (request, response) => void response.writeHead(500).end(`no room for ${request.url} ${key}`),
  )
  closers.push(() => site.close())
  const service = serviceOf({ url: `${site.url}/${key}/new`, body: { code: key } })
  for (const args of [
    ['--endpoint-create', service],
    ['--cdp-endpoint', `${site.url}/${key}/cdp`],
  ]) {
    const peer: Peer = await connect({ args: ['--headless', ...args] })
    const answer = await peer.call('create_session')
    expect(answer.failed).toBe(true)
    expect(JSON.stringify(answer) + peer.stderr()).not.toContain(key)
    await peer.close()
  }
  const program = join(folder, 'headers.sh')
  writeFileSync(program, '#!/bin/sh\nsleep 987 &\nsleep 987\n', { mode: 0o755 })
  const peer = await connect({
    args: ['--headless', '--cdp-endpoint', site.url, '--endpoint-header-command', program],
    env: { FOOTLIGHT_LAUNCH_TIMEOUT: '3000' },
  })
  expect((await peer.call('create_session')).failed).toBe(true)
  expect(peer.trace.processes().filter(({ command }) => command.includes('sleep 987'))).toEqual([])
  await peer.close()
}, 120_000)
