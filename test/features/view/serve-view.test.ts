// Who gets nothing from the listener of the view, and how it shows the sessions of several servers.

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import {
  createServer,
  type OutgoingHttpHeaders,
  request as requestHttp,
  type Server as HttpServer,
} from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { Server } from '@modelcontextprotocol/server'
import type { Page } from 'playwright'
import { listenOnPrivateSocket, type PrivateSocket } from '../../../src/features/shell/private-socket.ts'
import { serveView, type View } from '../../../src/features/view/serve-view.ts'
import { answerViewCall } from '../../../src/features/view/view-calls.ts'
import type { SessionViews } from '../../../src/features/view/viewing.ts'
import { type BrowserPages, openPages } from '../../support/checks.ts'
import { createFakeViews, type FakeViews } from '../../support/fake-views.ts'
import { until } from '../../support/leftovers.ts'

let browsers: BrowserPages
beforeAll(async () => {
  browsers = await openPages('chromium', 1, { network: true })
}, 120_000)
afterAll(() => browsers.close())

let folder = ''
let [now, view, views]: [number, View | undefined, FakeViews] = [0, undefined, createFakeViews()]
const environment = process.env['XDG_RUNTIME_DIR']
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fl-view-'))
  process.env['XDG_RUNTIME_DIR'] = folder
  now = 1_000_000
  views = createFakeViews('shop')
  view = await serveView({
    views,
    ownSocket: () => join(folder, 'footlight/own.sock'),
    clock: () => now,
    onBug: (error) => expect(error).toBeUndefined(),
  })
})
afterEach(() => {
  view?.close()
  if (environment === undefined) delete process.env['XDG_RUNTIME_DIR']
  else process.env['XDG_RUNTIME_DIR'] = environment
  rmSync(folder, { recursive: true })
})

const address = () => {
  const { origin, host, pathname, hash } = new URL(view?.createAddress() ?? '')
  return { origin, host, path: pathname, token: hash.slice(1) }
}

interface Reply {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly text: string
}

function send(
  method: string,
  path: string,
  headers: OutgoingHttpHeaders = {},
  body?: string,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = requestHttp({ host: '127.0.0.1', port: view?.port, method, path, headers, agent: false })
    request.on('error', reject)
    request.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    request.end(body)
  })
}

const json = { 'content-type': 'application/json' }

/** A POST as the page sends it. */
const post = (path: string, body: object | string, headers: OutgoingHttpHeaders = {}) =>
  send(
    'POST',
    path,
    { ...json, origin: address().origin, ...headers },
    typeof body === 'string' ? body : JSON.stringify(body),
  )

async function signIn(): Promise<{ cookie: string; setCookie: string }> {
  const { path, token } = address()
  const { status, headers } = await post(`${path}/enter`, { token })
  expect(status).toBe(204)
  const [setCookie = ''] = headers['set-cookie'] as string[]
  return { setCookie, cookie: setCookie.split(';')[0] ?? '' }
}

const listCall = { server: '', method: 'list', params: { viewer: 'viewer-1' } }

test('a token works once and for ten minutes, and becomes a strict cookie', async () => {
  const { path, token } = address()
  expect(path.length * 6).toBeGreaterThan(128)
  expect((await post(`${path}/enter`, { token: `${token}x` })).status).toBe(403)
  const { status, headers } = await post(`${path}/enter`, { token })
  expect([status, String(headers['set-cookie'])]).toEqual([
    204,
    expect.stringMatching(new RegExp(`^footlight_view=[\\w-]{32}; Path=${path}; HttpOnly; SameSite=Strict$`)),
  ])
  expect((await post(`${path}/enter`, { token })).status).toBe(403)
  const late = address().token
  const later = address().token
  now += 599_000
  expect((await post(`${path}/enter`, { token: late })).status).toBe(204)
  now += 2000
  expect((await post(`${path}/enter`, { token: later })).status).toBe(403)
})

test('the page without a cookie has nothing of a session, and allows its own script alone', async () => {
  const { path } = address()
  const { status, headers, text } = await send('GET', path)
  expect(status).toBe(200)
  expect(text).not.toContain('shop')
  expect(headers).toMatchObject({
    'content-security-policy': expect.stringMatching(
      /^default-src 'none'; style-src 'sha256-\S+'; script-src 'sha256-\S+'; img-src data:; connect-src 'self'; .*frame-ancestors 'none'$/,
    ),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  })
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
})

