// Random secrets in random places and encodings of a page, its console, its traffic and its server's log: every answer that an agent can
// get is searched for them, and none of our own names, hosts and ids is ever hidden. At least 10,000 placements each run.

import { afterEach, expect, test } from 'bun:test'
import fc from 'fast-check'
import { connect, type Peer } from '../support/client.ts'
import { until } from '../support/leftovers.ts'

const PAGES = 12
const SECRETS = 10

const html = (text: string) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)

/** What applications make of a value before it is seen. */
const encodings: readonly ((value: string) => string)[] = [
  (v) => v,
  (v) => JSON.stringify({ note: v }),
  encodeURIComponent,
  (v) => encodeURIComponent(encodeURIComponent(v)),
  (v) => encodeURIComponent(v).replace(/%../g, (found) => found.toLowerCase()),
  (v) => Buffer.from(v).toString('base64'),
  (v) => Buffer.from(`user:${v}`).toString('base64'),
  (v) => Buffer.from(v).toString('base64url'),
  (v) => Buffer.from(v).toString('hex'),
  html,
  (v) =>
    v
      .split('')
      .map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
]

/** Where the page puts an encoded value, as a script of the page; `v` is the value. */
const places: readonly string[] = [
  `add('p').textContent = 'It is ' + v + ', see'`,
  `add('button').setAttribute('aria-label', v)`,
  `add('a').href = '/next/' + encodeURIComponent(v) + '?q=' + encodeURIComponent(v)`,
  `add('div').dataset.note = v`,
  `add('input').value = 'x ' + v`,
  `add('div').attachShadow({ mode: 'open' }).innerHTML = '<p></p>'; document.body.lastChild.shadowRoot.firstChild.textContent = v`,
  `add('iframe').srcdoc = '<p>' + v.replace(/[<&]/g, (c) => '&#' + c.charCodeAt(0) + ';')`,
  `console.log('log', v, { v })`,
  `console.error(new Error('failed: ' + v).message)`,
  `fetch('/api/q?note=' + encodeURIComponent(v))`,
  `fetch('/api/body', { method: 'POST', body: JSON.stringify({ note: v }) })`,
  `fetch('/api/echo', { method: 'POST', body: v })`,
  `fetch('/api/head', { headers: { 'x-note': encodeURIComponent(v) } })`,
  `fetch('/log?line=' + encodeURIComponent(v))`,
  `history.pushState(null, '', location.pathname + '?note=' + encodeURIComponent(v))`,
  `add('script').textContent = '/* ' + v.replace(/[*]/g, '') + ' */'`,
  `sessionStorage.setItem('note' + Math.random(), v)`,
]

const server = `
const { createServer } = require('node:http')
let pages = {}
createServer((q, r) => {
  let body = ''
  q.on('data', (part) => (body += part)).on('end', () => {
    if (q.url === '/set') { pages = JSON.parse(body); return r.end() }
    if (q.url.startsWith('/log')) { const line = new URL(q.url, 'http://a').searchParams.get('line'); console.log('out ' + line); console.error('err ' + line) }
    if (q.url.startsWith('/api')) { r.setHeader('content-type', 'text/plain'); return r.end('echo ' + body) }
    const name = q.url.split('?')[0]
    r.setHeader('content-type', 'text/html; charset=utf-8'); r.setHeader('set-cookie', pages[name]?.cookie ?? 'a=b')
    r.end(pages[name]?.html ?? '<title>none</title>')
  })
}).listen(process.env.PORT, '127.0.0.1')`

