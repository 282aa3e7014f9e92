// The URL corpus by the other ways that a page has: as redirect target, fetch, WebSocket, in a worker and as a popup. The allowed hosts do
// not exist here, so what passes the egress proxy answers 502 and what does not 403; both are seen.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { originOf } from '../../src/core/base/network/host-rules.ts'
import { connect, type Peer } from '../support/client.ts'
import { corpus } from '../support/corpus.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const pages = corpus.filter(
  ({ url, expected }) =>
    /[APHR]/.test(expected) && URL.canParse(url) && /^http:$/.test(new URL(url).protocol),
)
const addresses = (wanted: RegExp) => [
  ...new Set(pages.filter(({ expected }) => wanted.test(expected)).map(({ url }) => new URL(url).href)),
]
// The dev server of the corpus belongs to no session here, and these ports no page may use in any browser.
const own = (url: string) => /:(3000|22|25)\//.test(url)
const allowed = addresses(/A/).filter((url) => !own(url))
const denied = addresses(/[PHR]/).filter((url) => !own(url))

let site: Site
let peer: Peer
let sessionId: string
beforeAll(async () => {
  site = await serveSite({
    '/': page('<p>corpus</p>'),
    '/to': (request, response) => {
      const to = new URL(request.url ?? '', 'http://x').searchParams.get('url') ?? ''
      response.writeHead(302, { location: to, 'access-control-allow-origin': '*' }).end()
    },
  })
  peer = await connect({
    args: ['--headless', '--allowed-hosts', `${new URL(site.url).host},app.example,*.cdn.example`],
  })
  sessionId = await peer.session()
  await peer.call('navigate', { sessionId, url: site.url })
}, 300_000)
afterAll(async () => {
  await peer.close()
  site.close()
})

/** Runs a script for each URL, and gives what the egress proxy refused meanwhile, as host:port. */
async function refused(script: string): Promise<Set<string>> {
  const before = (await peer.call('network_requests', { sessionId, limit: 1 })).data.entries.at(-1)?.seq ?? 0
  const all = [...denied, ...allowed]
  const { failed, data } = await peer.call('evaluate', { sessionId, script, arg: all, timeout: 100_000 })
  expect([failed, data.message]).toEqual([false, undefined])
  const refusals = new Set<string>()
  for (let cursor: string | undefined; ;) {
    const read: any = (
      await peer.call('network_requests', {
        sessionId,
        since: before,
        limit: 1000,
        ...(cursor && { cursor }),
      })
    ).data
    for (const { url, failure } of read.entries)
      if (/^ACCESS_DENIED/.test(failure ?? '')) {
        const { host, port } = originOf(new URL(url.includes('://') ? url : `http://${url}/`))
        refusals.add(`${host}:${port}`)
      }
    cursor = read.cursor
    if (cursor === undefined) return refusals
  }
}

const key = (url: string): string => {
  const { host, port } = originOf(new URL(url))
  return `${host}:${port}`
}

const each = (one: string, atATime = 8, ms = 6000) => `async (urls) => {
  const one = ${one}
  const soon = (work) => Promise.race([work, new Promise((r) => setTimeout(r, ${ms}))])
  for (let at = 0; at < urls.length; at += ${atATime}) await Promise.all(urls.slice(at, at + ${atATime}).map((url) => soon(one(url).catch(() => {}))))
}`

const routes: Record<string, string> = {
  fetch: each("(url) => fetch(url, { mode: 'no-cors' })"),
  redirect: each("(url) => fetch('/to?url=' + encodeURIComponent(url), { mode: 'no-cors' })"),
  // After some failures Chromium holds each WebSocket back for up to 5 s, so all are opened at once.
  WebSocket: each(
    "(url) => new Promise((r) => { const s = new WebSocket(url.replace(/^http/, 'ws')); s.onerror = s.onclose = s.onopen = r })",
    1000,
    60_000,
  ),
  worker: each(
    `(url) => new Promise((r) => { const w = new Worker(URL.createObjectURL(new Blob(["fetch('" + url + "', { mode: 'no-cors' }).catch(() => {}).then(() => postMessage(1))"]))); w.onmessage = () => { w.terminate(); r() } })`,
  ),
  popup: each(
    'async (url) => { const w = open(url); await new Promise((r) => setTimeout(r, 250)); w?.close() }',
  ),
}

test('there is enough to try', () => {
  expect(denied.length).toBeGreaterThan(50)
  expect(allowed.length).toBeGreaterThan(2)
})

test.each(Object.keys(routes))(
  '%s: every host that is not allowed is refused, none that is',
  async (route) => {
    const refusals = await refused(routes[route] ?? '')
    // Browsers refuse to fetch an address with a user name in it before anybody else could.
    const tried = /WebSocket|popup/.test(route)
      ? denied
      : denied.filter((url) => new URL(url).username === '')
    expect(tried.map(key).filter((host) => !refusals.has(host))).toEqual([])
    expect(allowed.map(key).filter((host) => refusals.has(host))).toEqual([])
  },
  120_000,
)
