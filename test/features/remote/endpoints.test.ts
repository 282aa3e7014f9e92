// Browsers of endpoints: Chromiums and a Playwright server on this machine, some behind an entrance that checks, cuts and counts.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { PLAYWRIGHT_SERIES } from '../../../src/core/browser/playwright/engine.ts'
import { callOrThrow, connect } from '../../support/client.ts'
import { until } from '../../support/leftovers.ts'
import {
  type RemoteProgram,
  startChromium,
  startEntrance,
  startPlaywrightServer,
} from '../../support/remote.ts'
import { reservePort } from '../../support/reserve-port.ts'
import { page, serveSite, type Site } from '../../support/site.ts'

let site: Site
let chromium: RemoteProgram
let other: RemoteProgram
let server: RemoteProgram

beforeAll(async () => {
  site = await serveSite({ '/': page('<h1>Here</h1>', 'Site') })
  ;[chromium, other, server] = await Promise.all([startChromium(), startChromium(), startPlaywrightServer()])
}, 120_000)

afterAll(async () => {
  site.close()
  await Promise.all([chromium, other, server].map((program) => program.close()))
})

const slow = 'new Promise((done) => setTimeout(done, 30_000))'

test('sessions are spread over the endpoints that are well; those of one that is lost crash, the others go on', async () => {
  const [first, second] = [
    await startEntrance(chromium.url, { prefix: '/one' }),
    await startEntrance(other.url),
  ]
  const nobody = `http://me:hunter22@127.0.0.1:${await reservePort()}/x?token=hunter33`
  const args = [nobody, first.url, second.url].flatMap((url) => ['--cdp-endpoint', url])
  const peer = await connect({ args: ['--headless', ...args] })
  const ids: string[] = []
  for (let index = 0; index < 4; index += 1) ids.push(await peer.session())
  expect([first.open(), second.open()]).toEqual([1, 1])
  expect(peer.stderr()).toMatch(
    /no browser responds at http:\/\/127\.0\.0\.1:\d+\/x: the connection was refused; another/,
  )
  const calls = ids.map((sessionId) => peer.call('evaluate', { sessionId, script: slow, timeout: 3000 }))
  first.cut()
  await calls[0]
  // It gets no session before the delay has passed, although it has none now.
  await peer.session()
  expect([first.opened.length, second.open()]).toEqual([1, 1])
  const codes = (await Promise.all(calls)).map(({ data }) => data.errorCode)
  expect(codes).toEqual(['BROWSER_CRASHED', 'TIMEOUT', 'BROWSER_CRASHED', 'TIMEOUT'])
  const { data } = await peer.call('snapshot', { sessionId: ids[0] })
  expect(data.message).toContain(`is lost: the connection to ${first.url} was cut`)
  first.close()
  second.close()
  await until(() => second.open() === 0)
  const none = await peer.call('create_session')
  expect(none.data.message).toContain('none of 3 endpoints has opened a page: ')
  // One whose connection ends just then says that.
  const reasons = /no browser responds at http|the connection to http|the browser crashed/g
  expect(none.data.message.match(reasons)).toHaveLength(3)
  expect(peer.stderr() + JSON.stringify(none.data)).not.toMatch(/hunter/)
  await peer.close()
}, 120_000)

test('what a worker prints is thinned out there too', async () => {
  const peer = await connect({ args: ['--headless', '--cdp-endpoint', chromium.url] })
  const sessionId = await peer.session()
  const code = `for (let n = 0; n < 20000; n += 1) console.log('flood', n)`
  const script = `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(code)}]))); 1`
  await peer.call('navigate', { sessionId, url: site.url })
  await peer.call('evaluate', { sessionId, script })
  const read = async () => (await peer.call('console_messages', { sessionId, limit: 1000 })).data
  await until(async () => (await read()).dropped > 10_000)
  const { entries, dropped } = await read()
  expect(entries[0].message).toMatch(/^flood \d+$/)
  expect(dropped).toBeLessThan(21_000)
  await peer.close()
}, 60_000)

