// What host rules keep a page from, through the built binary and real browsers: every URL of the corpus, and every way around a policy
// that a page has. A probe counts only once it has been seen to reach the forbidden server without rules.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createServer } from 'node:http'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { connect, type Peer, readEvidence, share } from '../support/client.ts'
import { corpus } from '../support/corpus.ts'
import { anyBrowser, type TestBrowser } from '../support/engines.ts'
import { type Forbidden, forbidden } from '../support/forbidden.ts'
import { until } from '../support/leftovers.ts'
import { type Pool, pool } from '../support/pool.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const routes: Record<string, (bad: string, port: number) => string> = {
  redirect: () => '',
  iframe: (bad) => `<iframe src="${bad}/iframe"></iframe>`,
  image: (bad) => `<img src="${bad}/image">`,
  script: (bad) => `<script src="${bad}/script"></script>`,
  style: (bad) => `<link rel="stylesheet" href="${bad}/style">`,
  fetch: (bad) => `<script>fetch('${bad}/fetch', { mode: 'no-cors' }).catch(() => {})</script>`,
  beacon: (bad) => `<script>navigator.sendBeacon('${bad}/beacon', 'x')</script>`,
  'event source': (bad) => `<script>new EventSource('${bad}/events')</script>`,
  websocket: (bad) => `<script>new WebSocket('${bad.replace('http', 'ws')}/socket')</script>`,
  'websocket in a worker': (bad) =>
    `<script>new Worker(URL.createObjectURL(new Blob(["new WebSocket('${bad.replace('http', 'ws')}/worker-socket')"])))</script>`,
  'fetch in a worker': (bad) =>
    `<script>new Worker(URL.createObjectURL(new Blob(["fetch('${bad}/worker-fetch', { mode: 'no-cors' })"])))</script>`,
  'fetch in a shared worker': () => `<script>new SharedWorker('/shared.js')</script>`,
  'service worker': () => `<script>navigator.serviceWorker.register('/service.js')</script>`,
  popup: (bad) => `<script>window.open('${bad}/popup')</script>`,
  'meta refresh': (bad) => `<meta http-equiv="refresh" content="0;url=${bad}/refresh">`,
  location: (bad) => `<script>setTimeout(() => { location = '${bad}/location' }, 0)</script>`,
  form: (bad) =>
    `<form method="post" action="${bad}/form"></form><script>document.forms[0].submit()</script>`,
  prefetch: (bad) =>
    `<link rel="prefetch" href="${bad}/prefetch"><link rel="preload" as="image" href="${bad}/preload">`,
  'speculation rules': (bad) =>
    `<script type="speculationrules">{"prefetch":[{"source":"list","urls":["${bad}/speculation"]}],"prerender":[{"source":"list","urls":["${bad}/prerender"]}]}</script>`,
  'redirected image': () => `<img src="/redirect-image">`,
  'WebRTC STUN': (_, port) =>
    `<script>const c = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${port}' }] }); c.createDataChannel('x'); c.createOffer().then((o) => c.setLocalDescription(o))</script>`,
  'WebRTC TURN': (_, port) =>
    `<script>const t = new RTCPeerConnection({ iceTransportPolicy: 'relay', iceServers: [{ urls: 'turn:127.0.0.1:${port}?transport=tcp', username: 'u', credential: 'p' }] }); t.createDataChannel('x'); t.createOffer().then((o) => t.setLocalDescription(o))</script>`,
}

/** What the forbidden server sees of a probe; no two are alike, so what one sends late is not taken for another. */
const arrivals: Record<string, RegExp> = {
  redirect: /\/redirected /,
  'event source': /\/events/,
  websocket: /\/socket/,
  'websocket in a worker': /\/worker-socket/,
  'fetch in a worker': /\/worker-fetch/,
  'fetch in a shared worker': /\/shared/,
  'service worker': /\/service/,
  'meta refresh': /\/refresh/,
  prefetch: /\/prefetch|\/preload/,
  'speculation rules': /\/speculation|\/prerender/,
  'redirected image': /\/redirected-image/,
  'WebRTC STUN': /^packet$/,
  // An Allocate request of TURN.
  'WebRTC TURN': /^\0\x03/,
}
const arrivalOf = (name: string): RegExp => arrivals[name] ?? new RegExp(`/${name} `)

// What an engine does not do even without rules proves nothing with them.
const unknown: Record<string, readonly string[]> = {
  chromium: ['speculation rules'],
  firefox: [
    'speculation rules',
    'service worker',
    'fetch in a shared worker',
    'WebRTC STUN',
    'WebRTC TURN',
    'popup',
  ],
}