test('every other request is refused, with a cookie too', async () => {
  const { path, origin, host } = address()
  const { cookie } = await signIn()
  const call = JSON.stringify(listCall)
  const good: OutgoingHttpHeaders = { ...json, origin, cookie }
  expect((await send('POST', `${path}/api`, good, call)).text).toContain('shop')
  const refusals: [string, Promise<Reply>][] = [
    ['no cookie', send('POST', `${path}/api`, { ...good, cookie: '' }, call)],
    ['a wrong cookie', send('POST', `${path}/api`, { ...good, cookie: `${cookie}x` }, call)],
    ['a foreign origin', send('POST', `${path}/api`, { ...good, origin: 'https://example.org' }, call)],
    ['another port', send('POST', `${path}/api`, { ...good, origin: 'http://127.0.0.1:1' }, call)],
    [
      'another name',
      send('POST', `${path}/api`, { ...good, origin: origin.replace('127.0.0.1', 'localhost') }, call),
    ],
    ['origin null', send('POST', `${path}/api`, { ...good, origin: 'null' }, call)],
    ['no origin', send('POST', `${path}/api`, { ...json, cookie }, call)],
    [
      'a rebound host',
      send('POST', `${path}/api`, { ...good, host: host.replace('127.0.0.1', 'evil.example') }, call),
    ],
    ['localhost', send('GET', path, { host: host.replace('127.0.0.1', 'localhost') })],
    ['the page for another origin', send('GET', path, { origin: 'https://example.org' })],
    ['a form', send('POST', `${path}/api`, { ...good, 'content-type': 'text/plain' }, call)],
    ['GET on the API', send('GET', `${path}/api`, good)],
    ['PUT', send('PUT', `${path}/api`, good, call)],
    ['a preflight', send('OPTIONS', `${path}/api`, { ...good, 'access-control-request-method': 'POST' })],
    ['the root', send('GET', '/', good)],
    ['another path', send('GET', `${path}x`, good)],
    ['a path below', send('POST', `${path}/api/x`, good, call)],
    ['a query', send('GET', `${path}?a`, good)],
    ['no JSON', send('POST', `${path}/api`, good, '{')],
    ['too long', send('POST', `${path}/api`, good, `"${'x'.repeat(600_000)}"`)],
  ]
  for (const [name, reply] of refusals) {
    const { status, text, headers } = await reply
    expect([name, Math.floor(status / 100), text, headers['access-control-allow-origin']]).toEqual([
      name,
      4,
      '',
      undefined,
    ])
  }
  // Only calls of a page keep a server that nobody else uses.
  expect(view?.isInUse()).toBe(true)
  now += 16_000
  await send('GET', path)
  expect(view?.isInUse()).toBe(false)
  for (const body of [
    { ...listCall, params: {} },
    { ...listCall, more: 1 },
    { server: 'own', method: 'close', params: {} },
    {
      server: 'own',
      method: 'sendInput',
      params: { viewer: 'viewer-1', session: 'shop', inputs: [{ kind: 'x' }] },
    },
    { server: '../x', method: 'read', params: { session: 'shop', after: 0 } },
    { server: '', method: 'frames', params: { requests: [] } },
  ])
    expect(JSON.parse((await post(`${path}/api`, body, { cookie })).text)).toMatchObject({ ok: false })
})

test('bytes that are no request, and many connections, leave it answering', async () => {
  const sockets = Array.from({ length: 150 }, () => connect(view?.port ?? 0, '127.0.0.1'))
  for (const socket of sockets) socket.on('error', () => {}).write('GET')
  for (const socket of sockets) socket.destroy()
  expect((await send('GET', address().path)).status).toBe(200)
})

test('other pages of the browser get nothing: neither fetch, form, frame nor image', async () => {
  const { origin, path } = address()
  const page = browsers.pages[0] as Page
  const foreign: HttpServer = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<h1>x</h1>'),
  )
  await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve))
  const { port } = foreign.address() as AddressInfo
  await page.goto(view?.createAddress() ?? '')
  await page.getByRole('heading', { name: 'Sessions' }).waitFor()
  views.calls.length = 0
  const requests: string[] = []
  page.on('request', (request) => {
    if (request.url().startsWith(origin))
      void request.allHeaders().then((headers) => requests.push(headers['cookie'] ?? ''))
  })
  // 127.0.0.1 with another port is the same site, localhost is another one.
  for (const host of ['127.0.0.1', 'localhost']) {
    requests.length = 0
    await page.goto(`http://${host}:${port}`)
    const body = JSON.stringify({
      server: 'own',
      method: 'takeOver',
      params: { viewer: 'viewer-1', session: 'shop' },
    })
    const blockedFrame = page.waitForResponse(`${origin}${path}`)
    await page.evaluate((url) => {
      document.body.appendChild(document.createElement('iframe')).src = url
    }, `${origin}${path}`)
    expect((await blockedFrame).headers()['content-security-policy']).toContain("frame-ancestors 'none'")
    const formRequest = page.waitForRequest(`${origin}${path}/api`)
    await page.evaluate((url) => {
      const sink = Object.assign(document.createElement('iframe'), { name: 'sink' })
      document.body.append(sink)
      const form = document.body.appendChild(document.createElement('form'))
      Object.assign(form, { method: 'post', action: url, enctype: 'text/plain', target: 'sink' })
      form.submit()
    }, `${origin}${path}/api`)
    await formRequest
    const outcomes = await page.evaluate(
      async ({ url, body }) => {
        const fetchType = (init: RequestInit) =>
          fetch(url, { method: 'POST', body, credentials: 'include', ...init }).then(
            ({ type, status }) => `${type} ${status}`,
            () => 'refused',
          )
        const headers = { 'content-type': 'application/json' }
        return [await fetchType({ headers }), await fetchType({}), await fetchType({ mode: 'no-cors' })]
      },
      { url: `${origin}${path}/api`, body },
    )
    expect(outcomes).toEqual(['refused', 'refused', 'refused'])
    // What a frame shows in place of the page has none of its elements.
    const framed = await Promise.all(page.frames().map((frame) => frame.locator('#state').count()))
    expect(framed).toEqual([0, 0, 0])
    expect(requests.some(Boolean)).toBe(host === '127.0.0.1')
  }
  expect(views.calls).toEqual([])
  foreign.close()
  foreign.closeAllConnections()
})

