// A profile stays on disk with all that its browser keeps: one session at a time has it, also after Footlight was killed.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Peer } from '../../support/client.ts'
import { bothBrowsers } from '../../support/engines.ts'
import { page, serveSite, type Site } from '../../support/site.ts'

const folder = mkdtempSync(join(tmpdir(), 'fl-profiles-'))
const env = { XDG_STATE_HOME: folder }

let site: Site
beforeAll(async () => {
  site = await serveSite({
    '/app': (request, response) => response.end(page(String(request.headers.cookie))),
    '/login': (_, response) => {
      response.setHeader('Set-Cookie', ['stays=1; Max-Age=9999', 'ends=1'])
      response.end(page('<h1>Welcome</h1>', 'Login'))
    },
  })
})
afterAll(() => {
  site.close()
  rmSync(folder, { recursive: true, force: true })
})

// Storage that no state of Playwright has: a file of its own, and a key that cannot leave the browser.
const STORE = `localStorage.user = 'ada'
  const root = await navigator.storage.getDirectory()
  const file = await (await root.getFileHandle('note', { create: true })).createWritable()
  await file.write('kept'); await file.close()
  const { privateKey: key } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
  await new Promise((resolve, reject) => {
    const opening = indexedDB.open('keys', 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore('keys')
    opening.onsuccess = () => {
      const change = opening.result.transaction('keys', 'readwrite')
      change.objectStore('keys').put(key, 'device')
      change.oncomplete = () => { opening.result.close(); resolve() }
      change.onerror = reject
    }
  })
  return 'stored'`
const READ = `const root = await navigator.storage.getDirectory()
  const note = await (await (await root.getFileHandle('note')).getFile()).text()
  const signature = await new Promise((resolve, reject) => {
    const opening = indexedDB.open('keys', 1)
    opening.onerror = reject
    opening.onsuccess = () => {
      const reading = opening.result.transaction('keys').objectStore('keys').get('device')
      reading.onsuccess = () => crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, reading.result, new Uint8Array(1)).then(resolve, reject)
      reading.onerror = reject
    }
  })
  return [localStorage.user, note, signature.byteLength, document.cookie]`

async function start(browser = 'chromium'): Promise<Peer> {
  return connect({ args: ['--headless', '--browser', browser], env })
}

/** Opens the profile and does something on the page. */
async function visit(peer: Peer, profile: string, path: string, script: string): Promise<unknown> {
  const sessionId = await peer.session({ profile })
  await peer.call('navigate', { sessionId, url: `${site.url}${path}` })
  const { data } = await peer.call('evaluate', { sessionId, script })
  await peer.call('close_session', { sessionId })
  return data['result'] ?? data
}

test.each([...bothBrowsers])(
  '%s: what a profile has is there after a restart of everything',
  async (browser) => {
    const profile = `kept-${browser}`
    const first = await start(browser)
    expect(await visit(first, profile, '/login', STORE)).toBe('stored')
    await first.close()
    const second = await start(browser)
    expect(await visit(second, profile, '/app', READ)).toEqual(['ada', 'kept', 64, 'stays=1; ends=1'])
    expect(await visit(second, profile, '/app', 'document.body.innerText')).toContain('ends=1')
    expect(await visit(second, `${profile}-2`, '/app', 'document.cookie')).toBe('')
    await second.close()
    const profiles = join(folder, 'footlight/states/profiles')
    for (const name of readdirSync(profiles)) expect(statSync(join(profiles, name)).mode & 0o077).toBe(0)
  },
  120_000,
)

test('the second session learns who has the profile, of this process and of another one', async () => {
  const [own, other] = [await start(), await start()]
  const sessionId = await own.session({ profile: 'shared', name: 'mail' })
  for (const peer of [own, other]) {
    const { data } = await peer.call('create_session', { profile: 'shared' })
    expect(data).toMatchObject({
      errorCode: 'INVALID_PARAMETERS',
      message: expect.stringContaining(`"shared", which session mail of process ${own.pid} has open`),
    })
  }
  const racing = await Promise.all([1, 2, 3].map(() => other.call('create_session', { profile: 'raced' })))
  const refused = racing.filter(({ data }) => data['errorCode'] !== undefined)
  expect(refused).toHaveLength(2)
  for (const { data } of refused) expect(data['message']).toMatch(/which session s\d of process \d+ has open/)
  await own.call('close_session', { sessionId })
  const { data } = await other.call('create_session', { profile: 'shared' })
  expect(data).not.toHaveProperty('errorCode')
  await Promise.all([own.close(), other.close()])
}, 120_000)

test('a profile opens after Footlight was killed while it was in use', async () => {
  const peer = await start()
  const sessionId = await peer.session({ profile: 'killed' })
  await peer.call('navigate', { sessionId, url: `${site.url}/login` })
  await peer.call('evaluate', { sessionId, script: STORE })
  process.kill(peer.pid, 'SIGKILL')
  await peer.close().catch(() => {})
  const next = await start()
  expect(await visit(next, 'killed', '/app', 'localStorage.user ?? "opened"')).toBeString()
  await next.close()
}, 120_000)

test('with --profile sessions without another state have it; what contradicts it is refused', async () => {
  const peer = await connect({ args: ['--headless', '--profile', 'default'], env })
  const { data } = await peer.call('create_session')
  expect(data['message']).toContain('New profile default')
  expect((await peer.call('create_session')).data).toMatchObject({ errorCode: 'INVALID_PARAMETERS' })
  const empty = { storageState: { cookies: [], origins: [] } }
  expect((await peer.call('create_session', empty)).data).not.toHaveProperty('errorCode')
  for (const input of [
    { profile: 'a', restore: 'b' },
    { profile: 'a', ...empty },
    { profile: 'a/b' },
    { profile: 'a', attach: true },
  ])
    expect((await peer.call('create_session', input)).data).toMatchObject({ errorCode: 'INVALID_PARAMETERS' })
  await peer.close()
}, 120_000)
