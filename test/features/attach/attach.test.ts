// Sessions in a Chrome that runs with tabs of its user. ATTACH_SESSIONS is how many sessions are killed (6), ATTACH_TABS how many tabs the
// user has (5).

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { connect, type Peer } from '../../support/client.ts'
import { processesWith, until } from '../../support/leftovers.ts'
import { type OwnChrome, startOwnChrome } from '../../support/own-chrome.ts'
import { page, serveSite, type Site } from '../../support/site.ts'

const SESSION_COUNT = Number(process.env['ATTACH_SESSIONS'] ?? 6)
const TAB_COUNT = Number(process.env['ATTACH_TABS'] ?? 5)
const SESSIONS_PER_KILL = 3
const stateHome = mkdtempSync(join(tmpdir(), 'fl-attach-'))

let chrome: OwnChrome
let site: Site
let peer: Peer

const startPeer = (args: readonly string[] = ['--cdp-endpoint', chrome.endpoint]) =>
  connect({
    args: ['--headless', ...args],
    env: { XDG_STATE_HOME: stateHome, XDG_CONFIG_HOME: chrome.configHome },
  })

beforeAll(async () => {
  site = await serveSite({
    '/': page(
      `<a target=_blank href=/other>Other</a><button onclick="window.open('/popup')">Pop up</button>`,
    ),
    '/other': page('<p>Other</p>', 'Other'),
    '/popup': page('<p>Popup</p>', 'Popup'),
    '/loop': page('<script>for (;;) {}</script>'),
    '/debugger': (_, response) => response.writeHead(302, { location: `${chrome.endpoint}/json/list` }).end(),
  })
  chrome = await startOwnChrome(TAB_COUNT)
  peer = await startPeer()
}, 120_000)

afterAll(async () => {
  await peer?.close()
  await chrome?.close()
  site?.close()
  rmSync(stateHome, { recursive: true, force: true })
}, 300_000)

test('a session has tabs of its own, and the windows that they open; no other tab is touched', async () => {
  const { data } = await peer.call('create_session', { attach: true })
  expect(data.message).toContain("the user's running chrome")
  const sessionId = data.sessionId
  expect(chrome.tabs().length).toBe(chrome.foreign.length + 1)
  expect((await peer.call('navigate', { sessionId, url: site.url })).data.title).toBe('Fixture')
  await peer.call('click', { sessionId, selector: 'a' })
  await peer.call('click', { sessionId, selector: 'button' })
  const readPaths = async () => {
    const { tabs } = (await peer.call('tabs', { sessionId, action: 'list' })).data
    return tabs.map(({ url }: { url: string }) => new URL(url).pathname)
  }
  await until(async () => (await readPaths()).length === 3)
  expect(await readPaths()).toEqual(['/', '/other', '/popup'])
  for (const tabId of ['t2', 't3', 't1']) {
    await peer.call('tabs', { sessionId, action: 'select', tabId })
    const { data } = await peer.call('evaluate', { sessionId, script: 'document.visibilityState' })
    expect(data).toMatchObject({ result: 'visible' })
  }
  expect((await peer.call('close_session', { sessionId })).failed).toBe(false)
  expect(await chrome.waitForOthersGone(30_000)).toEqual([])
  expect(chrome.touches()).toEqual([])
})

test('two sessions do not see the tabs of each other', async () => {
  const [first, second] = await Promise.all([peer.session({ attach: true }), peer.session({ attach: true })])
  await peer.call('navigate', { sessionId: first, url: `${site.url}/other` })
  await peer.call('navigate', { sessionId: second, url: `${site.url}/popup` })
  for (const [sessionId, title] of [
    [first, 'Other'],
    [second, 'Popup'],
  ]) {
    const { tabs } = (await peer.call('tabs', { sessionId, action: 'list' })).data
    expect(tabs.map((tab: { title: string }) => tab.title)).toEqual([title])
    const { entries } = (await peer.call('network_requests', { sessionId })).data
    expect(entries).toHaveLength(1)
  }
  await peer.call('close_session', { sessionId: first })
  expect((await peer.call('evaluate', { sessionId: second, script: 'document.title' })).data.result).toBe(
    'Popup',
  )
  await peer.call('close_session', { sessionId: second })
  expect(await chrome.waitForOthersGone(30_000)).toEqual([])
})

async function expectPortClosed(options: object): Promise<void> {
  const sessionId = await peer.session({ ...options })
  const evaluate = async (script: string) =>
    (await peer.call('evaluate', { sessionId, script })).data.result as unknown
  const list = `${chrome.endpoint}/json/list`
  for (const url of [list, list.replace('127.0.0.1', 'localhost'), `${site.url}/debugger`]) {
    expect((await peer.call('navigate', { sessionId, url })).data.errorCode).toBe('ACCESS_DENIED')
    expect(String(await evaluate('document.documentElement.innerText'))).not.toContain('webSocketDebuggerUrl')
  }
  await peer.call('navigate', { sessionId, url: site.url })
  expect(await evaluate(`fetch('${list}', { mode: 'no-cors' }).then((r) => r.type, (e) => e.name)`)).toBe(
    'TypeError',
  )
  const closing = `fetch('${chrome.endpoint}/json/close/${chrome.foreign[0]}', { mode: 'no-cors' })`
  expect(await evaluate(`${closing}.then((r) => r.type, (e) => e.name)`)).toBe('TypeError')
  const worker = `new Worker(URL.createObjectURL(new Blob(["fetch('${list}', { mode: 'no-cors' }).then((r) => postMessage(r.type), (e) => postMessage(e.name))"])))`
  expect(await evaluate(`new Promise((done) => { ${worker}.onmessage = (event) => done(event.data) })`)).toBe(
    'TypeError',
  )
  for (const features of ['', 'noopener']) {
    await evaluate(`void window.open('${list}', '_blank', '${features}')`)
    expect(await until(() => chrome.tabs().length === chrome.foreign.length + 1)).toBe(true)
  }
  await peer.call('close_session', { sessionId })
  expect(await chrome.waitForOthersGone(30_000)).toEqual([])
}