test('an endpoint that falls silent is given up, and create_session connects anew', async () => {
  const entrance = await startEntrance(server.url)
  const peer = await connect({ args: ['--headless', '--connect', entrance.url] })
  const sessionId = await peer.session()
  const startedAt = performance.now()
  entrance.freeze()
  const { data } = await peer.call('evaluate', { sessionId, script: '1 + 1', timeout: 60_000 })
  expect(data).toMatchObject({ errorCode: 'BROWSER_CRASHED' })
  expect(data.message).toContain(`the browser at ${entrance.url} does not answer`)
  expect(performance.now() - startedAt).toBeLessThan(25_000)
  entrance.thaw()
  const next = await peer.session()
  expect((await callOrThrow(peer, 'navigate', { sessionId: next, url: site.url })).title).toBe('Site')
  await peer.close()
  entrance.close()
}, 120_000)

test('a browser of a Playwright server that dies fails its calls with what is lost', async () => {
  const peer = await connect({ args: ['--headless', '--connect', server.url] })
  const sessionId = await peer.session()
  const call = peer.call('evaluate', { sessionId, script: slow, timeout: 60_000 })
  server
    .processes()
    .filter(({ command }) => /headless.shell/.test(command) && !command.includes('--type='))
    .forEach(({ pid }) => process.kill(pid, 'SIGKILL'))
  expect((await call).data).toMatchObject({
    errorCode: 'BROWSER_CRASHED',
    message: expect.stringContaining('Its page, its cookies and what was not saved are gone'),
  })
  await peer.close()
}, 120_000)

const KEY = 'k-9d81f0c2a4'

test('an endpoint gets the headers of the options, whose values no message has', async () => {
  const [cdp, playwright] = [
    await startEntrance(chromium.url, { header: ['x-api-key', KEY] }),
    await startEntrance(server.url, { header: ['authorization', `Bearer ${KEY}`] }),
  ]
  const folder = mkdtempSync(join(tmpdir(), 'fl-secrets-'))
  const secrets = join(folder, 'secrets.env')
  writeFileSync(secrets, `KEY=${KEY}\n`)
  const withSecrets = ['--headless', '--secrets', secrets]
  for (const args of [
    ['--cdp-endpoint', cdp.url, '--endpoint-header', 'X-Api-Key={{KEY}}', '--endpoint-header', 'x-other=1'],
    ['--connect', playwright.url, '--endpoint-header', 'Authorization=Bearer {{KEY}}'],
  ]) {
    const peer = await connect({ args: [...withSecrets, ...args] })
    const sessionId = await peer.session()
    expect((await callOrThrow(peer, 'navigate', { sessionId, url: site.url })).title).toBe('Site')
    await peer.close()
  }
  const plain = await connect({
    args: ['--headless', '--cdp-endpoint', cdp.url, '--endpoint-header', `X-Api-Key=${KEY}`],
  })
  const sessionId = await plain.session()
  const { result } = await callOrThrow(plain, 'evaluate', { sessionId, script: `"the key is ${KEY}"` })
  expect(result).toStartWith('the key is ')
  expect(result).not.toContain(KEY)
  await plain.close()
  const program = join(folder, 'sign')
  writeFileSync(
    program,
    `#!/bin/sh\necho "$FOOTLIGHT_ENDPOINT" >> ${folder}/asked\necho '{"x-api-key":"${KEY}"}'\n`,
    {
      mode: 0o755,
    },
  )
  const signed = await connect({
    args: [
      '--headless',
      '--isolation',
      'browser',
      '--cdp-endpoint',
      cdp.url,
      '--endpoint-header-command',
      program,
    ],
  })
  await Promise.all([signed.session(), signed.session()])
  expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe(`${cdp.url}/\n`.repeat(2))
  await signed.close()
  for (const args of [
    ['--cdp-endpoint', cdp.url, '--endpoint-header', `x-api-key=${KEY}-wrong`],
    ['--cdp-endpoint', cdp.url, '--endpoint-header-command', '/usr/bin/false'],
    ['--connect', playwright.url],
  ]) {
    const peer = await connect({ args: ['--headless', ...args] })
    const { data } = await peer.call('create_session')
    expect(data.message).toMatch(
      /no browser responds at .*(401|the program of --endpoint-header-command failed)/,
    )
    expect(peer.stderr() + JSON.stringify(data)).not.toContain(KEY)
    await peer.close()
  }
  cdp.close()
  playwright.close()
  rmSync(folder, { recursive: true })
}, 120_000)

