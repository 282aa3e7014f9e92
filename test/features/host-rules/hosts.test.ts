// What host rules keep a page from, through the built binary and real browsers: every URL of the corpus, and every way around a policy
// that a page has. A probe counts only once it has been seen to reach the forbidden server without rules.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createServer } from 'node:http'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { connect, type Peer, readEvidence, share } from '../../support/client.ts'
import { corpus } from '../../support/corpus.ts'
import { anyBrowser, type TestBrowser } from '../../support/engines.ts'
import { type Forbidden, forbidden } from '../../support/forbidden.ts'
import { until } from '../../support/leftovers.ts'
import { page, serveSite, type Site } from '../../support/site.ts'

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

/** These lead the page away; all others are in one page. */
const leaving = ['redirect', 'meta refresh', 'location', 'form']
const probes: readonly (readonly [path: string, names: readonly string[]])[] = [
  ['/together', Object.keys(routes).filter((name) => !leaving.includes(name))],
  ...leaving.map((name) => [`/${name.replaceAll(' ', '-')}`, [name]] as const),
]

const site = ({ url, port }: Forbidden): Promise<Site> =>
  serveSite(
    {
      ...Object.fromEntries(
        probes.map(([path, names]) => [
          path,
          page(`${names.map((name) => routes[name]?.(url, port)).join('')}<p>done</p>`, path),
        ]),
      ),
      '/redirect': (_, response) => response.writeHead(302, { location: `${url}/redirected` }).end(),
      '/redirect-image': (_, response) =>
        response.writeHead(302, { location: `${url}/redirected-image` }).end(),
      '/shared.js': (_, response) =>
        response
          .writeHead(200, { 'content-type': 'text/javascript' })
          .end(`fetch('${url}/shared', { mode: 'no-cors' })`),
      '/service.js': (_, response) =>
        response
          .writeHead(200, { 'content-type': 'text/javascript' })
          .end(`fetch('${url}/service', { mode: 'no-cors' }).catch(() => {})`),
    },
    page('<p>nothing</p>'),
  )

// Chromium with windows has the guard of the headless one; it has its turn with what is the same in all browsers.
const browsers: readonly [TestBrowser, ...string[]][] = anyBrowser.includes('chromium')
  ? [['chromium'], ['firefox']]
  : [['chromium', '--executable-path', '/usr/bin/chromium']]

