// What a failing call brings with it.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { encode } from 'gpt-tokenizer'
import { readImageSize } from '../../../src/core/base/image-plan.ts'
import { estimateImageTokens } from '../../../src/core/base/token-estimate.ts'
import { type Answer, connect, type Peer, readEvidence } from '../../support/client.ts'
import { anyBrowser } from '../../support/engines.ts'
import { until } from '../../support/leftovers.ts'

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

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'fl-evidence-'))))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let peer: Peer
let sessionId: string
let url: string
const call = (tool: string, input: Record<string, unknown> = {}) =>
  peer.call(tool, { sessionId, timeout: 300, ...input })
const image = ({ result }: Answer) => result.content.find((block) => block.type === 'image')

describe.each(anyBrowser)('%s', (browser) => {
  beforeAll(async () => {
    peer = await connect({
      args: ['--headless', '--browser', browser, '--output-dir', join(folder, browser)],
    })
    const { data } = await peer.call('create_session', { command: server() })
    ;({ sessionId, url } = data)
    await call('navigate', { url, timeout: 20_000 })
    await call('wait_for', { text: 'Cart', timeout: 5000 })
  }, 300_000)
  afterAll(() => peer.close())

  test('a covered button: 8 of 8, in at most 4 KB of text, and a picture of 60 KB as a file and a resource', async () => {
    let failed = await call('click', { selector: '#order', timeout: 2000 })
    // A busy machine may need more than the second that evidence has.
    for (let more = 0; more < 2 && failed.data.evidence.missing; more += 1)
      failed = await call('click', { selector: '#order', timeout: 2000 })
    const { data } = failed
    expect(data).toMatchObject({
      errorCode: 'ELEMENT_NOT_CLICKABLE',
      details: { target: '#order', reason: 'covered' },
    })
    expect(data.details.by).toContain('id="veil"')
    expect(data.evidence.page).toEqual({ url, title: 'Shop' })
    expect(data.evidence.console.join()).toContain('cart failed to load')
    // All that happened is in the other lists.
    expect(data.evidence.timeline).toBeUndefined()
    expect(data.evidence.requests.join()).toContain('/api → 500')
    expect(data.evidence.stderr.join()).toContain('api: database is down')
    expect(data.message).toMatch(/force/)
    expect(image(failed)).toBeUndefined()
    const { path, resource, width, height } = data.evidence.screenshot
    const bytes = readFileSync(path)
    expect(readImageSize(bytes)).toEqual({ width, height })
    expect(bytes.length).toBeLessThanOrEqual(60_000)
    const { contents } = await peer.client.readResource({ uri: resource })
    expect(contents).toEqual([{ uri: resource, mimeType: 'image/jpeg', blob: bytes.toString('base64') }])
    expect(JSON.stringify(data).length).toBeLessThanOrEqual(4096)
    expect(data.evidence).not.toHaveProperty('missing')
  })
  test('a client that reads only one of content and structured content learns where the picture is', async () => {
    const { result } = await call('click', { selector: '#order' })
    const [only] = result.content
    const text = only?.type === 'text' ? only.text : ''
    expect(result.content).toHaveLength(1)
    const { path } = (result.structuredContent as any).evidence.screenshot
    expect(text).toContain(`\nscreenshot: ${path}`)
    expect(encode(text).length).toBeLessThanOrEqual(1200)
  })
  test('a missing target: the closest candidates, whose refs work', async () => {
    const { data } = await call('click', { selector: '#place-ordr' })
    expect(data.evidence.candidates[0]).toMatchObject({ role: 'button', name: 'Place order' })
    expect(data.message).toContain(
      `Closest match: button "Place order" (ref ${data.evidence.candidates[0].ref})`,
    )
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
    const times = entries.map(({ timestamp }: { timestamp: number }) => timestamp)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    const last = entries.at(-1).seq
    await peer.call('exists', { sessionId, selector: 'h1' })
    await peer.call('press_key', { sessionId, key: 'Shift' })
    const later = (await peer.call('timeline', { sessionId, since: last })).data.entries
    expect(later.map(({ text }: { text: string }) => text)).toEqual(['press_key: done'])
  })
  test('a dev server that died is named first', async () => {
    await call('evaluate', { script: 'fetch("/die").catch(() => 0)' })
    const { data } = await call('click', { selector: '#order' })
    expect(data.message).toMatch(/^The dev server exited with code 7\. Call restart_server\. \S/)
    const { url } = (await peer.call('get_session_status', { sessionId })).data
    expect((await call('navigate', { url: new URL('/none', url).href })).data.message).toBe(
      'The dev server exited with code 7. The connection was refused. Call restart_server.',
    )
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

test('failed requests do not crowd out the errors of the page, and the text stays short on a page full of them', async () => {
  const many =
    '<script>console.error("the cart is broken"); for (let i = 0; i < 8; i++) fetch("/api")</script>'
  const own = await connect({ args: ['--headless', '--output-dir', join(folder, 'requests')] })
  const { data } = await own.call('create_session', { command: server(many) })
  await own.call('navigate', { sessionId: data.sessionId, url: data.url, waitUntil: 'networkidle' })
  const fail = () => own.call('click', { sessionId: data.sessionId, selector: '#order', timeout: 300 })
  const failed = await readEvidence(fail, 'requests')
  const { console, requests } = failed.evidence
  expect(console.join()).toContain('the cart is broken')
  expect(console.join()).not.toContain('Failed to load resource')
  expect(requests).toHaveLength(5)
  expect(encode(JSON.stringify(failed)).length).toBeLessThanOrEqual(1200)
  // The same where every message is long.
  const script = `for (let i = 0; i < 20; i += 1)
    console.error('the order ' + i + ' failed with ' + JSON.stringify(Array(60).fill({ sku: 'SKU-' + i, price: i * 1.07 })))
    return Promise.all(Array.from({ length: 60 }, () => fetch('/api').then(() => 1)))`
  await own.call('evaluate', { sessionId: data.sessionId, script })
  const full = await readEvidence(fail, 'screenshot')
  expect(encode(JSON.stringify(full)).length).toBeLessThanOrEqual(1200)
  const { console: errors, stderr, screenshot } = full.evidence
  expect(errors.at(-2)).toContain('the order 19 failed')
  expect(errors.at(-1)).toBe('… more: console_messages')
  expect(stderr.at(-1)).toBe('… more: read_server_logs')
  expect(existsSync(screenshot.path)).toBe(true)
  await own.close()
}, 300_000)

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

const fail = async (args: readonly string[], name?: string) => {
  const own = await connect({
    args: ['--headless', '--output-dir', join(folder, 'clients'), ...args],
    ...(name !== undefined && { name }),
  })
  const sessionId = await own.session()
  const failed = await own.call('click', { sessionId, selector: '#none', timeout: 50 })
  await own.close()
  return failed
}

test.each([
  ['Visual Studio Code', true],
  ['claude-code', false],
])('%s: the picture of a failure in the answer: %p', async (name, shown) => {
  const failed = await fail([], name)
  expect([image(failed) !== undefined, failed.result.structuredContent === undefined]).toEqual([shown, shown])
  expect(existsSync(failed.data.evidence.screenshot.path)).toBe(true)
  const size = readImageSize(Buffer.from(String(image(failed)?.data ?? ''), 'base64'))
  expect(estimateImageTokens(size)).toBeLessThanOrEqual(450)
})

test('--evidence full has the picture in the answer for every client, beside its file', async () => {
  const failed = await fail(['--evidence', 'full'])
  expect(failed.result).not.toHaveProperty('structuredContent')
  const bytes = Buffer.from(String(image(failed)?.data), 'base64')
  expect(readFileSync(failed.data.evidence.screenshot.path)).toEqual(bytes)
})

test('the newest 20 pictures of failures are kept, and no name is used twice', async () => {
  const own = await connect({ args: ['--headless', '--output-dir', join(folder, 'many')] })
  const sessionId = await own.session()
  const paths: string[] = []
  for (let count = 0; count < 23; count += 1) {
    const { data } = await own.call('click', { sessionId, selector: '#none', timeout: 1 })
    paths.push(data.evidence.screenshot.path)
  }
  expect(new Set(paths).size).toBe(23)
  expect(paths.map((path) => existsSync(path))).toEqual([...Array(3).fill(false), ...Array(20).fill(true)])
  expect(readdirSync(dirname(paths[0] ?? ''))).toHaveLength(20)
  const { resources } = await own.client.listResources()
  expect(resources.filter(({ name }) => /failure-\d+\.jpeg/.test(name))).toHaveLength(20)
  await own.close()
}, 300_000)

test('evidence never hides the failure: what a hung page cannot give says why, within a second', async () => {
  const own = await connect()
  const id = await own.session()
  await own.call('evaluate', { sessionId: id, script: 'setTimeout(() => { for (;;); }, 50); return 1' })
  const failed = await own.call('click', { sessionId: id, selector: '#none', timeout: 300 })
  expect(['PAGE_HUNG', 'ELEMENT_NOT_FOUND', 'TIMEOUT']).toContain(failed.data.errorCode)
  await own.close()
})

test('every event is one line of JSON on stderr, and no typed text is in it', async () => {
  const own = await connect({ args: ['--headless', '--log-level', 'info', '--log-format', 'json'] })
  const { data } = await own.call('create_session', { command: server('<input id=\\"secret\\">') })
  await own.call('navigate', { sessionId: data.sessionId, url: data.url })
  await own.call('type', { sessionId: data.sessionId, selector: '#secret', text: 'hunter2-secret' })
  await own.call('evaluate', { sessionId: data.sessionId, script: 'fetch("/die").catch(() => 0)' })
  await until(() => own.stderr().includes('server_ended'))
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
