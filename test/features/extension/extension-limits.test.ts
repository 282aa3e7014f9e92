// What an extension may not do: read files, pass the host rules, come from what a page has downloaded.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callOrThrow, connect, type Peer } from '../../support/client.ts'
import { connectOverHttp, serveOverHttp } from '../../support/http.ts'
import { serveSite, type Site } from '../../support/site.ts'

const manifestWith = (permissions: readonly unknown[], more: object = {}): string =>
  JSON.stringify({
    manifest_version: 3,
    name: 'Reader',
    version: '1.0',
    permissions,
    host_permissions: ['<all_urls>'],
    background: { service_worker: 'worker.js' },
    ...more,
  })

let folder: string
let peer: Peer
let site: Site
let other: Server
let otherRequests = 0
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-limits-')))
  writeFileSync(join(folder, 'secret.txt'), 'the words of a file')
  site = await serveSite({ '/': '<!doctype html><title>Page</title><h1>Page</h1>' })
  other = createServer((_, response) => {
    otherRequests += 1
    response.end('other')
  }).listen(0, '127.0.0.1')
  peer = await connect({ args: ['--headless', '--browser', 'chromium'], cwd: folder })
}, 120_000)
afterAll(async () => {
  await peer.close()
  site.close()
  other.close()
  rmSync(folder, { recursive: true, force: true })
})

function writeExtension(name: string, files: Readonly<Record<string, string>>): string {
  mkdirSync(join(folder, name), { recursive: true })
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, name, file), text)
  return name
}

const waitForLog = async (sessionId: string, pattern: RegExp): Promise<string> => {
  for (;;) {
    const { text, entries } = await callOrThrow(peer, 'timeline', { sessionId })
    const found = pattern.exec(JSON.stringify(entries ?? text))
    if (found) return found[0]
  }
}

const readerWorker = `
const place = 'file://SECRET'
const tried = async (work) => { try { return await work() } catch (error) { return 'refused: ' + error.message } }
;(async () => {
  const access = await chrome.extension.isAllowedFileSchemeAccess()
  const fetched = await tried(async () => (await fetch(place)).text())
  for (const url of [place, 'view-source:' + place]) {
    await tried(() => chrome.tabs.create({ url }))
    await tried(() => chrome.windows.create({ url }))
  }
  const tabs = await chrome.tabs.query({})
  const read = await Promise.all(tabs.map(({ id }) => tried(async () =>
    (await chrome.scripting.executeScript({ target: { tabId: id }, func: () => document.body.innerText }))[0].result)))
  console.log('done', JSON.stringify({ access, fetched, read }))
})()`

test('an extension reads no file of this machine, nor after a change of its files, nor in a profile', async () => {
  const worker = readerWorker.replace('SECRET', join(folder, 'secret.txt'))
  const extension = writeExtension('reader', {
    'manifest.json': manifestWith(['tabs', 'scripting']),
    'worker.js': worker,
  })
  for (const options of [{}, { profile: 'reader' }]) {
    const sessionId = await peer.session({ extension, ...options })
    const first = await waitForLog(sessionId, /done .*?\]\}/)
    expect(first).not.toContain('the words')
    expect(first).toMatch(/access\W+false/)
    const { tabs } = await callOrThrow(peer, 'tabs', { sessionId })
    expect(JSON.stringify(tabs)).not.toContain('file:')
    writeFileSync(join(folder, 'reader', 'worker.js'), worker.replace("'done'", "'again'"))
    const again = await waitForLog(sessionId, /again .*?\]\}/)
    expect(again).toMatch(/access\W+false/)
    writeFileSync(join(folder, 'reader', 'worker.js'), worker)
    await callOrThrow(peer, 'close_session', { sessionId })
  }
}, 180_000)