describe.each(browsers)('%s %s', (browser, ...more) => {
  let [openBad, keptBad]: Forbidden[] = []
  let [openSite, keptSite]: Site[] = []
  let [free, ruled]: Peer[] = []
  let [freeId, ruledId] = ['', '']
  beforeAll(async () => {
    ;[openBad, keptBad] = await Promise.all([forbidden(), forbidden()])
    ;[openSite, keptSite] = await Promise.all([site(openBad), site(keptBad)])
    const start = (...rules: string[]) =>
      connect({ args: ['--headless', '--browser', browser, ...more, ...rules] })
    ;[free, ruled] = await Promise.all([
      more.length === 0 ? share(browser) : start(),
      start('--allowed-hosts', new URL(keptSite.url).host),
    ])
    ;[freeId, ruledId] = await Promise.all([free.session(), ruled.session()])
  }, 300_000)
  afterAll(async () => {
    await Promise.all([free?.close(), ruled?.close()])
    expect(keptBad?.seen).toEqual([])
    for (const server of [openSite, keptSite, openBad, keptBad]) server?.close()
  }, 300_000)

  test.each(probes)(
    '%s',
    async (path, names) => {
      const request = (peer: Peer | undefined, sessionId: string, to: Site | undefined) =>
        peer?.call('navigate', { sessionId, url: `${to?.url}${path}`, timeout: 20_000 })
      await request(free, freeId, openSite)
      const known = names.filter((name) => !unknown[browser]?.includes(name))
      const missing = () => known.filter((name) => !openBad?.seen.some((line) => arrivalOf(name).test(line)))
      await until(() => missing().length === 0, 30_000)
      expect(missing()).toEqual([])
      const arrived = await request(ruled, ruledId, keptSite)
      expect(keptSite?.hits).toContain(path)
      // What would come late has this long; without rules it came at once.
      await Bun.sleep(300)
      expect(keptBad?.seen).toEqual([])
      if (path === '/redirect')
        expect(arrived?.data).toMatchObject({
          errorCode: 'ACCESS_DENIED',
          details: { host: '127.0.0.1', port: keptBad?.port },
        })
    },
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
  let answer: 'yes' | 'no' | 'decline' | 'cancel' | 'twice' | 'silence'
  let asked: string[] = []
  let [withList, withoutList]: Peer[] = []
  const start = async (args: readonly string[], elicitation = true) => {
    const peer = await connect({ args: ['--headless', '--ask-hosts', ...args], elicitation })
    if (elicitation)
      peer.client.setRequestHandler(ElicitRequestSchema, async ({ params }, { requestId }) => {
        asked.push(params.message)
        if (answer === 'silence') return new Promise<never>(() => {})
        if (answer === 'decline' || answer === 'cancel') return { action: answer }
        const accepted = { action: 'accept' as const, content: { allow: answer !== 'no' } }
        if (answer !== 'twice') return accepted
        const second = { jsonrpc: '2.0' as const, id: requestId, result: accepted }
        setImmediate(() => void peer.client.transport?.send(second))
        return { action: 'decline' as const }
      })
    return peer
  }
  const listed = ['--allowed-hosts', 'example.com']
  beforeAll(async () => {
    ;[withList, withoutList] = await Promise.all([start(listed), start([])])
  })
  beforeEach(() => {
    asked = []
  })
  afterAll(async () => {
    await Promise.all([withList?.close(), withoutList?.close()])
  })
  const open = async (peer: Peer | undefined) => {
    const sessionId = await peer?.session()
    return async (url: string) => (await peer?.call('navigate', { sessionId, url }))?.data
  }
  // An address that is asked about and never granted, so that nothing leaves this machine.
  const url = 'http://93.184.216.34/'
  const nowhere = 'http://nobody.invalid/'
  test('accepted, without any list: the host and port of that session, and no other', async () => {
    answer = 'yes'
    const one = await serveSite({}, page('one', 'One'))
    const two = await serveSite({}, page('two', 'Two'))
    const request = await open(withoutList)
    const titleOf = async (to: string, from = request) => (await from(to)).title
    expect(await titleOf(one.url)).toBe('One')
    expect(asked).toEqual([
      expect.stringContaining(
        `127.0.0.1 on port ${new URL(one.url).port}, which no rule allows. It resolves to 127.0.0.1.`,
      ),
    ])
    expect([await titleOf(one.url), asked.length]).toEqual(['One', 1])
    expect([await titleOf(two.url), asked.length]).toEqual(['Two', 2])
    expect([await titleOf(one.url, await open(withoutList)), asked.length]).toEqual(['One', 3])
    expect([await titleOf(one.url.replace('127.0.0.1', 'localhost')), asked.length]).toEqual(['One', 4])
    expect(asked[3]).toContain('localhost on port')
    expect(asked[3]).toContain('resolves to')
    expect(asked[3]).toContain('127.0.0.1')
    one.close()
    two.close()
  })
  test('without a list every host is asked about but the own server; a no keeps it from the page', async () => {
    answer = 'no'
    const other = await serveSite({}, page('other'))
    const script = `require('http').createServer((q, r) => { r.setHeader('content-type', 'text/html'); r.end('<title>Mine</title><img src="${other.url}/pixel">') }).listen(process.env.PORT, '127.0.0.1')`
    const created = await withoutList?.call('create_session', { command: ['node', '-e', script] })
    const { sessionId, url: mine } = created?.data
    const request = async (to: string) => (await withoutList?.call('navigate', { sessionId, url: to }))?.data
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
    other.close()
  })
  test('a name that leads nowhere is not asked about, and the answer says so', async () => {
    answer = 'yes'
    expect(await (await open(withList))(nowhere)).toMatchObject({
      errorCode: 'NAVIGATION_FAILED',
      message: expect.stringContaining('nobody.invalid was not found'),
    })
    expect(asked).toEqual([])
  })
  const neverAsked = ['http://169.254.169.254/', 'http://127.0.0.1:1/', 'http://[fd00:ec2::254]/']
  // Row 61: of two answers the first one counts.
  test.each(['no', 'decline', 'cancel', 'twice'] as const)('%s is a no', async (given) => {
    answer = given
    const request = await open(withList)
    expect([(await request(url)).errorCode, asked.length]).toEqual(['ACCESS_DENIED', 1])
    for (const to of neverAsked) expect((await request(to)).errorCode).toBe('ACCESS_DENIED')
    expect(asked.length).toBe(1)
    if (given === 'twice') expect((await request(url)).errorCode).toBe('ACCESS_DENIED')
  })
  test('where nobody can be asked it is a no, and no name is resolved', async () => {
    const peer = await start(listed, false)
    const request = await open(peer)
    for (const to of [url, ...neverAsked, nowhere])
      expect((await request(to)).errorCode).toBe('ACCESS_DENIED')
    await peer.close()
  })
  test('row 61: a question that nobody answers blocks only its own call', async () => {
    answer = 'silence'
    const peer = await start(listed)
    const sessionId = await peer.session()
    const waiting = peer.call('navigate', { sessionId, url }).catch(() => {})
    const other = await peer.session()
    expect((await peer.call('evaluate', { sessionId: other, script: '1 + 1' })).data.result).toBe(2)
    expect((await peer.call('evaluate', { sessionId, script: '1 + 1' })).data.result).toBe(2)
    await peer.close()
    await waiting
  })
})