const site = (bad: Forbidden): Promise<Site> =>
  serveSite(
    {
      ...Object.fromEntries(
        Object.entries(routes).map(([name, make]) => [
          `/${name.replaceAll(' ', '-')}`,
          page(`${make(bad.url, bad.port)}<p>done</p>`, name),
        ]),
      ),
      '/redirect': (_, response) => response.writeHead(302, { location: `${bad.url}/redirected` }).end(),
      '/redirect-image': (_, response) =>
        response.writeHead(302, { location: `${bad.url}/redirected-image` }).end(),
      '/shared.js': (_, response) =>
        response
          .writeHead(200, { 'content-type': 'text/javascript' })
          .end(`fetch('${bad.url}/shared', { mode: 'no-cors' })`),
      '/service.js': (_, response) =>
        response
          .writeHead(200, { 'content-type': 'text/javascript' })
          .end(`fetch('${bad.url}/service', { mode: 'no-cors' }).catch(() => {})`),
    },
    page('<p>nothing</p>'),
  )

type Place = { readonly bad: Forbidden; readonly good: Site }
async function createPlace(): Promise<Place> {
  const bad = await forbidden()
  return { bad, good: await site(bad) }
}

// Chromium with windows has the guard of the headless one; it has its turn with what is the same in all browsers.
const browsers: readonly [TestBrowser, ...string[]][] = anyBrowser.includes('chromium')
  ? [['chromium'], ['firefox']]
  : [['chromium', '--executable-path', '/usr/bin/chromium']]

describe.each(browsers)('%s %s', (browser, ...more) => {
  // One session with rules and one without take all probes of a lane.
  let lanes: readonly { readonly open: Place; readonly kept: Place; readonly sessionIds: string[] }[]
  let places: Pool<(typeof lanes)[number]>
  let free: Peer
  let ruled: Peer
  beforeAll(async () => {
    lanes = await Promise.all(
      Array.from({ length: 2 }, async () => ({
        open: await createPlace(),
        kept: await createPlace(),
        sessionIds: [],
      })),
    )
    places = pool(lanes)
    const start = (...rules: string[]) =>
      connect({ args: ['--headless', '--browser', browser, ...more, ...rules] })
    const hosts = lanes.map(({ kept }) => `127.0.0.1:${new URL(kept.good.url).port}`)
    ;[free, ruled] = await Promise.all([start(), start('--allowed-hosts', hosts.join(','))])
    for (const { sessionIds } of lanes) sessionIds.push(await free.session(), await ruled.session())
  }, 300_000)
  afterAll(async () => {
    await Promise.all([free.close(), ruled.close()])
    for (const { open, kept } of lanes) {
      expect(kept.bad.seen).toEqual([])
      for (const { bad, good } of [open, kept]) {
        good.close()
        bad.close()
      }
    }
  }, 300_000)

  test.concurrent.each(Object.keys(routes))(
    '%s',
    (name) =>
      places.with(async ({ open: { bad, good }, kept, sessionIds: [freeId, ruledId] }) => {
        const path = `/${name.replaceAll(' ', '-')}`
        const request = (peer: Peer, sessionId: string | undefined, { url }: Site) =>
          peer.call('navigate', { sessionId, url: url + path, timeout: 20_000 })
        await request(free, freeId, good)
        const known = !unknown[browser]?.includes(name)
        const reached = await until(
          () => bad.seen.some((line) => arrivalOf(name).test(line)),
          known ? 20_000 : 200,
        )
        if (known) expect([name, reached]).toEqual([name, true])
        const arrived = await request(ruled, ruledId, kept.good)
        expect(kept.good.hits).toContain(path)
        // What would come late has this long; without rules it came at once.
        await Bun.sleep(reached ? 200 : 50)
        expect(kept.bad.seen).toEqual([])
        if (name === 'redirect')
          expect(arrived.data).toMatchObject({
            errorCode: 'ACCESS_DENIED',
            details: { host: '127.0.0.1', port: kept.bad.port },
          })
      }),
    180_000,
  )
})

describe('the corpus through navigate', () => {
  let peer: Peer
  let sessionId: string
  beforeAll(async () => {
    peer = await share()
    sessionId = await peer.session({ allowedDomains: ['app.example', '*.cdn.example'] })
  })
  afterAll(() => peer.close())
  // The allowed hosts do not exist here: what is allowed fails to resolve, and the dev server's port is not granted to this session.
  const denied = corpus.filter(({ expected }) => expected !== 'A')
  test.each(denied.map(({ url, expected }) => [url, expected] as const))('%j → %s', async (url, expected) => {
    const { data } = await peer.call('navigate', { sessionId, url, timeout: 3000 })
    expect(data.errorCode).toBe(expected === 'M' ? 'INVALID_PARAMETERS' : 'ACCESS_DENIED')
  })
  test('what is allowed is tried', async () => {
    for (const url of ['http://app.example/', 'https://img.cdn.example/']) {
      const { data } = await peer.call('navigate', { sessionId, url, timeout: 3000 })
      expect(data.errorCode ?? data.status).not.toBe('ACCESS_DENIED')
    }
    expect((await peer.call('navigate', { sessionId, url: 'about:blank' })).failed).toBe(false)
  })
})