test.each(['permissions', 'optional_permissions'])(
  'under host rules none with a right to pass them is loaded, first or again (%s)',
  async (key) => {
    const { port } = other.address() as { port: number }
    const worker = `
chrome.proxy?.settings.set({ value: { mode: 'direct' }, scope: 'regular' }, async () => {
  await fetch('http://127.0.0.1:${port}/').catch(() => {})
  console.log('asked')
})`
    const extension = writeExtension(`passer-${key}`, {
      'manifest.json': manifestWith([], { [key]: ['proxy'] }),
      'worker.js': worker,
    })
    const rules = { allowedDomains: [`127.0.0.1:${new URL(site.url).port}`] }
    const refused = await peer.call('create_session', { extension, ...rules })
    expect(refused.data).toMatchObject({ errorCode: 'ACCESS_DENIED' })
    expect(refused.data.message).toContain('proxy')

    writeFileSync(join(folder, extension, 'manifest.json'), manifestWith([]))
    const sessionId = await peer.session({ extension, ...rules })
    writeFileSync(join(folder, extension, 'manifest.json'), manifestWith([], { [key]: ['proxy'] }))
    await waitForLog(sessionId, /cannot be loaded after a change.*?proxy/)
    await callOrThrow(peer, 'close_session', { sessionId })
    expect(otherRequests).toBe(0)
  },
  180_000,
)

test.each([
  ['a comment', (manifest: string) => `// as Chromium allows\n${manifest}`],
  ['more than 1 MB', (manifest: string) => manifest + ' '.repeat(1_000_000)],
])(
  'a manifest with %s, which Chromium reads, passes no host rule either',
  async (name, hide) => {
    const { port } = other.address() as { port: number }
    const extension = writeExtension(`hidden-${name.replaceAll(' ', '-')}`, {
      'manifest.json': hide(manifestWith(['proxy'])),
      'worker.js': `chrome.proxy?.settings.set({ value: { mode: 'direct' }, scope: 'regular' }, async () => {
        await fetch('http://127.0.0.1:${port}/').catch(() => {})
        console.log('cannot be loaded, but was: manifest.json')
      })`,
    })
    const rules = { allowedDomains: [`127.0.0.1:${new URL(site.url).port}`] }
    const requestCount = otherRequests
    const refused = await peer.call('create_session', { extension, ...rules })
    expect(refused.data.errorCode).toMatch(/ACCESS_DENIED|INVALID_PARAMETERS/)

    const manifestPath = join(folder, extension, 'manifest.json')
    writeFileSync(manifestPath, manifestWith([]))
    const sessionId = await peer.session({ extension, ...rules })
    writeFileSync(manifestPath, hide(manifestWith(['proxy'])))
    await waitForLog(sessionId, /cannot be loaded.*?manifest\.json/)
    await callOrThrow(peer, 'close_session', { sessionId })
    expect(otherRequests).toBe(requestCount)
  },
  120_000,
)

const DOWNLOADS = {
  'manifest.json': manifestWith([]),
  'worker.js': '',
  'init.js': 'globalThis.ran = true',
  'playwright.config.js': `require('node:fs').writeFileSync(${JSON.stringify('RAN')}, 'config'); module.exports = {}`,
  'evil.spec.js': `require('node:fs').writeFileSync(${JSON.stringify('RAN')}, 'spec')`,
  'start.cjs': `require('node:fs').writeFileSync(${JSON.stringify('RAN')}, 'start')`,
}

