// States that are loaded when a session opens and saved when it closes.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { connect } from '../../support/client.ts'
import { anyBrowser } from '../../support/engines.ts'
import { until } from '../../support/leftovers.ts'
import { page, serveSite, type Site } from '../../support/site.ts'
import { createTestProject } from '../../support/test-project.ts'

const stateHome = mkdtempSync(join(tmpdir(), 'fl-restore-'))
const folder = join(stateHome, 'footlight/states')
const startPeer = (browser: string) =>
  connect({ args: ['--headless', '--browser', browser], cwd: stateHome, env: { XDG_STATE_HOME: stateHome } })
const readSaved = (name: string) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))

const LOGIN = `document.cookie = 'login=yes; max-age=999'; localStorage.user = arg; new Promise((done) => {
  const opening = indexedDB.open('app', 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore('keys')
  opening.onsuccess = () => {
    const writing = opening.result.transaction('keys', 'readwrite')
    writing.objectStore('keys').put('refresh', 'kind')
    writing.oncomplete = () => { opening.result.close(); done() }
  }
})`
const READ = `[document.cookie.split('=')[0], localStorage.user, (await indexedDB.databases()).length]`

let site: Site
let otherSite: Site
beforeAll(async () => {
  site = await serveSite({ '/': page('<p>App</p>') })
  otherSite = await serveSite({ '/': page('<p>Other</p>') })
})
afterAll(() => {
  site.close()
  otherSite.close()
  rmSync(stateHome, { recursive: true, force: true })
})