test('the debugging port of the browser is closed to its pages', async () => {
  await expectPortClosed({ attach: true })
  expect(chrome.touches()).toEqual([])
})

test('what cannot hold in the browser of the user is refused', async () => {
  for (const option of [
    { allowedDomains: ['example.org'] },
    { storageState: { cookies: [], origins: [] } },
    { viewport: { width: 9, height: 9 } },
  ]) {
    const { failed, data } = await peer.call('create_session', { attach: true, ...option })
    expect(failed).toBe(true)
    expect([data.errorCode, data.details.field]).toEqual(['INVALID_PARAMETERS', Object.keys(option)[0]])
  }
  const sessionId = await peer.session({ attach: true })
  for (const action of ['save', 'load']) {
    const { data } = await peer.call('storage_state', { sessionId, action, path: 'package.json' })
    expect(data.errorCode).toMatch(/BROWSER_ERROR|INVALID_PARAMETERS/)
  }
  const mock = await peer.call('mock', { sessionId, url: '/', answer: { status: 500 } })
  expect(mock.data.message).toContain('other tabs')
  await peer.call('close_session', { sessionId })
  const guarded = await startPeer(['--allowed-hosts', 'example.org'])
  const denial = (await guarded.call('create_session', { attach: true })).data
  expect(denial.errorCode).toBe('ACCESS_DENIED')
  await guarded.close()
  expect(await chrome.waitForOthersGone(30_000)).toEqual([])
})

// What happens in a session that is killed: whatever it was doing at that moment.
async function use(user: Peer, index: number): Promise<void> {
  const created = await user.call('create_session', { attach: true })
  const { sessionId } = created.data
  const call = (tool: string, input: object) => user.call(tool, { sessionId, ...input })
  for (let round = 0; ; round += 1) {
    await call('navigate', { url: round % 3 === 2 ? `${site.url}/loop` : site.url, timeout: 400 })
    await call('click', { selector: index % 2 ? 'a' : 'button', timeout: 400 })
    await call('tabs', { action: 'new', url: `${site.url}/other` })
    await call('snapshot', {})
  }
}

test(
  'after kill -9 at any moment none of its tabs is left, and no other tab was touched',
  async () => {
    const left: string[] = []
    for (let killed = 0; killed < SESSION_COUNT; killed += SESSIONS_PER_KILL) {
      const user = await startPeer(killed % 2 ? [] : ['--cdp-endpoint', chrome.endpoint])
      for (let index = 0; index < SESSIONS_PER_KILL; index += 1) void use(user, index).catch(() => {})
      await Bun.sleep(Math.random() * 3000)
      process.kill(user.pid, 'SIGKILL')
      left.push(...(await chrome.waitForOthersGone(60_000)))
      await user.client.close()
      expect(await until(() => user.trace.processes().length === 0)).toBe(true)
      // Killed before it has started anything, it leaves its empty folder to the next start.
      for (const path of [user.trace.folder, user.trace.env['XDG_RUNTIME_DIR'] ?? ''])
        rmSync(path, { recursive: true, force: true })
    }
    expect(left).toEqual([])
    expect(chrome.touches()).toEqual([])
    expect(await until(() => readdirSync(join(stateHome, 'footlight/attached')).length === 1)).toBe(true)
  },
  60_000 + SESSION_COUNT * 20_000,
)

test('the tabs of a relay that was killed too are closed by the next one', async () => {
  const user = await startPeer()
  await user.session({ attach: true })
  await user.session({ attach: true })
  const tag = Object.entries(user.trace.env).map((pair) => pair.join('='))[0] ?? ''
  const relays = processesWith(tag).filter(({ command }) => command.endsWith('attach-relay'))
  expect(relays.length).toBeGreaterThan(0)
  for (const { pid } of relays) process.kill(pid, 'SIGKILL')
  process.kill(user.pid, 'SIGKILL')
  await user.close()
  expect(chrome.tabs().length).toBe(chrome.foreign.length + 2)
  const next = await startPeer()
  await next.session({ attach: true })
  expect(await until(() => chrome.tabs().length === chrome.foreign.length + 1)).toBe(true)
  await next.close()
  expect(await chrome.waitForOthersGone(30_000)).toEqual([])
  expect(chrome.touches()).toEqual([])
})

// The last one: Playwright itself attaches to all tabs for such sessions.
test('the port is closed to sessions with contexts of their own too', () => expectPortClosed({}))
