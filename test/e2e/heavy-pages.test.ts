// Documents that are read in a thread, and what a page reports that is cut before it is decoded, over the built binary. How long other
// sessions wait meanwhile is measured by bench/soak/other-session.ts.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { share, type SharedPeer } from '../support/client.ts'
import { until } from '../support/leftovers.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const LONG = 2_000_000
const entry = (url: string, text: string) => ({
  request: { method: 'GET', url },
  response: { status: 200, content: { mimeType: 'text/plain', text } },
})

let site: Site
let peer: SharedPeer
let sessionId: string
beforeAll(async () => {
  site = await serveSite({
    '/': page('<h1>Heavy</h1>'),
    '/endless'(_: IncomingMessage, response: ServerResponse) {
      const block = Buffer.alloc(1_000_000, 'x')
      const fill = () => void (!response.destroyed && response.write(block) && setImmediate(fill))
      response.on('drain', fill)
      fill()
    },
    '/hints'(_: IncomingMessage, response: ServerResponse) {
      const send = () =>
        void (
          !response.destroyed &&
          response.socket?.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', () => setImmediate(send))
        )
      send()
    },
  })
  peer = await share('chromium')
  sessionId = await peer.session()
  await call('navigate', { url: site.url })
}, 300_000)
afterAll(async () => {
  await peer.close()
  site.close()
})

const call = (tool: string, input: Record<string, unknown> = {}) => peer.call(tool, { sessionId, ...input })
const evaluate = async (script: string) => (await call('evaluate', { script })).data.result
const get = (url: string) => evaluate(`fetch(${JSON.stringify(url)}).then((r) => r.text(), (e) => e.name)`)
const writeHar = (name: string, document: unknown) =>
  writeFileSync(join(peer.folder, name), JSON.stringify(document))

describe('a large HAR file', () => {
  test('answers in the order of its recording, twice at once, until it is removed', async () => {
    const entries = [entry('http://far.test/a', 'first'), entry('http://far.test/a', 'y'.repeat(LONG))]
    writeHar('large.har', { log: { entries } })
    const [first, second] = [
      await call('mock', { url: '**/a', har: 'large.har' }),
      await call('mock', { url: '**/b', har: 'large.har' }),
    ]
    expect([first.failed, second.failed]).toEqual([false, false])
    const getLength = `fetch('http://far.test/a').then((r) => r.text()).then((text) => text.length)`
    expect([await evaluate(getLength), await evaluate(getLength)]).toEqual([5, LONG])
    expect(await get('http://far.test/b')).toBe('TypeError')
    await call('mock', { remove: first.data.mocks[0].id })
    await call('mock', { remove: 'all' })
    await call('mock', { har: 'large.har' })
    expect(await get('http://far.test/a')).toBe('first')
    await call('mock', { remove: 'all' })
  })

  test.each([
    ['large-text.har', 'x'.repeat(LONG), 'the whole'],
    [
      'large-list.har',
      { log: { entries: [{ request: { method: 'GET', url: 'x'.repeat(LONG) } }] } },
      'response',
    ],
  ])('that is none is refused: %s', async (name, document, reason) => {
    writeHar(name, document)
    const { data } = await call('mock', { har: name })
    expect(data).toMatchObject({ errorCode: 'INVALID_PARAMETERS', details: { field: 'har' } })
    expect(data.message).toContain(reason)
  })
})

describe('what a page reports at length is cut', () => {
  const readMessages = async () =>
    (await call('console_messages')).data.entries.map(({ message }: { message: string }) => message)

  test('an error, and a line of a worker', async () => {
    await evaluate(
      `setTimeout(() => { throw new Error('thrown ' + 'e"\\\\'.repeat(${LONG / 3})) });
       const code = "console.log('printed ' + 'l'.repeat(${LONG}))";
       new Worker(URL.createObjectURL(new Blob([code]))); 1`,
    )
    const starts = ['uncaught Error: thrown e"\\e"', 'printed lll']
    await until(async () => {
      const messages = await readMessages()
      return starts.every((start) => messages.some((message: string) => message.startsWith(start)))
    })
    expect(await readMessages()).toEqual(
      expect.arrayContaining(starts.map((start) => expect.stringContaining(start))),
    )
    expect(await evaluate('6 * 7')).toBe(42)
  })

  test('most of a flood of lines of a worker, which are counted', async () => {
    await evaluate(
      `const code = "for (let n = 0; n < 20000; n += 1) console.log('flood', n, { n })\\nconsole.error('end', 'of it')";
       new Worker(URL.createObjectURL(new Blob([code]))); 1`,
    )
    await until(async () => (await readMessages()).includes('end of it'))
    const { data } = await call('console_messages', { limit: 1000 })
    const lines = data.entries.filter(({ message }: { message: string }) => message.startsWith('flood'))
    expect(lines[0].message).toMatch(/^flood \d+ \{n: \d+\}$/)
    expect(lines[0].location).toMatchObject({ line: 1, url: expect.stringMatching(/^blob:/) })
    expect(data.dropped).toBeGreaterThan(10_000)
    expect(data.dropped).toBeLessThan(21_000)
  })

  test('what a mocked WebSocket is sent, of which the page gets all', async () => {
    await call('mock', {
      url: 'ws://far.test/',
      answer: { socket: 'm'.repeat(900_000) },
    })
    await call('navigate', { url: `${site.url}/?socket` })
    const length = await evaluate(
      `new Promise((resolve) => { const socket = new WebSocket('ws://far.test/'); socket.onmessage = ({ data }) => resolve(data.length) })`,
    )
    expect(length).toBe(900_000)
    await call('mock', { remove: 'all' })
  })
})

test.each([
  ['/endless', 'larger than 50 MB'],
  ['/hints', 'more than 100 informational responses'],
])('a change of an answer without an end fails: %s', async (path, reason) => {
  await call('mock', { url: `**${path}`, answer: { change: true, status: 201 } })
  expect(await get(path)).toBe('TypeError')
  const { entries } = (await call('network_requests', { pattern: path })).data
  expect(JSON.stringify(entries)).toContain(reason)
  await call('mock', { remove: 'all' })
})

test('a storage state of more than 10 MB is refused', async () => {
  const localStorage = [{ name: 'a', value: 'v'.repeat(10_000_000) }]
  writeHar('state.json', { cookies: [], origins: [{ origin: site.url, localStorage }] })
  const { data } = await call('storage_state', { action: 'load', path: 'state.json' })
  expect(data).toMatchObject({ errorCode: 'INVALID_PARAMETERS', details: { field: 'path' } })
})