test('nothing runs that a page has downloaded', async () => {
  const ran = join(folder, 'ran.txt')
  const texts = Object.entries(DOWNLOADS).map(([name, text]) => [name, text.replace('RAN', ran)] as const)
  const page = await serveSite({
    '/': `<!doctype html><title>Downloads</title><script>
      const texts = ${JSON.stringify(texts).replaceAll('<', '\\u003c')}
      async function go() {
        for (const [name, text] of texts) {
          const link = document.createElement('a')
          link.href = URL.createObjectURL(new Blob([text], { type: 'application/octet-stream' }))
          link.download = name
          link.click()
          await new Promise((next) => setTimeout(next, 50))
        }
      }
      go()</script>`,
  })
  const sessionId = await peer.session()
  await callOrThrow(peer, 'navigate', { sessionId, url: page.url })
  const place = join('.footlight', sessionId.slice(0, 8))
  const names = () => {
    try {
      return readdirSync(join(folder, place)).filter(
        (name) => readFileSync(join(folder, place, name)).length > 0,
      )
    } catch {
      return []
    }
  }
  while (!Object.entries(DOWNLOADS).every(([name, text]) => text === '' || names().includes(name)))
    await callOrThrow(peer, 'evaluate', { sessionId, script: '1' })
  writeFileSync(join(folder, 'package.json'), '{}')
  writeFileSync(join(folder, 'playwright.config.js'), `module.exports = { testDir: '.' }`)
  writeFileSync(
    join(folder, 'own.spec.js'),
    `const { test } = require('@playwright/test'); test('own', () => {})`,
  )
  symlinkSync(join(import.meta.dir, '../../../node_modules'), join(folder, 'node_modules'))
  symlinkSync(join(folder, place), join(folder, 'linked'))
  const refusals = [
    peer.call('create_session', { extension: place }),
    peer.call('create_session', { extension: 'linked' }),
    peer.call('create_session', { initScript: join(place, 'init.js') }),
    peer.call('run_test', { path: place }),
    peer.call('run_test', { path: join(place, 'evil.spec.js') }),
    peer.call('run_test', { path: 'linked/playwright.config.js' }),
    peer.call('create_session', { command: `node ${place}/start.cjs` }),
    peer.call('create_session', { command: ['node', `${place}/start.cjs`] }),
    peer.call('create_session', { command: 'node start.cjs', cwd: 'linked' }),
    peer.call('create_session', { commandPath: join(place, 'start.cjs') }),
  ]
  for (const { data } of await Promise.all(refusals))
    expect(data).toMatchObject({ errorCode: 'ACCESS_DENIED' })
  // A configuration that looks everywhere finds its own tests alone.
  expect((await callOrThrow(peer, 'run_test', {})).message).toContain('1 passed')
  expect(readdirSync(folder)).not.toContain('ran.txt')
  await callOrThrow(peer, 'close_session', { sessionId })
  page.close()
}, 180_000)

const LARGE_FILE_BYTES = 2_000_000_000

test('downloads of an extension count as those of a page', async () => {
  let sent = 0
  const large = createServer((_, response) => {
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-length': LARGE_FILE_BYTES,
    })
    const chunk = Buffer.alloc(1_000_000)
    const write = (): void => {
      if (response.destroyed || sent >= LARGE_FILE_BYTES) return void response.end()
      sent += chunk.length
      response.write(chunk, () => setTimeout(write, 1))
    }
    write()
  }).listen(0, '127.0.0.1')
  const { port } = large.address() as { port: number }
  const extension = writeExtension('loader', {
    'manifest.json': manifestWith(['downloads']),
    'worker.js': `chrome.downloads.download({ url: 'http://127.0.0.1:${port}/large.bin' })`,
  })
  const sessionId = await peer.session({ extension })
  for (;;) {
    const { failed, data } = await peer.call('evaluate', {
      sessionId,
      script: 'new Promise((next) => setTimeout(next, 100))',
    })
    if (!failed) continue
    expect(['BROWSER_CRASHED', 'PAGE_CRASHED']).toContain(data.errorCode)
    break
  }
  expect(peer.stderr()).toContain('its extension downloaded 1 files')
  expect(sent).toBeLessThan(LARGE_FILE_BYTES)
  large.closeAllConnections()
  large.close()
}, 120_000)

test('over HTTP only the folders of --extensions are loaded', async () => {
  writeExtension('listed', { 'manifest.json': manifestWith([]), 'worker.js': '' })
  writeExtension('unlisted', { 'manifest.json': manifestWith([]), 'worker.js': '' })
  const server = await serveOverHttp(['--browser', 'chromium', '--extensions', 'listed'], {}, folder)
  const client = await connectOverHttp(server.url)
  const refused = await client.call('create_session', { extension: 'unlisted' })
  expect(refused.data).toMatchObject({ errorCode: 'ACCESS_DENIED' })
  expect((await client.call('create_session', { extension: 'listed' })).failed).toBe(false)
  writeFileSync(join(folder, 'listed', 'manifest.json'), manifestWith(['debugger']))
  expect((await client.call('create_session', { extension: 'listed' })).data.message).toContain('debugger')
  await client.close()
  await server.close()
}, 120_000)