async function listen(name: string, other: SessionViews): Promise<PrivateSocket> {
  mkdirSync(join(folder, 'footlight'), { recursive: true, mode: 0o700 })
  return listenOnPrivateSocket({
    path: join(folder, 'footlight', name),
    createServer: () => new Server({ name: 'x', version: '1' }, { capabilities: {} }),
    listenToResources: () => () => {},
    answerCommand: async () => ({ text: '', exitCode: 0, stream: 'stdout' }),
    answerView: (params, signal) => answerViewCall(other, params, signal),
    onError: () => {},
    onFirstAnswer: () => {},
  })
}

test('the sessions of all servers, over one connection each; one that ends is gone', async () => {
  const { path } = address()
  const { cookie } = await signIn()
  const call = async (server: string, method: string, params: object) =>
    JSON.parse((await post(`${path}/api`, { server, method, params }, { cookie })).text)
  const viewer = 'viewer-1'
  const names = async () =>
    (await call('', 'list', { viewer })).value.map(({ server, id }: any) => `${server} ${id}`)
  const [blog, own] = [createFakeViews('blog'), createFakeViews('mine')]
  const other = await listen('other.sock', blog)
  const mine = await listen('own.sock', own)
  expect(await until(async () => String(await names()) === 'own shop,other.sock blog')).toBe(true)
  await names()
  expect([other.count(), mine.count()]).toEqual([1, 0])
  await call('other.sock', 'takeOver', { viewer, session: 'blog' })
  expect(blog.calls).toEqual([['takeOver', 'blog']])
  expect(
    await call('other.sock', 'sendInput', { viewer, session: 'blog', inputs: [{ kind: 'x' }] }),
  ).toMatchObject({
    ok: false,
  })
  expect(await call('other.sock', 'read', { session: 'none', after: 0 })).toEqual({
    ok: false,
    text: expect.stringContaining('The session was closed'),
  })
  // A picture is waited for at the other server for as long as the page waits.
  blog.draw('blog')
  const requests = [
    { server: 'own', session: 'shop', after: 0 },
    { server: 'other.sock', session: 'blog', after: 0 },
  ]
  const frames = await call('', 'frames', { requests })
  expect(frames.value).toEqual([
    {
      server: 'other.sock',
      session: 'blog',
      frame: { sequence: 1, width: 1280, height: 720, base64: expect.stringMatching(/^\/9j\//) },
    },
  ])
  expect(await until(() => views.waiting() === 0)).toBe(true)
  const next = call('', 'frames', { requests: [{ ...requests[1], after: 1 }] })
  expect(await until(() => blog.waiting() === 1)).toBe(true)
  blog.draw('blog')
  expect((await next).value[0].frame.sequence).toBe(2)
  const aborted = requestHttp({
    host: '127.0.0.1',
    port: view?.port,
    method: 'POST',
    path: `${path}/api`,
    headers: { ...json, origin: address().origin, cookie },
  })
  aborted.on('error', () => {})
  const params = { requests: [{ ...requests[1], after: 2 }] }
  aborted.end(JSON.stringify({ server: '', method: 'frames', params }))
  expect(await until(() => blog.waiting() === 1)).toBe(true)
  aborted.destroy()
  // Its connection stays in use.
  const isOver = async () => String(await names()) !== '' && blog.waiting() === 0
  expect(await until(isOver)).toBe(true)
  other.close()
  expect(await until(async () => String(await names()) === 'own shop')).toBe(true)
  mine.close()
})

test('connections that say nothing do not keep the page away, however many another program keeps open', async () => {
  const { path } = address()
  const script = `const { connect } = require('node:net')
    let count = 0
    const keep = () => {
      const socket = connect(${view?.port}, '127.0.0.1', () => { count += 1; if (count === 600) console.log('many') })
      socket.on('error', () => {}).on('close', () => setTimeout(keep, 5))
    }
    for (let index = 0; index < 400; index += 1) keep()`
  const flood = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' })
  await flood.stdout.getReader().read()
  for (let round = 0; round < 6; round += 1) expect((await send('GET', path)).status).toBe(200)
  flood.kill()
  await flood.exited
}, 60_000)
