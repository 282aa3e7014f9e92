// WebSockets that a mock answers, changes, fails and pushes to, on each engine: what the page gets, and how it is marked.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { connect, share, type Peer } from '../support/client.ts'
import { until } from '../support/leftovers.ts'
import { page } from '../support/site.ts'
import { bothBrowsers } from '../support/engines.ts'

const chatPage = page(
  `<h1>Chat</h1><button id="again">Again</button><button id="popup">Popup</button><ul id="list"></ul><script>
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
  popup.onclick = () => window.open(location.href)
</script>`,
  'Chat',
)

describe.each(bothBrowsers)('%s', (browser) => {
  const messages: string[] = []
  const closeCodes: number[] = []
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
      close: (_, code) => void closeCodes.push(code),
      message(socket, message) {
        messages.push(String(message))
        socket.send(`{"type":"echo","text":${JSON.stringify(message)},"price":1}`)
      },
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
    messages.length = 0
    closeCodes.length = 0
  })
  afterAll(async () => {
    await peer.close()
    await server.stop(true)
  })

  const call = async (tool: string, input: Record<string, unknown> = {}) =>
    (await peer.call(tool, { sessionId, ...input })).data
  const mock = (socket: unknown, more = {}) => call('mock', { url: '/chat', answer: { socket, ...more } })
  const push = (messages: unknown, url?: string) =>
    call('mock', { ...(url !== undefined && { url }), answer: { push: messages } })
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

  test('answers a socket without a server, by text, expression and fields, and closes it; its frames are listed and redacted', async () => {
    const { mocks, notes } = await call('mock', {
      url: 'wss://chat.invalid/*',
      answer: {
        socket: [
          'welcome',
          { send: [{ type: 'users', count: 2 }, '[1]'] },
          { on: 'ping', send: 'pong' },
          { on: '/^num \\d+$/', send: 'a number' },
          {
            on: { type: 'subscribe', to: { room: 'a' } },
            send: { type: 'next', id: '$.id', of: ['$.to.room', '$.none'] },
          },
          { on: 'bye', send: 'farewell', close: 4001, reason: ' for now' },
        ],
      },
    })
    expect(mocks).toMatchObject([{ answer: 'WebSocket, 6 rules', url: 'wss://chat.invalid/*', matches: 0 }])
    expect(notes.join()).toContain('reload the page')
    await call('navigate', { url: `${origin}?socket=wss://chat.invalid/room` })
    await sees('[1]')
    for (const text of [
      'ping',
      'num 12',
      'num x',
      '{"type":"subscribe","id":"7f","to":{"room":"a","more":1}}',
      '{"type":"subscribe","to":{"room":"b"}}',
      '{"password":"correct-horse-1"}',
      'bye',
    ])
      await send(text)
    await sees('closed 4001 for now')
    expect(await lines()).toEqual([
      'open',
      'welcome',
      '{"type":"users","count":2}',
      '[1]',
      'pong',
      'a number',
      '{"type":"next","id":"7f","of":["a",null]}',
      'farewell',
      'closed 4001 for now',
    ])
    const [socket] = (await sockets()).slice(-1)
    expect(socket).toMatchObject({
      type: 'websocket',
      url: 'wss://chat.invalid/room',
      state: 'done',
      mock: mocks[0].id,
      framesSent: 7,
      framesReceived: 7,
    })
    const frames = (await call('network_requests', { id: socket.seq })).entries[0].frames
    expect(frames.map(({ direction, body }: any) => `${direction} ${body}`)).toContain(
      'sent {"password":"[redacted]"}',
    )
    const { entries } = await call('timeline', { limit: 100 })
    const texts = entries.map(({ text }: any) => text)
    expect(texts).toContain(`WebSocket wss://chat.invalid/room → answered (mock ${mocks[0].id})`)
    expect(texts).toContain(`WebSocket wss://chat.invalid/room → closed (4001) (mock ${mocks[0].id})`)
    expect((await call('mock')).mocks[0].matches).toBe(1)
  })

  test('pushes messages and a close at any later moment, also to a tab and a popup that are opened later', async () => {
    const { mocks } = await mock([])
    await call('navigate', { url: origin })
    await sees('open')
    await call('snapshot')
    const first = await push(['one', { send: { n: 2 } }])
    expect(first.notes).toContain('Sent to 1 WebSocket.')
    expect(first.changes).toContain('one')
    await sees('{"n":2}')
    await call('click', { selector: '#popup' })
    await call('tabs', { action: 'select', tabId: 't2' })
    await sees('open')
    expect((await push('both', '/chat')).notes).toContain('Sent to 2 WebSockets.')
    await sees('both')
    await push({ close: 1011, reason: ' too many' })
    await sees('closed 1011 too many')
    const listed = (await sockets()).filter((entry: any) => entry.mock === mocks[0].id)
    expect(listed.map(({ state }: any) => state)).toEqual(['done', 'done'])
    await call('tabs', { action: 'close', tabId: 't2' })
    expect(await lines()).toEqual(['open', 'one', '{"n":2}', 'both', 'closed 1011 too many'])
    expect(messages).toEqual([])
    const none = await push('late')
    expect(none).toMatchObject({ errorCode: 'INVALID_PARAMETERS', details: { field: 'url' } })
  })

  test('passes frames to the server and back, some changed, answered or dropped', async () => {
    await mock(
      [
        { on: 'secret' },
        { on: 'local', send: 'of the mock' },
        { on: 'leave', close: 1011, reason: ' now' },
        { on: { type: 'buy' }, json: { count: 100, note: null } },
        { from: 'server', on: 'hello' },
        { from: 'server', on: { type: 'echo', text: 'price' }, json: { price: 999 } },
      ],
      { change: true },
    )
    await call('navigate', { url: origin })
    await sees('open')
    for (const text of ['secret', 'local', '{"type":"buy","count":1,"note":"x"}', 'price', 'last'])
      await send(text)
    await sees('{"type":"echo","text":"last","price":1}')
    expect(await lines()).toEqual([
      'open',
      'of the mock',
      '{"type":"echo","text":"{\\"type\\":\\"buy\\",\\"count\\":100}","price":1}',
      '{"type":"echo","text":"price","price":999}',
      '{"type":"echo","text":"last","price":1}',
    ])
    expect(messages).toEqual(['{"type":"buy","count":100}', 'price', 'last'])
    await call('evaluate', { script: 'socket.close(3000, " done")' })
    await sees('closed 3000 done')
    expect(await until(() => closeCodes.length === 1)).toBe(true)
    await call('click', { selector: '#again' })
    expect(
      await until(async () => (await lines()).filter((line: string) => line === 'open').length === 2),
    ).toBe(true)
    await send('leave')
    await sees('closed 1011 now')
    expect(await until(() => closeCodes.length === 2)).toBe(true)
    expect(closeCodes[0]).toBe(3000)
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

  test('a socket ends with its document, and is sent nothing after that', async () => {
    await mock([])
    await call('navigate', { url: origin })
    await sees('open')
    expect((await sockets()).at(-1).state).toBe('pending')
    await call('navigate', { url: 'about:blank' })
    expect(await until(async () => (await sockets()).at(-1).state === 'done')).toBe(true)
    await call('navigate', { url: origin })
    await sees('open')
    expect((await push('one')).notes).toContain('Sent to 1 WebSocket.')
  })

  test.each([
    [{ socket: [{ to: 1 }] }, 'answer.socket'],
    [{ socket: ['a'], status: 200 }, 'answer'],
    [{ socket: [{ from: 'server', send: 'a' }] }, 'answer'],
    [{ socket: ['a'], fail: true }, 'answer'],
    [{ socket: [{ on: '/(/' }] }, 'answer.socket.on'],
    [{ push: { type: 'a' } }, 'answer.push'],
    [{ push: 'a', json: 1 }, 'answer.json'],
  ])('refuses %j', async (answer, field) => {
    expect(await call('mock', { url: '/chat', answer })).toMatchObject({
      errorCode: 'INVALID_PARAMETERS',
      details: { field },
    })
    expect((await call('mock')).mocks).toEqual([])
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

test('a saved test has the mock and what was pushed, replays both, and the mock of steps holds', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-sockets-')))
  writeFileSync(
    join(folder, 'app.mjs'),
    `import { createServer } from 'node:http'
createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(${JSON.stringify(chatPage)})).listen(process.env.PORT, () => console.log('http://localhost:' + process.env.PORT))`,
  )
  // With Playwright Test, which runs the test too.
  symlinkSync(resolve(import.meta.dir, '../../node_modules'), join(folder, 'node_modules'), 'junction')
  const peer = await connect({ args: ['--headless'], cwd: folder })
  const call = async (tool: string, input = {}) => (await peer.call(tool, input)).data
  const reserved = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port } = reserved
  await reserved.stop(true)
  const { url } = await call('create_session', { command: ['node', 'app.mjs'], port })
  const socket = ['welcome', { on: { type: 'hi' }, send: { type: 're', id: '$.id' } }]
  const { steps } = await call('steps', {
    calls: [
      { tool: 'mock', url: `${url.replace('http', 'ws').replace(/\/$/, '')}/chat`, answer: { socket } },
      { tool: 'navigate', url },
      { tool: 'wait_for', text: 'welcome' },
      { tool: 'mock', answer: { push: 'pushed now' } },
      { tool: 'wait_for', text: 'pushed now' },
      { tool: 'click', selector: '#again' },
    ],
  })
  expect(steps).toHaveLength(6)
  const saved = await call('save_test', { path: 'chat.spec.ts', run: true })
  expect(saved).toMatchObject({ path: join(folder, 'chat.spec.ts'), run: '1 passed' })
  const text = readFileSync(saved.path, 'utf8')
  expect(text).toContain(String.raw`await page.routeWebSocket(/\/chat/, (socket) => {`)
  expect(text).toContain("socket.send('welcome');")
  expect(text).toContain("socket.send('pushed now');")
  await peer.close()
  rmSync(folder, { recursive: true, force: true })
}, 120_000)
