// WebSockets that a mock answers and fails, on each engine: what the page gets, and how it is marked.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { connect, type Peer, share } from '../../support/client.ts'
import { bothBrowsers } from '../../support/engines.ts'
import { until } from '../../support/leftovers.ts'
import { page } from '../../support/site.ts'

const chatPage = page(
  `<h1>Chat</h1><button id="again">Again</button><ul id="list"></ul><script>
  const add = (text) => list.insertAdjacentHTML('beforeend', '<li>' + text + '</li>')
  const open = (url) => {
    window.socket = new WebSocket(url)
    socket.onopen = () => add('open')
    socket.onmessage = ({ data }) => add(data)
    socket.onclose = ({ code, reason }) => add('closed ' + code + reason)
  }
  const url = new URLSearchParams(location.search).get('socket') ?? location.origin.replace('http', 'ws') + '/chat'
  open(url)
  again.onclick = () => open(url)
</script>`,
  'Chat',
)

describe.each(bothBrowsers)('%s', (browser) => {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, upgrading) {
      if (new URL(request.url).pathname === '/chat')
        return upgrading.upgrade(request) ? undefined : new Response('', { status: 400 })
      return new Response(chatPage, { headers: { 'content-type': 'text/html' } })
    },
    websocket: {
      open: (socket) => void socket.send('hello of the server'),
      message: () => {},
    },
  })
  const origin = server.url.href
  let peer: Peer
  let sessionId: string

  beforeAll(async () => {
    peer = await share(browser)
    sessionId = await peer.session()
  }, 300_000)
  afterEach(async () => {
    await call('navigate', { url: 'about:blank' })
    await call('mock', { remove: 'all' })
  })
  afterAll(async () => {
    await peer.close()
    await server.stop(true)
  })

  const call = async (tool: string, input: Record<string, unknown> = {}) =>
    (await peer.call(tool, { sessionId, ...input })).data
  const mock = (socket: unknown, more = {}) => call('mock', { url: '/chat', answer: { socket, ...more } })
  const send = (text: string) => call('evaluate', { script: `socket.send(${JSON.stringify(text)})` })
  const sees = async (text: string) => {
    const { errorCode } = await call('wait_for', { selector: `li:text-is(${JSON.stringify(text)})` })
    expect([text, errorCode]).toEqual([text, undefined])
  }
  const lines = async () =>
    (
      await call('evaluate', {
        script: `[...document.querySelectorAll('li')].map((item) => item.textContent)`,
      })
    ).result
  const sockets = async () => (await call('network_requests', { filter: 'websocket', limit: 100 })).entries

  test('answers a socket without a server; its frames are listed and redacted', async () => {
    const { mocks, notes } = await call('mock', {
      url: 'wss://chat.invalid/*',
      answer: { socket: ['welcome', { send: [{ type: 'users', count: 2 }, '[1]'] }] },
    })
    expect(mocks).toMatchObject([
      { answer: 'WebSocket, 3 messages', url: 'wss://chat.invalid/*', matches: 0 },
    ])
    expect(notes.join()).toContain('reload the page')
    await call('navigate', { url: `${origin}?socket=wss://chat.invalid/room` })
    await sees('[1]')
    for (const text of ['ping', '{"password":"correct-horse-1"}']) await send(text)
    await call('evaluate', { script: 'socket.close(3000, " done")' })
    await sees('closed 3000 done')
    expect(await lines()).toEqual([
      'open',
      'welcome',
      '{"type":"users","count":2}',
      '[1]',
      'closed 3000 done',
    ])
    const [socket] = (await sockets()).slice(-1)
    expect(socket).toMatchObject({
      type: 'websocket',
      url: 'wss://chat.invalid/room',
      state: 'done',
      mock: mocks[0].id,
      framesSent: 2,
      framesReceived: 3,
    })
    const frames = (await call('network_requests', { id: socket.seq })).entries[0].frames
    expect(frames.map(({ direction, body }: any) => `${direction} ${body}`)).toContain(
      'sent {"password":"[redacted]"}',
    )
    const { entries } = await call('timeline', { limit: 100 })
    const texts = entries.map(({ text }: any) => text)
    expect(texts).toContain(`WebSocket wss://chat.invalid/room → answered (mock ${mocks[0].id})`)
    expect(texts).toContain(`WebSocket wss://chat.invalid/room → closed (3000) (mock ${mocks[0].id})`)
    expect((await call('mock')).mocks[0].matches).toBe(1)
  })

  test('fails a number of connections, then the server is reached; without its mock a socket is closed', async () => {
    const { mocks } = await mock([], { fail: true, times: 1 })
    await call('navigate', { url: origin })
    await sees('closed 1006')
    const { entries } = await call('network_requests', { filter: 'failed', limit: 1 })
    expect(entries).toMatchObject([{ type: 'websocket', state: 'failed', mock: mocks[0].id }])
    await call('click', { selector: '#again' })
    await sees('hello of the server')
    expect(await lines()).toEqual(['closed 1006', 'open', 'hello of the server'])
    const { mocks: later } = await mock('of the mock', { delay: 5 })
    await call('click', { selector: '#again' })
    await sees('of the mock')
    await call('mock', { remove: later.at(-1).id })
    await sees('closed 1012The mock was removed.')
  })

  test('a socket ends with its document', async () => {
    await mock([])
    await call('navigate', { url: origin })
    await sees('open')
    expect((await sockets()).at(-1).state).toBe('pending')
    await call('navigate', { url: 'about:blank' })
    expect(await until(async () => (await sockets()).at(-1).state === 'done')).toBe(true)
  })
})

