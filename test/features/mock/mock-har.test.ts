// A recorded application without its server: every replay has the same snapshot. MOCK_REPLAYS sets how many there are.

import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { connect } from '../../support/client.ts'
import { anyBrowser } from '../../support/engines.ts'
import { page, serveSite } from '../../support/site.ts'

const replayCount = Number(process.env['MOCK_REPLAYS'] ?? 2)

const token = 'c4n4ryQ7WmZ2pXs9LrT4vKd8Hb'
const clock = '2030-01-02T03:04:05Z'

// It shows the time, random values, what it has sent, and two different answers to the same request.
const app = `<h1>Orders</h1><ul id="list"></ul><p id="status"></p><script type="module" src="/app.js"></script>`
const script = `
const add = (text) => list.insertAdjacentHTML('beforeend', '<li>' + text + '</li>')
const read = async (path, options) => (await fetch(path, options)).json()
add(new Date().toISOString() + ' ' + Math.random() + ' ' + crypto.randomUUID())
const { access_token } = await read('/api/login', { method: 'POST', body: JSON.stringify({ password: 'hunter2-${token}' }) })
add((await read('/api/old-orders?access_token=' + access_token, { headers: { authorization: 'Bearer ' + access_token } })).name)
add((await read('/api/search', { method: 'POST', body: 'a' })).name + (await read('/api/search', { method: 'POST', body: 'b' })).name)
add(JSON.stringify([await read('/api/job'), await read('/api/job'), await read('/api/job')]))
document.getElementById('status').textContent = 'ready'`

const jobs = { count: 0 }

const serveApp = () => {
  const json = (value: unknown) => (_: unknown, response: any) => {
    response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': `sid=${token}` })
    response.end(JSON.stringify(value))
  }
  const redirect = (location: string) => (_: unknown, response: any) =>
    response.writeHead(302, { location }).end()
  return serveSite({
    '/': redirect('/app'),
    '/app': page(app, 'Orders'),
    '/app.js': (request, response) =>
      request.headers['if-none-match']
        ? response.writeHead(304).end()
        : response.writeHead(200, { 'content-type': 'text/javascript', etag: '"1"' }).end(script),
    '/api/login': json({ access_token: token }),
    '/api/old-orders': (request, response) =>
      response.writeHead(302, { location: (request.url ?? '').replace('old-', '') }).end(),
    '/api/orders': json({ name: 'Three chairs' }),
    '/api/search': (request, response) => {
      let body = ''
      request.on('data', (chunk) => (body += String(chunk)))
      request.on('end', () => json({ name: `found ${body}` })(request, response))
    },
    '/api/job': (request, response) =>
      json({ state: (jobs.count += 1) < 3 ? 'runs' : 'ready' })(request, response),
  })
}

test.each(anyBrowser)(
  '%s: every replay of a recording has the same snapshot, without a server and without secrets',
  async (browser) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-har-')))
    const peer = await connect({ args: ['--headless', '--browser', browser], cwd: folder })
    const sessionId = await peer.session()
    const call = (tool: string, input = {}) => peer.call(tool, { sessionId, ...input })
    const site = await serveApp()
    jobs.count = 0
    const open = async () => {
      expect((await call('navigate', { url: site.url })).failed).toBe(false)
      expect((await call('wait_for', { selector: '#status', text: 'ready' })).failed).toBe(false)
      // A ref is given once in a session.
      return ((await call('snapshot')).data.snapshot as string).replaceAll(/\[e\d+\]/g, '[ref]')
    }
    // What the browser has in its cache then is part of the recording too.
    await open()
    jobs.count = 0
    await call('mock', { clock, seed: 1, har: 'record' })
    const snapshot = await open()
    expect(snapshot).toContain('2030-01-02T03:04:05.000Z')
    expect(snapshot).toContain('Three chairs')
    expect(snapshot).toContain('found afound b')
    const { data } = await call('mock', { har: 'save' })
    expect(data.notes.join()).toStartWith('Secrets in its URLs, headers and bodies are redacted')
    const text = readFileSync(data.path, 'utf8')
    expect(text).toContain('Three chairs')
    expect([text.includes(`"${token}`), text.includes(`=${token}`), text.includes(` ${token}`)]).toEqual([
      false,
      false,
      false,
    ])
    site.close()
    const hitCount = site.hits.length

    const snapshots = new Set<string>()
    for (let count = 0; count < replayCount; count += 1) {
      await call('mock', { remove: 'all' })
      await call('mock', { clock, seed: 1, har: data.path })
      snapshots.add(await open())
    }
    expect([...snapshots]).toEqual([snapshot])
    expect(site.hits.length).toBe(hitCount)
    const requests = (await call('network_requests', { filter: 'fetch', limit: 8 })).data.entries
    expect(requests.every(({ mock }: any) => /^m\d+$/.test(mock))).toBe(true)
    await call('evaluate', { script: `fetch('/api/other').catch(() => {})` })
    const missing = (await call('network_requests', { pattern: 'other' })).data.entries[0]
    expect(missing).toMatchObject({ state: 'failed', failure: 'not in the HAR file' })
    await peer.close()
    rmSync(folder, { recursive: true, force: true })
  },
  120_000 + replayCount * 5000,
)