test('a Playwright server of another version is named with both versions', async () => {
  const agent = 'User-Agent=Playwright/1.50.1 (x64; ubuntu 24.04) node/20.0'
  const peer = await connect({ args: ['--headless', '--connect', server.url, '--endpoint-header', agent] })
  const { data } = await peer.call('create_session')
  expect(data.message).toContain(`its Playwright is ${PLAYWRIGHT_SERIES}, and that of Footlight`)
  expect(data.message).toContain(`Start a server of version ${PLAYWRIGHT_SERIES}`)
  await peer.close()
}, 60_000)

/** A service that creates browsers: each is the same Chromium, by an address of its own. */
async function serveService() {
  const running = new Set<string>()
  const calls: { path: string; key: unknown; body: any }[] = []
  const entrance = await startEntrance(chromium.url)
  const { url, close } = await serveSite({}, async (request, response) => {
    const text = await new Response(request as unknown as ReadableStream).text()
    const path = `${request.method} ${request.url}`
    calls.push({ path, key: request.headers['x-api-key'], body: text === '' ? undefined : JSON.parse(text) })
    const id = /^\/v1\/sessions\/(\w+)\/release$/.exec(request.url ?? '')?.[1]
    if (id !== undefined) running.delete(id)
    else running.add(`s${calls.length}`)
    const connectUrl = `${entrance.url}?signingKey=key-of-s${calls.length}`
    response.end(JSON.stringify({ id: `s${calls.length}`, urls: { connectUrl } }))
  })
  const options = {
    create: { url: `${url}/v1/sessions`, body: { projectId: '{{PROJECT}}', keepAlive: true } },
    connect: '{urls.connectUrl}',
    release: { method: 'POST', url: `${url}/v1/sessions/{id}/release`, body: { status: '{id}' } },
  }
  return { running, calls, options, close: () => (entrance.close(), close()) }
}

test('a service creates a browser for each session, and releases it with its session, also after SIGKILL', async () => {
  const service = await serveService()
  const folder = mkdtempSync(join(tmpdir(), 'fl-service-'))
  const [secrets, config] = [join(folder, 'secrets.json'), join(folder, 'config.json')]
  writeFileSync(secrets, JSON.stringify({ KEY, PROJECT: 'p1' }))
  writeFileSync(
    config,
    JSON.stringify({ secrets, endpointHeader: ['x-api-key={{KEY}}'], endpointCreate: service.options }),
  )
  const start = () => connect({ args: ['--headless', '--config', config] })
  const peer = await start()
  const ids = [await peer.session(), await peer.session()]
  expect(service.running.size).toBe(2)
  expect((await callOrThrow(peer, 'navigate', { sessionId: ids[0], url: site.url })).title).toBe('Site')
  await callOrThrow(peer, 'close_session', { sessionId: ids[0] })
  expect(await until(() => service.running.size === 1)).toBe(true)
  await peer.close()
  expect(await until(() => service.running.size === 0)).toBe(true)
  const [create] = service.calls
  expect(create).toEqual({ path: 'POST /v1/sessions', key: KEY, body: { projectId: 'p1', keepAlive: true } })
  expect(service.calls.slice(2)).toEqual(
    expect.arrayContaining([{ path: 'POST /v1/sessions/s1/release', key: KEY, body: { status: 's1' } }]),
  )
  const killed = await start()
  await Promise.all([killed.session(), killed.session()])
  expect(service.running.size).toBe(2)
  process.kill(killed.pid, 'SIGKILL')
  expect(await until(() => service.running.size === 0)).toBe(true)
  expect(service.calls.filter(({ path }) => path.endsWith('/release'))).toHaveLength(4)
  await killed.client.close()
  await killed.trace.expectNothing()
  service.close()
  rmSync(folder, { recursive: true })
}, 120_000)

/** Whether a process holds the local end of a connection of this machine, by its port. */
function holdsPort(pid: number, port: number): boolean {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  const rows = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((path) => readFileSync(path, 'utf8').split('\n'))
  const inodes = rows.flatMap((row) => {
    const [, local, , , , , , , , inode] = row.trim().split(/\s+/)
    return local?.endsWith(`:${hex}`) && inode !== '0' ? [`socket:[${inode}]`] : []
  })
  return readdirSync(`/proc/${pid}/fd`).some((fd) => {
    try {
      return inodes.includes(readlinkSync(`/proc/${pid}/fd/${fd}`))
    } catch {
      return false
    }
  })
}