test('the dev server of a session is always allowed, and nothing else on this machine', async () => {
  const other = await serveSite({}, page('other'))
  const peer = await share()
  const script =
    "require('http').createServer((q, r) => { r.setHeader('content-type', 'text/html'); r.end('<title>Mine</title><img src=\"" +
    other.url +
    "/pixel\">') }).listen(process.env.PORT, '127.0.0.1')"
  const { data } = await peer.call('create_session', {
    allowedDomains: ['example.com'],
    command: ['node', '-e', script],
  })
  const { sessionId, url } = data
  expect((await peer.call('navigate', { sessionId, url })).data).toMatchObject({ title: 'Mine', status: 200 })
  const refused = await peer.call('navigate', { sessionId, url: other.url })
  expect(refused.data).toMatchObject({
    errorCode: 'ACCESS_DENIED',
    category: 'security',
    details: { rule: expect.any(String) },
    message: expect.stringMatching(/Allowed: example\.com, .* add 127\.0\.0\.1:\d+ to allowedDomains/),
  })
  const { entries } = (await peer.call('network_requests', { sessionId, filter: 'failed' })).data
  expect(JSON.stringify(entries)).toContain('ACCESS_DENIED')
  expect(other.hits).toEqual([])
  const fail = () => peer.call('click', { sessionId, selector: '#none', timeout: 100 })
  const { evidence } = await readEvidence(fail, 'requests')
  expect(JSON.stringify(evidence.requests)).toContain('ACCESS_DENIED')
  expect((await peer.call('create_session', { allowedDomains: ['http://x'] })).data).toMatchObject({
    errorCode: 'INVALID_PARAMETERS',
    details: { field: 'allowedDomains[0]' },
  })
  await peer.close()
  other.close()
})

test('the port of a dev server that has ended belongs to nobody else', async () => {
  const peer = await share()
  const script =
    "require('http').createServer((q, r) => { r.setHeader('content-type', 'text/html'); r.end('<title>Mine</title>', () => q.url === '/end' && process.exit()) }).listen(process.env.PORT, '127.0.0.1')"
  const { sessionId, url, port } = (
    await peer.call('create_session', { allowedDomains: ['example.com'], command: ['node', '-e', script] })
  ).data
  const open = async (path = '') => (await peer.call('navigate', { sessionId, url: url + path })).data
  expect(await open('end')).toMatchObject({ title: 'Mine' })
  const isEnded = async () => (await peer.call('get_session_status', { sessionId })).data.status === 'stopped'
  expect(await until(isEnded)).toBe(true)
  expect((await open()).errorCode).toBe('NAVIGATION_FAILED')
  const hits: string[] = []
  const other = createServer((request, response) => {
    hits.push(request.url ?? '')
    response.end('other')
  })
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
  expect((await open()).errorCode).toBe('ACCESS_DENIED')
  expect(hits).toEqual([])
  await new Promise((resolve) => other.close(resolve))
  const restarted = await peer.call('restart_server', { sessionId })
  expect(restarted.failed).toBe(false)
  expect(await open()).toMatchObject({ title: 'Mine' })
  await peer.close()
})

