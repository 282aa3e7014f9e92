// Requests that a mock answers, changes, fails, delays or counts, on each engine: what the page gets, and how it is marked.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { share, type SharedPeer } from '../../support/client.ts'
import { bothBrowsers } from '../../support/engines.ts'
import { until } from '../../support/leftovers.ts'
import { page, serveSite, type Site } from '../../support/site.ts'

const worker = `
self.oninstall = () => self.skipWaiting()
self.onactivate = (event) => event.waitUntil(clients.claim())
self.onfetch = (event) => { if (event.request.url.includes('/api/')) event.respondWith(new Response('of the worker')) }`

describe.each(bothBrowsers)('%s', (browser) => {
  let site: Site
  let peer: SharedPeer
  let sessionId: string

  beforeAll(async () => {
    site = await serveSite(
      {
        '/': page('<h1>Shop</h1>', 'Shop'),
        '/sw.js': (_, response) => {
          response.writeHead(200, { 'content-type': 'text/javascript' })
          response.end(worker)
        },
        '/api/cart': (_, response) => {
          response.writeHead(200, { 'content-type': 'application/json', 'x-server': 'real' })
          response.end('{"total":10,"items":[1,2],"coupon":"none"}')
        },
      },
      (request, response) => response.end(`real ${request.method}`),
    )
    peer = await share(browser)
    writeFileSync(join(peer.folder, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
    sessionId = await peer.session()
    await call('navigate', { url: site.url })
  }, 300_000)
  afterAll(async () => {
    await peer.close()
    site.close()
  })

  const call = (tool: string, input: Record<string, unknown> = {}) => peer.call(tool, { sessionId, ...input })
  const evaluate = async (script: string) => (await call('evaluate', { script })).data.result
  const get = (path: string, options = '{}') =>
    evaluate(
      `fetch(${JSON.stringify(path)}, ${options}).then(async (r) => [r.status, r.headers.get('content-type'), await r.text()], (e) => e.name)`,
    )
  const clear = () => call('mock', { remove: 'all' })

  test('answers by URL and method, a number of times, and marks the requests', async () => {
    const added = await call('mock', {
      url: '**/api/users',
      method: 'POST',
      answer: { status: 503, json: { error: 'full' }, times: 1 },
    })
    expect(added.data.mocks).toEqual([
      { id: 'm1', method: 'POST', url: '**/api/users', answer: '503 json', matches: 0, times: 1 },
    ])
    await call('mock', { url: '/\\/api\\/(users|teams)$/' })
    const post = `{ method: 'POST', body: 'a' }`
    expect(await get('/api/users', post)).toEqual([503, 'application/json', '{"error":"full"}'])
    expect(await get('/api/users', post)).toEqual([200, null, 'real POST'])
    expect(await get('/api/teams')).toEqual([200, null, 'real GET'])
    const { entries } = (await call('network_requests', { pattern: '/api/' })).data
    expect(entries.map(({ status, mock }: any) => [status, mock])).toEqual([
      [503, 'm1'],
      [200, undefined],
      [200, undefined],
    ])
    const timeline = await call('timeline', { limit: 100 })
    expect(JSON.stringify(timeline.data.entries)).toContain('/api/users → 503 (mock m1)')
    const { data, result } = await call('mock')
    expect(data.mocks.map(({ id, matches }: any) => [id, matches])).toEqual([
      ['m1', 1],
      ['m2', 3],
    ])
    expect(JSON.stringify(result.content)).toContain('m1 POST **/api/users → 503 json; requests: 1 of 1')
    expect((await call('mock', { remove: 'm1' })).data.mocks).toHaveLength(1)
    expect((await clear()).data.mocks).toEqual([])
  })

  test('changes, fails and delays what the server sends; a body can be a file', async () => {
    await call('mock', { url: '/api/cart', answer: { change: true, json: { total: 99, coupon: null } } })
    expect(await get('/api/cart')).toEqual([200, 'application/json', '{"total":99,"items":[1,2]}'])
    await call('mock', {
      url: '/api/cart',
      answer: { change: true, status: 500, headers: { 'X-Test': 'a' } },
    })
    expect(await get('/api/cart')).toEqual([
      500,
      'application/json',
      '{"total":10,"items":[1,2],"coupon":"none"}',
    ])
    await call('mock', { url: '/api/broken', answer: { fail: true } })
    expect(await get('/api/broken')).toBe('TypeError')
    const failed = await call('network_requests', { filter: 'failed', pattern: 'broken' })
    expect(failed.data.entries[0]).toMatchObject({ state: 'failed' })
    expect(failed.data.entries[0].mock).toMatch(/^m\d+$/)
    const { evidence } = (await call('click', { selector: '#none', timeout: 50 })).data
    expect(evidence.requests.join()).toMatch(/\/api\/broken → \S+ \(mock m\d+\)/)
    await call('mock', { url: '/api/late', answer: { delay: 400 } })
    const ms = await evaluate(
      `(async () => { const start = performance.now(); await fetch('/api/late'); return performance.now() - start })()`,
    )
    expect(ms).toBeGreaterThanOrEqual(395)
    await call('mock', { url: '**/logo', answer: { path: 'logo.svg' } })
    expect(await get('/logo')).toEqual([
      200,
      'image/svg+xml; charset=utf-8',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
    ])
    await clear()
  })

  test('opens pages of hosts that do not exist', async () => {
    await call('mock', {
      url: 'https://shop.invalid/',
      answer: { body: '<title>Mock</title><h1>Hello</h1>' },
    })
    expect((await call('navigate', { url: 'https://shop.invalid/' })).data.title).toBe('Mock')
    await clear()
    await call('navigate', { url: site.url })
  })

  test('sends a stream', async () => {
    const stream = ['one', { event: 'step', data: { n: 2 }, id: '7' }, { data: 'a\nb' }]
    await call('mock', { url: '/stream', answer: { stream } })
    const source = await evaluate(`new Promise((resolve) => {
      const seen = [], source = new EventSource('/stream')
      const add = (event) => seen.push([event.type, event.data, event.lastEventId])
      source.onmessage = add
      source.addEventListener('step', add)
      source.onerror = () => { source.close(); resolve(seen) }
    })`)
    expect(source).toEqual([
      ['message', 'one', ''],
      ['step', '{"n":2}', '7'],
      ['message', 'a\nb', '7'],
    ])
    expect((await get('/stream'))[2]).toBe(
      'data: one\n\nid: 7\nevent: step\ndata: {"n":2}\n\ndata: a\ndata: b\n\n',
    )
    // An EventSource would connect again and again.
    const { entries } = (await call('network_requests', { pattern: '/stream', limit: 2 })).data
    const bodies = await Promise.all(
      entries.map(async ({ seq }: any) => (await call('network_requests', { id: seq, part: 'body' })).data),
    )
    expect(bodies.map(({ response }) => response.body.split('\n', 1)[0])).toEqual([
      'retry: 86400000',
      'data: one',
    ])
    await clear()
  })

  test('service workers do not answer before a mock', async () => {
    await evaluate(
      `navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(() => new Promise((resolve) => navigator.serviceWorker.controller ? resolve() : (navigator.serviceWorker.oncontrollerchange = resolve)))`,
    )
    expect((await get('/api/a'))[2]).toBe('of the worker')
    const { data } = await call('mock', { url: '/api/', answer: { body: 'of the mock' } })
    expect(data.notes.join()).toMatch(/^A service worker controlled http.*: it was unregistered/)
    expect((await get('/api/a'))[2]).toBe('of the mock')
    expect(await evaluate(`navigator.serviceWorker.register('/sw.js').catch((error) => error.name)`)).toBe(
      'SecurityError',
    )
    await clear()
    // One that was registered before controls no page that is opened later.
    await call('navigate', { url: site.url })
    await evaluate(
      `navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(() => 1)`,
    )
    await call('navigate', { url: 'about:blank' })
    const { data: second } = await call('mock', { url: '/api/', answer: { body: 'again' } })
    expect(second).not.toHaveProperty('notes')
    await call('navigate', { url: site.url })
    await call('wait_for', { text: 'Shop' })
    expect((await get('/api/a'))[2]).toBe('again')
    await clear()
  })

  test('a page that is had twice has the same time and the same random values', async () => {
    const read = async () => {
      await call('navigate', { url: site.url })
      return evaluate(
        `[new Date().toISOString(), Math.random(), crypto.randomUUID(), [...crypto.getRandomValues(new Uint16Array(3))], Date.now() - new Date()]`,
      )
    }
    const before = await read()
    await call('mock', { clock: '2030-01-02T03:04:05Z', seed: 7 })
    const first = await read()
    expect(first[0]).toBe('2030-01-02T03:04:05.000Z')
    expect(first[2]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(await read()).toEqual(first)
    expect(before).not.toEqual(first)
    await clear()
    const after = await read()
    expect(after[1]).not.toBe(first[1])
    expect(Math.abs(Date.parse(after[0]) - Date.now())).toBeLessThan(600_000)
  })

  test.each([
    [{ answer: { status: 200 } }, 'url'],
    [{ url: '/a', answer: { status: 99 } }, 'answer.status'],
    [{ url: '/a', answer: { path: 'none.txt' } }, 'answer.path'],
    [{ remove: 'm99' }, 'remove'],
    [{ har: 'save' }, 'har'],
    [{ har: 'record', url: '/a' }, 'url'],
    [{ har: 'logo.svg' }, 'har'],
  ])('refuses %j', async (input, field) => {
    expect((await call('mock', input)).data).toMatchObject({
      errorCode: 'INVALID_PARAMETERS',
      details: { field },
    })
    expect((await call('mock')).data.mocks).toEqual([])
  })

  test('reads no file outside of the workspace', async () => {
    const outside = await call('mock', { url: '/a', answer: { path: '/etc/passwd' } })
    expect(outside.data.errorCode).toBe('ACCESS_DENIED')
    expect((await call('mock', { har: '/etc/passwd' })).data.errorCode).toBe('ACCESS_DENIED')
  })

  test('a request that waits does not keep its session open', async () => {
    await call('mock', { url: '/api/never', answer: { delay: 600_000 } })
    await evaluate(`void fetch('/api/never').catch(() => {})`)
    const readRequests = async () => (await call('network_requests', { pattern: 'never' })).data.entries
    // Firefox may report a request after it has answered who caused it.
    await until(async () => (await readRequests()).length > 0)
    expect(await readRequests()).toMatchObject([{ state: 'pending', mock: expect.any(String) }])
    expect((await call('close_session')).data).toMatchObject({ success: true })
  })
})