describe.each(anyBrowser)('%s', (browser) => {
  test('a state is loaded at open and saved at close, by one session at a time', async () => {
    const peer = await startPeer(browser)
    const restore = `work-${browser}`
    const open = async () => (await peer.call('create_session', { restore })).data
    const run = async (sessionId: string, script: string, arg?: string) => {
      await peer.call('navigate', { sessionId, url: site.url })
      return (await peer.call('evaluate', { sessionId, script, ...(arg && { arg }) })).data.result
    }
    const first = await open()
    expect(first.message).toContain(`There is no state ${restore} yet; it is saved when the session closes.`)
    await run(first.sessionId, LOGIN, 'ada')
    const other = await open()
    expect(other.message).toContain('another open session saves it, this one does not')
    await run(other.sessionId, LOGIN, 'eve')
    const closed = (await peer.call('close_session', { sessionId: first.sessionId })).data
    expect(closed.message).toContain(`State ${restore} is saved.`)
    const saved = readSaved(restore)
    expect((await peer.call('close_session', { sessionId: other.sessionId })).data.message).not.toContain(
      'saved',
    )
    expect(readSaved(restore)).toEqual(saved)
    expect(statSync(join(folder, `${restore}.json`)).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    const next = await open()
    expect(next.message).toContain(`State ${restore} is loaded; it is saved when the session closes.`)
    expect(await run(next.sessionId, READ)).toEqual(['login', 'ada', 1])
    await run(next.sessionId, LOGIN, 'bob')
    // The end of the server closes its sessions.
    await peer.close()
    expect(JSON.stringify(readSaved(restore))).toContain('bob')
    expect(readdirSync(folder).filter((name) => name.includes(browser))).toEqual([`${restore}.json`])
  }, 300_000)

  test('session storage is there for the first page of its origin, once; a file that is loaded replaces it', async () => {
    const peer = await startPeer(browser)
    const create = (options: object) => peer.call('create_session', { ...options })
    const run = async (script: string) => (await peer.call('evaluate', { script })).data.result
    const open = () => peer.call('navigate', { url: site.url })
    await create({ restore: `tabs-${browser}` })
    await open()
    await run("sessionStorage.step = 'pay'")
    await peer.call('close_session')
    await create({ restore: `tabs-${browser}` })
    await peer.call('navigate', { url: otherSite.url })
    expect(await run('sessionStorage.length')).toBe(0)
    await open()
    expect(await run('sessionStorage.step')).toBe('pay')
    const { path } = (await peer.call('storage_state', { action: 'save', path: `${stateHome}/s.json` })).data
    await run('sessionStorage.clear()')
    await open()
    expect(await run('sessionStorage.length')).toBe(0)
    await peer.call('tabs', { action: 'new', url: site.url })
    expect(await run('sessionStorage.length')).toBe(0)
    await run("sessionStorage.other = 'x'")
    await peer.call('storage_state', { action: 'load', path })
    expect(await run('JSON.stringify(sessionStorage)')).toBe('{"step":"pay"}')
    await peer.close()
  }, 300_000)
})

test('a saved test begins with the session storage that the session began with', async () => {
  const executable = "{ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] }"
  const config = `export default { use: { launchOptions: ${executable} } }`
  const project = createTestProject({ 'playwright.config.ts': config })
  const shop = await serveSite({
    '/': page(
      "<h1></h1><script>document.querySelector('h1').textContent = sessionStorage.step ?? 'cart'</script>",
    ),
  })
  const peer = await connect({ cwd: project.folder, env: { XDG_STATE_HOME: stateHome } })
  await peer.call('create_session', { restore: 'shop' })
  await peer.call('navigate', { url: shop.url })
  await peer.call('evaluate', { script: "sessionStorage.step = 'payment'" })
  await peer.call('close_session')
  await peer.call('create_session', { restore: 'shop' })
  await peer.call('navigate', { url: shop.url })
  await peer.call('wait_for', { text: 'payment' })
  expect((await peer.call('save_test', { path: 'tests/shop.spec.ts' })).data.run).toBe('1 passed')
  await peer.close()
  shop.close()
  project.remove()
}, 300_000)

test('the failure of an expired session has the call that makes it again, with its login', async () => {
  const peer = await startPeer('chromium')
  const { sessionId } = (
    await peer.call('create_session', {
      restore: 'expired',
      sessionTimeout: 2000,
      viewport: { width: 800, height: 600 },
      httpCredentials: { username: 'ada', password: 'tr0ub4dor', origin: site.url },
    })
  ).data
  await peer.call('navigate', { url: site.url })
  await peer.call('evaluate', { script: "localStorage.user = 'ada'" })
  while ((await peer.call('list_sessions')).data.sessions.length > 0) await Bun.sleep(50)
  const { data } = await peer.call('snapshot')
  expect(data).toMatchObject({ errorCode: 'SESSION_EXPIRED', sessionId })
  expect(data.message).toContain('Its cookies and storage are saved as expired.')
  expect(JSON.stringify(data)).not.toContain('tr0ub4dor')
  const again = /Call create_session (\{.*\}) with the same httpCredentials to start again/.exec(
    data.message,
  )?.[1]
  const input = JSON.parse(again ?? '{}')
  expect(input).toEqual({ viewport: { width: 800, height: 600 }, sessionTimeout: 2000, restore: 'expired' })
  expect((await peer.call('create_session', { ...input, sessionTimeout: 60_000 })).data.message).toContain(
    'State expired is loaded',
  )
  await peer.call('navigate', { url: site.url })
  expect((await peer.call('evaluate', { script: 'localStorage.user' })).data.result).toBe('ada')
  await peer.close()
}, 300_000)

test('after kill -9 the last state remains, and the next session saves it', async () => {
  const killed = await startPeer('chromium')
  await killed.call('create_session', { restore: 'crash' })
  await killed.call('navigate', { url: site.url })
  await killed.call('evaluate', { script: "localStorage.user = 'ada'" })
  await killed.call('close_session', {})
  await killed.call('create_session', { restore: 'crash' })
  await killed.call('navigate', { url: site.url })
  await killed.call('evaluate', { script: "localStorage.user = 'lost'" })
  process.kill(killed.pid, 'SIGKILL')
  await killed.close()
  expect(JSON.stringify(readSaved('crash'))).toContain('ada')
  // What a process leaves that is killed while it writes.
  writeFileSync(join(folder, `.crash.json.${crypto.randomUUID()}.tmp`), '{"cookies": [')
  const peer = await startPeer('chromium')
  const { message } = (await peer.call('create_session', { restore: 'crash' })).data
  expect(message).toContain('State crash is loaded; it is saved when the session closes.')
  for (const restore of ['../crash', 'a/b', '.hidden', 'con', 'x'.repeat(65), '']) {
    const { data } = await peer.call('create_session', { restore })
    expect([data.errorCode, data.details?.field]).toEqual(['INVALID_PARAMETERS', 'restore'])
  }
  writeFileSync(join(folder, 'damaged.json'), '{"cookies": [')
  expect((await peer.call('create_session', { restore: 'damaged' })).data.errorCode).toBe(
    'INVALID_PARAMETERS',
  )
  await peer.close()
  expect(await until(() => readdirSync(folder).filter((name) => name.includes('crash')).length === 1)).toBe(
    true,
  )
}, 300_000)