describe('consent', () => {
  const listed = ['--allowed-hosts', 'example.com']
  const started = async (
    answer: 'yes' | 'no' | 'decline' | 'cancel' | 'silence' | 'none',
    list: readonly string[] = listed,
  ) => {
    const peer = await connect({
      args: ['--headless', '--ask-hosts', ...list],
      ...(answer !== 'none' && { elicitation: true }),
    })
    const asked: string[] = []
    if (answer !== 'none')
      peer.client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
        asked.push(params.message)
        if (answer === 'silence') return new Promise<never>(() => {})
        if (answer === 'decline' || answer === 'cancel') return { action: answer }
        return { action: 'accept' as const, content: { allow: answer === 'yes' } }
      })
    return { peer, asked, sessionId: await peer.session() }
  }
  // An address that is asked about and never granted, so that nothing leaves this machine.
  const url = 'http://93.184.216.34/'
  const nowhere = 'http://nobody.invalid/'
  test('accepted, without any list: the host and port of that session, and no other', async () => {
    const one = await serveSite({}, page('one', 'One'))
    const two = await serveSite({}, page('two', 'Two'))
    const { peer, asked, sessionId } = await started('yes', [])
    const titleOf = async (to: string, session = sessionId) =>
      (await peer.call('navigate', { sessionId: session, url: to })).data.title
    expect(await titleOf(one.url)).toBe('One')
    expect(asked).toEqual([
      expect.stringContaining(
        `127.0.0.1 on port ${new URL(one.url).port}, which no rule allows. It resolves to 127.0.0.1.`,
      ),
    ])
    expect([await titleOf(one.url), asked.length]).toEqual(['One', 1])
    expect([await titleOf(two.url), asked.length]).toEqual(['Two', 2])
    expect([await titleOf(one.url, await peer.session()), asked.length]).toEqual(['One', 3])
    expect([await titleOf(one.url.replace('127.0.0.1', 'localhost')), asked.length]).toEqual(['One', 4])
    expect(asked[3]).toContain('localhost on port')
    expect(asked[3]).toContain('resolves to')
    expect(asked[3]).toContain('127.0.0.1')
    await peer.close()
    one.close()
    two.close()
  })
  test('without a list every host is asked about but the own server; a no keeps it from the page', async () => {
    const other = await serveSite({}, page('other'))
    const { peer, asked } = await started('no', [])
    const script = `require('http').createServer((q, r) => { r.setHeader('content-type', 'text/html'); r.end('<title>Mine</title><img src="${other.url}/pixel">') }).listen(process.env.PORT, '127.0.0.1')`
    const { sessionId, url: mine } = (await peer.call('create_session', { command: ['node', '-e', script] }))
      .data
    const request = async (to: string) => (await peer.call('navigate', { sessionId, url: to })).data
    expect(await request(mine)).toMatchObject({ title: 'Mine' })
    expect(asked).toEqual([])
    for (const [count, to] of [other.url, url, 'http://10.255.255.254/'].entries())
      expect([(await request(to)).errorCode, asked.length]).toEqual(['ACCESS_DENIED', count + 1])
    for (const never of [
      'http://169.254.169.254/',
      'http://metadata.google.internal/',
      'http://[fd00:ec2::254]/',
    ])
      expect([(await request(never)).errorCode, asked.length]).toEqual(['ACCESS_DENIED', 3])
    expect(other.hits).toEqual([])
    await peer.close()
    other.close()
  })
  test('a name that leads nowhere is not asked about, and the answer says so', async () => {
    const { peer, asked, sessionId } = await started('yes')
    expect((await peer.call('navigate', { sessionId, url: nowhere })).data).toMatchObject({
      errorCode: 'NAVIGATION_FAILED',
      message: expect.stringContaining('nobody.invalid was not found'),
    })
    expect(asked).toEqual([])
    await peer.close()
  })
  test.each(['no', 'decline', 'cancel', 'none'] as const)('%s is a no', async (answer) => {
    const { peer, asked, sessionId } = await started(answer)
    const { data } = await peer.call('navigate', { sessionId, url })
    expect([data.errorCode, asked.length]).toEqual(['ACCESS_DENIED', answer === 'none' ? 0 : 1])
    for (const never of ['http://169.254.169.254/', 'http://127.0.0.1:1/', 'http://[fd00:ec2::254]/'])
      expect((await peer.call('navigate', { sessionId, url: never })).data.errorCode).toBe('ACCESS_DENIED')
    expect(asked.length).toBe(answer === 'none' ? 0 : 1)
    // Where nobody can be asked no name is resolved.
    if (answer === 'none')
      expect((await peer.call('navigate', { sessionId, url: nowhere })).data.errorCode).toBe('ACCESS_DENIED')
    await peer.close()
  })
  test('row 61: of two answers the first one counts', async () => {
    const peer = await connect({
      args: ['--headless', '--ask-hosts', '--allowed-hosts', 'example.com'],
      elicitation: true,
    })
    peer.client.setRequestHandler(ElicitRequestSchema, async (_, { requestId }) => {
      const second = { action: 'accept', content: { allow: true } }
      setImmediate(() => void peer.client.transport?.send({ jsonrpc: '2.0', id: requestId, result: second }))
      return { action: 'decline' }
    })
    const sessionId = await peer.session()
    for (let round = 0; round < 2; round += 1)
      expect((await peer.call('navigate', { sessionId, url })).data.errorCode).toBe('ACCESS_DENIED')
    await peer.close()
  })
  test('row 61: a question that nobody answers blocks only its own call', async () => {
    const { peer, sessionId } = await started('silence')
    const waiting = peer.call('navigate', { sessionId, url }).catch(() => {})
    const other = await peer.session()
    expect((await peer.call('evaluate', { sessionId: other, script: '1 + 1' })).data.result).toBe(2)
    expect((await peer.call('evaluate', { sessionId, script: '1 + 1' })).data.result).toBe(2)
    await peer.close()
    await waiting
  })
})