test('pages of a Playwright server on another machine reach localhost of this one, by way of Footlight', async () => {
  const elsewhere = await startPlaywrightServer('0.0.0.0')
  const own = await startPlaywrightServer()
  const holders: boolean[] = []
  for (const url of [elsewhere.url.replace(/127\.0\.0\.1|0\.0\.0\.0/, '0.0.0.0'), own.url]) {
    const peer = await connect({ args: ['--headless', '--connect', url] })
    const app = await serveSite({}, (request, response) => {
      holders.push(holdsPort(peer.pid, request.socket.remotePort ?? 0))
      response.end('<title>App</title>')
    })
    const sessionId = await peer.session()
    const address = app.url.replace('127.0.0.1', 'localhost')
    expect((await callOrThrow(peer, 'navigate', { sessionId, url: address })).title).toBe('App')
    const closed = `http://localhost:${await reservePort()}/`
    const { data } = await peer.call('navigate', { sessionId, url: closed })
    expect(data).toMatchObject({ errorCode: 'NAVIGATION_FAILED' })
    expect(data.message).not.toContain('another machine')
    await peer.close()
    app.close()
  }
  expect(new Set(holders)).toEqual(new Set([true, false]))
  expect(holders[0]).toBe(true)
  await Promise.all([elsewhere.close(), own.close()])
}, 120_000)

test('what a browser elsewhere cannot do is said by the call; files and folders are sent to it', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-elsewhere-')))
  const remote = await startChromium(folder)
  mkdirSync(join(folder, 'docs'))
  writeFileSync(join(folder, 'docs/a.txt'), 'a')
  writeFileSync(join(folder, 'large.bin'), Buffer.alloc(60_000_000))
  const upload = await serveSite({
    '/': page(`<a href=/file download>file</a><input type=file id=file><input type=file webkitdirectory id=folder>
      <script>for (const one of document.querySelectorAll('input')) one.onchange = () => {
        document.title = [...one.files].map((file) => file.webkitRelativePath || file.name).join() }</script>`),
    '/file': (_, response) => {
      response.writeHead(200, { 'content-disposition': 'attachment; filename=file.txt' }).end('a file')
    },
  })
  const args = ['--headless', '--cdp-endpoint', remote.url.replace('127.0.0.1', '0.0.0.0')]
  const peer = await connect({ args, cwd: folder, env: { TMPDIR: folder } })
  const sessionId = await peer.session({ headless: true, browser: 'chrome' })
  const opened = await callOrThrow(peer, 'navigate', { sessionId, url: upload.url })
  expect(opened.notes).toEqual([
    'No effect: headless, browser chrome. The browsers of an endpoint run as it starts them.',
  ])
  const title = async () =>
    (await callOrThrow(peer, 'evaluate', { sessionId, script: 'document.title' })).result
  await callOrThrow(peer, 'upload_file', { sessionId, selector: '#file', paths: ['docs/a.txt'] })
  expect(await title()).toBe('a.txt')
  await callOrThrow(peer, 'upload_file', { sessionId, selector: '#folder', paths: ['docs'] })
  expect(await title()).toBe('docs/a.txt')
  const large = await peer.call('upload_file', { sessionId, selector: '#file', paths: ['large.bin'] })
  expect(large.data.message).toContain('the most that CDP sends to a browser elsewhere')
  const { notes = [] } = await callOrThrow(peer, 'click', { sessionId, selector: 'a' })
  await until(async () => {
    notes.push(...((await callOrThrow(peer, 'exists', { sessionId, selector: 'a' })).notes ?? []))
    return notes.length > 0
  })
  expect(notes).toEqual([
    'The download file.txt is on the machine of its browser, and CDP does not read files there.',
  ])
  const app = `require('http').createServer((_, answer) => answer.end('app')).listen(0, '127.0.0.1', function () {
    console.log('http://localhost:' + this.address().port) })`
  writeFileSync(join(folder, 'app.cjs'), app)
  const served = await callOrThrow(peer, 'create_session', { command: 'node app.cjs' })
  const next = await callOrThrow(peer, 'exists', { sessionId: served.sessionId, selector: 'a' })
  expect([served.notes, next.notes].flat().join()).toContain('is not the dev server of this one')
  const ruled = await peer.call('create_session', { allowedDomains: ['127.0.0.1'] })
  expect(ruled.data.message).toContain('allowedDomains cannot be enforced in a browser on another machine')
  await peer.close()
  upload.close()
  await remote.close()
  rmSync(folder, { recursive: true })
}, 120_000)