const secretText = fc
  .tuple(
    fc.stringMatching(/^[A-Za-z0-9!#$(),.;:@^_{}~ <>&'"-]{6,22}$/),
    fc.stringMatching(/^[A-Za-z0-9]{3}$/),
  )
  .map(([middle, end]) => `q7${middle.replaceAll(' ', '+x')}${end}`)

let peer: Peer
let sessionId: string
let url: string

async function open(args: readonly string[]): Promise<void> {
  peer = await connect({ args: ['--headless', ...args] })
  const created = await peer.call('create_session', { command: ['node', '-e', server] })
  ;({ sessionId, url } = created.data)
}
afterEach(() => peer.close())

/** All texts of an answer, and what it says of ours. */
function textsOf(value: unknown, into: string[] = []): string[] {
  if (typeof value === 'string') into.push(value)
  else if (Array.isArray(value)) for (const item of value) textsOf(item, into)
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) (textsOf(item, into), into.push(key))
  return into
}

function ours(value: any): void {
  expect(JSON.stringify(Object.keys(value))).not.toContain('redacted')
  for (const key of ['success', 'errorCode', 'category', 'status', 'truncated', 'lineCount', 'dropped'])
    if (key in value) expect(String(value[key])).not.toContain('redacted')
  for (const place of [value.url, value.page?.url, value.evidence?.page?.url])
    if (place !== undefined) expect(String(place)).toStartWith(url.replace(/\/$/, ''))
  for (const entry of value.entries ?? []) if (entry.url) expect(entry.url).toStartWith('http://')
}

async function answers(): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = []
  const call = async (tool: string, input: Record<string, unknown> = {}) => {
    const { data } = await peer.call(tool, { sessionId, ...input })
    ours(data)
    all.push(data)
    return data
  }
  await call('get_session_status')
  await call('console_messages', { limit: 200 })
  const { entries } = await call('network_requests', { limit: 60 })
  for (const { seq, url: asked } of entries)
    if (/\/api/.test(asked))
      for (const part of ['headers', 'body']) await call('network_requests', { id: seq, part })
  await call('timeline', { limit: 200 })
  for (const logType of ['stdout', 'combined']) await call('read_server_logs', { logType, lines: 200 })
  await call('snapshot', { maxChars: 60_000 })
  await call('snapshot', { pattern: 'It is' })
  for (const format of ['text', 'markdown', 'html']) await call('get_content', { format, maxChars: 100_000 })
  await call('dom_snapshot', { maxNodes: 2000 })
  await call('evaluate', { script: '({ text: document.body.innerText, note: { ...sessionStorage } })' })
  await call('evaluate', { script: 'document.documentElement.outerHTML' })
  await call('click', { selector: '#missing', timeout: 100 })
  await call('tabs')
  await call('storage_state', { action: 'save' })
  for (const part of ['console', 'network', 'timeline', 'server', 'snapshot'])
    all.push(
      (await peer.client.readResource({ uri: `footlight://sessions/${sessionId}/${part}` })) as Record<
        string,
        unknown
      >,
    )
  // In parts, so that every place is at the edge of one.
  for (let cursor: string | undefined = '0'; cursor !== undefined;) {
    const part: any = await call('get_content', { format: 'html', maxChars: 1500, cursor })
    cursor = part.cursor
  }
  return all
}

/** Places secrets on so many pages, asks every tool, and answers what was found of them in how many placements. */
async function search(pages: number): Promise<{ placed: number; leaks: string[] }> {
  const seed = Date.now() & 0xffff
  const rounds = fc.sample(
    fc.tuple(
      fc.uniqueArray(secretText, { minLength: SECRETS, maxLength: SECRETS }),
      fc.array(fc.tuple(fc.nat(SECRETS - 1), fc.constantFrom(...encodings), fc.constantFrom(...places)), {
        minLength: 34,
        maxLength: 34,
      }),
    ),
    { numRuns: pages, seed },
  )
  let placed = 0
  const leaks: string[] = []
  for (const [index, [secrets, placements]] of rounds.entries()) {
    await fetch(`${url}set`, {
      method: 'POST',
      body: JSON.stringify({ [`/p${index}`]: pageOf(secrets, placements) }),
    })
    expect((await peer.call('navigate', { sessionId, url: `${url}p${index}` })).data.success).toBe(true)
    const last = async () =>
      (await peer.call('network_requests', { sessionId, pattern: 'api/last' })).data.entries.at(-1)
    await until(async () => (await last())?.state === 'done')
    const texts = (await answers()).map((answer) => textsOf(answer).join('\n'))
    for (const [which, encode, place] of placements)
      for (const text of texts) {
        placed += 1
        const forms = [secrets[which] ?? '', encode(secrets[which] ?? '')]
        const left = forms.find((form) => text.includes(form))
        if (left === undefined) continue
        const at = text.indexOf(left)
        leaks.push(
          JSON.stringify({ seed, index, forms, place, around: text.slice(Math.max(0, at - 100), at + 60) }),
        )
      }
  }
  return { placed, leaks }
}

const scriptText = (value: string) => JSON.stringify(value).replaceAll('<', '\\u003c')

function pageOf(
  [cookie = '', stored = '', ...held]: readonly string[],
  placements: readonly (readonly [number, (value: string) => string, string])[],
): { html: string; cookie: string } {
  const all = [cookie, stored, ...held]
  const lines = placements.map(
    ([which, encode, place]) => `((v) => { ${place} })(${scriptText(encode(all[which] ?? ''))})`,
  )
  const fields = held.map((value) => `<input type="password" value="${html(value)}">`).join('')
  const add = 'const add = (tag) => document.body.appendChild(document.createElement(tag))'
  const script = [
    add,
    `localStorage.access_token = ${scriptText(stored)}`,
    ...lines,
    "fetch('/api/last')",
  ].join(';')
  return {
    html: `<!doctype html><title>P</title><body>${fields}<script>${script}</script>`,
    cookie: `sid=${encodeURIComponent(cookie)}; HttpOnly; Path=/`,
  }
}

test('no secret leaves, wherever and however it is placed', async () => {
  await open([])
  const { placed, leaks } = await search(PAGES)
  expect(leaks).toEqual([])
  expect(placed).toBeGreaterThanOrEqual(10_000)
}, 600_000)

test('with --reveal the same search finds them, which shows that it can', async () => {
  await open(['--reveal'])
  const { leaks } = await search(1)
  expect(leaks.length).toBeGreaterThan(50)
}, 600_000)
