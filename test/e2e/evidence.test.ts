// What a failing call brings with it.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect, type Answer, type Peer } from '../support/client.ts'

const server = (more = '') => [
  'node',
  '-e',
  `require('http').createServer((request, response) => {
    if (request.url === '/die') { console.error('TypeError: cannot read properties of undefined'); process.exit(7) }
    if (request.url === '/api') { console.error('api: database is down'); response.statusCode = 500; return response.end() }
    response.setHeader('content-type', 'text/html')
    response.end('<title>Shop</title><h1>Cart</h1><button id="order">Place order</button><a href="#x">Place to go</a><div id="veil" style="position:fixed;inset:0"></div><script>console.error("cart failed to load"); fetch("/api")</script>${more}')
  }).listen(process.env.PORT)`,
]

let peer: Peer
let sessionId: string
let url: string
const call = (tool: string, input: Record<string, unknown> = {}) =>
  peer.call(tool, { sessionId, timeout: 300, ...input })
const image = ({ result }: Answer) => result.content.find((block) => block.type === 'image')

describe.each(['chromium', 'firefox'])('%s', (browser) => {
  beforeAll(async () => {
    peer = await connect({ args: ['--headless', '--browser', browser] })
    const { data } = await peer.call('create_session', { command: server() })
    ;({ sessionId, url } = data)
    await call('navigate', { url, timeout: 20_000 })
    await call('wait_for', { text: 'Cart', timeout: 5000 })
  }, 90_000)
  afterAll(() => peer.close())

  test('a covered button: 8 of 8, in at most 4 KB of text and 60 KB of picture', async () => {
    const since = performance.now()
    const failed = await call('click', { selector: '#order' })
    expect(performance.now() - since).toBeLessThan(4000)
    const { data } = failed
    expect(data).toMatchObject({
      errorCode: 'ELEMENT_NOT_CLICKABLE',
      details: { target: '#order', reason: 'covered' },
    })
    expect(data.details.by).toContain('id="veil"')
    expect(data.evidence.page).toEqual({ url, title: 'Shop' })
    expect(data.evidence.console.join()).toContain('cart failed to load')
    expect(data.evidence.requests.join()).toContain('/api → 500')
    expect(data.evidence.stderr.join()).toContain('api: database is down')
    expect(data.message).toMatch(/force/)
    const picture = image(failed)
    expect(picture?.mimeType).toBe('image/jpeg')
    expect(Buffer.from(String(picture?.data), 'base64').length).toBeLessThanOrEqual(60_000)
    expect(JSON.stringify(data).length).toBeLessThanOrEqual(4096)
    expect(data.evidence.missing).toEqual({})
  })
  test('a missing target: the closest candidates, whose refs work', async () => {
    const { data } = await call('click', { selector: '#place-ordr' })
    expect(data.evidence.candidates[0]).toMatchObject({ role: 'button', name: 'Place order' })
    expect(data.message).toContain(`Closest: button "Place order" (ref ${data.evidence.candidates[0].ref})`)
    expect(
      (await peer.call('exists', { sessionId, ref: data.evidence.candidates[0].ref })).data,
    ).toMatchObject({
      exists: true,
    })
  })
  test('the timeline has action, console, request and server on one clock', async () => {
    const { entries } = (await peer.call('timeline', { sessionId, limit: 200 })).data
    expect(new Set(entries.map(({ kind }: { kind: string }) => kind))).toEqual(
      new Set(['action', 'console', 'request', 'server']),
    )
    const times = entries.map(({ at }: { at: number }) => at)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    const last = entries.at(-1).seq
    await peer.call('exists', { sessionId, selector: 'h1' })
    const later = (await peer.call('timeline', { sessionId, since: last })).data.entries
    expect(later.map(({ text }: { text: string }) => text)).toEqual(['exists h1: done'])
  })
  test('a dev server that died is named first', async () => {
    await call('evaluate', { script: 'fetch("/die").catch(() => 0)' })
    const { data } = await call('click', { selector: '#order' })
    expect(data.message).toMatch(/^The dev server exited with code 7\./)
    expect(data.evidence.serverEnded).toBe('exited with code 7')
    expect(data.evidence.stderr.at(-1)).toContain('TypeError')
    expect((await peer.call('get_session_status', { sessionId })).data).toMatchObject({
      status: 'stopped',
      healthy: false,
    })
    expect((await peer.call('restart_server', { sessionId })).data).toMatchObject({
      message: expect.stringContaining('ready'),
    })
  })
})

test.each([
  ['text', undefined],
  ['none', undefined],
])('--evidence %s has no picture', async (mode) => {
  const own = await connect({ args: ['--headless', '--evidence', mode] })
  const id = await own.session()
  const failed = await own.call('click', { sessionId: id, selector: '#none', timeout: 50 })
  expect(image(failed)).toBeUndefined()
  expect(failed.data.evidence === undefined).toBe(mode === 'none')
  await own.close()
})

test('evidence never hides the failure: what a hung page cannot give says why, within a second', async () => {
  const own = await connect()
  const id = await own.session()
  await own.call('evaluate', { sessionId: id, script: 'setTimeout(() => { for (;;); }, 50); return 1' })
  const since = performance.now()
  const failed = await own.call('click', { sessionId: id, selector: '#none', timeout: 300 })
  expect(performance.now() - since).toBeLessThan(5000)
  expect(['PAGE_HUNG', 'ELEMENT_NOT_FOUND', 'TIMEOUT']).toContain(failed.data.errorCode)
  await own.close()
})

test('every event is one line of JSON on stderr, and no typed text is in it', async () => {
  const own = await connect({ args: ['--headless', '--log-level', 'info', '--log-format', 'json'] })
  const { data } = await own.call('create_session', { command: server('<input id=\\"secret\\">') })
  await own.call('navigate', { sessionId: data.sessionId, url: data.url })
  await own.call('type', { sessionId: data.sessionId, selector: '#secret', text: 'hunter2-secret' })
  await own.call('evaluate', { sessionId: data.sessionId, script: 'fetch("/die").catch(() => 0)' })
  await own.call('close_session', { sessionId: data.sessionId })
  await own.close()
  const lines = own
    .stderr()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const events = lines.map(({ message }) => message)
  expect(events).toEqual(
    expect.arrayContaining([
      'session_started',
      'server_ready',
      'tool_called',
      'server_ended',
      'session_ended',
    ]),
  )
  for (const line of lines)
    expect(line).toMatchObject({ timestamp: expect.any(String), level: expect.any(String) })
  expect(own.stderr()).not.toContain('hunter2')
})
