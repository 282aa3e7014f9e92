import { expect, test } from 'bun:test'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createGridSource } from '../../../src/features/remote/grid-source.ts'
import { parseRemoteAddress } from '../../../src/features/remote/remote-address.ts'
import { until } from '../../support/leftovers.ts'
import { serveSite } from '../../support/site.ts'

interface Request {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
  readonly body: any
}

/** A hub of one node with one place, which leaves requests for a session without an answer. */
async function serveHub() {
  const requests: Request[] = []
  const sessions: { sessionId: string; uri: string; capabilities: Record<string, unknown> }[] = []
  const queue: any[] = []
  const send = (response: ServerResponse, value: unknown) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ value }))
  const site = await serveSite({}, async (request: IncomingMessage, response) => {
    const [method = '', path = ''] = [request.method, request.url]
    const text = await new Response(request as unknown as ReadableStream).text().catch(() => '')
    const body = text === '' ? undefined : JSON.parse(text)
    requests.push({ method, path, authorization: request.headers.authorization, body })
    if (method === 'POST') return void queue.push(body.capabilities.alwaysMatch)
    if (method === 'DELETE') {
      sessions.splice(0)
      return send(response, null)
    }
    if (path.endsWith('/queue')) return send(response, queue)
    const slots = [{ session: sessions[0] ?? null }]
    return send(response, { ready: true, nodes: [{ availability: 'UP', maxSessions: 1, slots }] })
  })
  return {
    ...site,
    requests,
    /** Gives the place to the request that waits. */
    serveQueue: () =>
      sessions.push(
        ...queue.splice(0).map((capabilities) => ({ sessionId: 'late', uri: site.url, capabilities })),
      ),
  }
}

const start = (url: string) => {
  const ends: string[] = []
  const source = createGridSource({
    address: parseRemoteAddress(url),
    capabilities: { platformName: 'linux', 'goog:chromeOptions': { args: ['--no-first-run'] } },
    name: 'test',
    nodeHosts: [],
    timeoutMs: 100,
    onNotice: () => {},
    guard: () => () => void ends.push('guard'),
  })
  return { source, ends }
}

test('a request that the Grid does not serve in time fails with its state, and becomes no session of nobody', async () => {
  const hub = await serveHub()
  const { source, ends } = start(hub.url.replace('//', '//me:secret@'))
  const opened = await source.open({ browser: 'chromium', headless: true, place: 0 })
  expect(opened).toMatchObject({ ok: false, error: { code: 'BROWSER_ERROR' } })
  expect(JSON.stringify(opened)).toContain('no place was free within 100 ms (0 of 1 in use, 1 in the queue)')
  expect(JSON.stringify(opened)).not.toContain('secret')
  const full = await source.open({ browser: 'chromium', headless: true, place: 0 })
  expect(full).toMatchObject({ ok: false, error: { code: 'MAX_SESSIONS_REACHED', grid: { queued: 1 } } })
  hub.serveQueue()
  expect(
    await until(() =>
      hub.requests.some(({ method, path }) => method === 'DELETE' && path === '/session/late'),
    ),
  ).toBe(true)
  await source.end()
  expect(ends).toEqual(['guard'])
  const [request] = hub.requests.filter(({ method }) => method === 'POST')
  expect(request).toMatchObject({
    authorization: `Basic ${btoa('me:secret')}`,
    body: {
      capabilities: {
        alwaysMatch: {
          browserName: 'chrome',
          platformName: 'linux',
          'goog:chromeOptions': { args: ['--headless=new', '--no-first-run'] },
        },
      },
    },
  })
  hub.close()
})

test('Firefox of a Grid is refused before the Grid is asked', async () => {
  const { source } = start('http://127.0.0.1:9')
  expect(await source.open({ browser: 'firefox', headless: true, place: 0 })).toMatchObject({
    ok: false,
    error: { code: 'BROWSER_ERROR', text: 'firefox of a Grid cannot be driven: it has no CDP address' },
  })
})
