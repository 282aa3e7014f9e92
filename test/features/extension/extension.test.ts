// An extension under test: its pages, its worker, its content scripts, and a change of its files.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callOrThrow, connect, type Peer } from '../../support/client.ts'
import { serveSite, type Site } from '../../support/site.ts'

const manifest = {
  manifest_version: 3,
  name: 'Counter "of" clicks',
  version: '1.0',
  permissions: ['storage', 'sidePanel'],
  action: { default_popup: 'popup.html' },
  side_panel: { default_path: 'panel.html' },
  background: { service_worker: 'worker.js' },
  content_scripts: [{ matches: ['http://*/*'], js: ['content.js'] }],
}
const files: Readonly<Record<string, string>> = {
  'manifest.json': JSON.stringify(manifest),
  'popup.html':
    '<!doctype html><title>Popup</title><button>Ask</button><p>?</p><script src="popup.js"></script>',
  'popup.js': `document.querySelector('button').onclick = async () => { document.querySelector('p').textContent = await chrome.runtime.sendMessage('ask') }`,
  'panel.html': '<!doctype html><title>Panel</title><h1>Panel</h1>',
  'worker.js': `console.log('the worker is here'); chrome.runtime.onMessage.addListener((message, _, reply) => { console.warn('asked', message); reply('answer one') })`,
  'content.js': `document.documentElement.dataset.extension = 'one'`,
}

let folder: string
let extension: string
let peer: Peer
let site: Site
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-extension-')))
  extension = join(folder, 'counter')
  mkdirSync(extension)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(extension, name), text)
  site = await serveSite({ '/': '<!doctype html><title>Page</title><h1>Page</h1>' })
  peer = await connect({ args: ['--headless', '--browser', 'chromium'], cwd: folder })
}, 120_000)
afterAll(async () => {
  await peer.close()
  site.close()
  rmSync(folder, { recursive: true, force: true })
})

test('its pages open, its worker logs, its scripts run, and a change of its files loads it again', async () => {
  const { sessionId, message } = await callOrThrow(peer, 'create_session', {
    extension: 'counter',
    allowedDomains: ['127.0.0.1'],
  })
  const call = (tool: string, input: Record<string, unknown> = {}) =>
    callOrThrow(peer, tool, { sessionId, ...input })
  const logged = async (pattern: string) =>
    call('timeline').then(({ text, entries }) => JSON.stringify(entries ?? text).includes(pattern))
  const [, popup = ''] = /popup (chrome-extension:\/\/[a-z]{32}\/popup\.html)/.exec(message) ?? []
  expect(message).toContain(
    `Extension "Counter \\"of\\" clicks" is loaded: popup ${popup}, side panel chrome-extension://`,
  )
  await call('navigate', { url: site.url })
  const attribute = { script: 'document.documentElement.dataset.extension' }
  expect((await call('evaluate', attribute)).result).toBe('one')
  await call('navigate', { url: popup })
  await call('click', { selector: 'button' })
  await call('wait_for', { text: 'answer one' })
  expect(await logged('the worker is here')).toBe(true)
  expect(await logged('asked')).toBe(true)
  await call('navigate', { url: popup.replace('popup', 'panel') })
  expect((await call('get_content')).content).toContain('Panel')

  await call('navigate', { url: site.url })
  writeFileSync(join(extension, 'content.js'), `document.documentElement.dataset.extension = 'two'`)
  while (!(await logged('was loaded again'))) await call('evaluate', { script: '1' })
  await call('history', { direction: 'reload' })
  expect((await call('evaluate', attribute)).result).toBe('two')
  writeFileSync(join(extension, 'manifest.json'), '{')
  while (!(await logged('cannot be loaded'))) await call('evaluate', { script: '1' })
  writeFileSync(join(extension, 'manifest.json'), JSON.stringify(manifest))
  await call('close_session')
}, 120_000)

test('what is no extension, or not for this browser, is refused by name', async () => {
  mkdirSync(join(folder, 'empty'))
  mkdirSync(join(folder, 'broken'))
  writeFileSync(join(folder, 'broken', 'manifest.json'), '{"name":"Broken"}')
  const refused = async (input: Record<string, unknown>) =>
    (await peer.call('create_session', input)).data.message
  expect(await refused({ extension: 'empty' })).toMatch(/^INVALID_PARAMETERS: extension|extension: expected/)
  expect(await refused({ extension: 'broken' })).toMatch(
    /extension: expected the folder of an unpacked extension.*version/is,
  )
  expect(await refused({ extension: 'counter', browser: 'firefox' })).toMatch(
    /browser: expected chromium, chrome or msedge with extension/,
  )
  expect(await refused({ extension: 'counter', restore: 'x' })).toMatch(
    /extension: expected none with storageState or restore/,
  )
  expect(await refused({ extension: '/etc' })).toMatch(/extension/)
  const other = await peer.session()
  const answer = await peer.call('navigate', {
    sessionId: other,
    url: `chrome-extension://${'a'.repeat(32)}/popup.html`,
  })
  expect(answer.data.errorCode).toBe('ACCESS_DENIED')
}, 120_000)