test.each(bothBrowsers)(
  '%s: a WebSocket mock opens no host that the rules refuse',
  async (browser) => {
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => new Response(chatPage, { headers: { 'content-type': 'text/html' } }),
    })
    const peer = await share(browser)
    const sessionId = await peer.session({ allowedDomains: [server.url.host, 'chat.invalid'] })
    const call = async (tool: string, input = {}) => (await peer.call(tool, { sessionId, ...input })).data
    await call('mock', { url: '**', answer: { socket: 'of the mock' } })
    const says = async (url: string, text: string) => {
      await call('navigate', { url: `${server.url.href}?socket=${url}` })
      expect((await call('wait_for', { selector: `li:has-text("${text}")` })).errorCode).toBeUndefined()
      return (await call('get_content', { format: 'text' })).content as string
    }
    expect(await says('ws://chat.invalid/', 'of the mock')).toContain('open')
    expect(await says('ws://evil.invalid/', 'closed 1006')).not.toContain('of the mock')
    const { entries } = await call('network_requests', { filter: 'failed', limit: 100 })
    expect(entries.filter(({ url, mock }: any) => /evil/.test(url) && mock !== undefined)).toEqual([])
    expect(JSON.stringify(entries)).toContain('ACCESS_DENIED')
    await peer.close()
    await server.stop(true)
  },
  90_000,
)

test('a saved test has the mock and replays it, and the mock of steps holds', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-sockets-')))
  writeFileSync(
    join(folder, 'app.mjs'),
    `import { createServer } from 'node:http'
createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(${JSON.stringify(chatPage)})).listen(process.env.PORT, () => console.log('http://localhost:' + process.env.PORT))`,
  )
  // With Playwright Test, which runs the test too.
  symlinkSync(resolve(import.meta.dir, '../../../node_modules'), join(folder, 'node_modules'), 'junction')
  const peer = await connect({ args: ['--headless'], cwd: folder })
  const call = async (tool: string, input = {}) => (await peer.call(tool, input)).data
  const reserved = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port } = reserved
  await reserved.stop(true)
  const { url } = await call('create_session', { command: ['node', 'app.mjs'], port })
  const socket = ['welcome', { send: { type: 're' } }]
  const { steps } = await call('steps', {
    calls: [
      { tool: 'mock', url: `${url.replace('http', 'ws').replace(/\/$/, '')}/chat`, answer: { socket } },
      { tool: 'navigate', url },
      { tool: 'wait_for', text: 'welcome' },
      { tool: 'click', selector: '#again' },
    ],
  })
  expect(steps).toHaveLength(4)
  const saved = await call('save_test', { path: 'chat.spec.ts', run: true })
  expect(saved).toMatchObject({ path: join(folder, 'chat.spec.ts'), run: '1 passed' })
  const text = readFileSync(saved.path, 'utf8')
  expect(text).toContain(String.raw`await page.routeWebSocket(/\/chat/, (socket) => {`)
  expect(text).toContain("socket.send('welcome');")
  expect(text).toContain("socket.send(JSON.stringify({ type: 're' }));")
  await peer.close()
  rmSync(folder, { recursive: true, force: true })
}, 120_000)
