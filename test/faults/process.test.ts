// Rows 45 to 47: a full disk, a bug of ours, a channel that must stay clean. (How we end ourselves, rows 41 to 44, is in e2e/lifecycle.)

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { findExecutable } from '../../src/core/browser/process/find-executable.ts'
import { startRaw, toolCall } from '../support/raw.ts'
import { page, serveSite } from '../support/site.ts'
import { browserFault, fault } from './fault.ts'

// A small disk is mounted, which only root may do.
describe.skipIf(process.getuid?.() !== 0)('row 45 (as root)', () => {
  const small = mkdtempSync(join(tmpdir(), 'fl-full-'))
  const args = ['--headless', '--tools', '+pdf', '--output-dir', small]
  beforeAll(() =>
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', small]).status).toBe(0),
  )
  afterAll(() => {
    spawnSync('umount', [small])
    rmSync(small, { recursive: true })
  })
  const noisy = page(
    '<canvas id="c" width="900" height="700"></canvas><script>const x = c.getContext("2d"), d = x.createImageData(900, 700); for (let i = 0; i < d.data.length; i++) d.data[i] = Math.random() * 256; x.putImageData(d, 0, 0)</script>',
  )
  fault(45, 'the disk is full', { args, routes: { '/noise': noisy } }, async ({ site, call }) => {
    await call('navigate', { url: `${site.url}/noise` })
    const shot = await call('screenshot', { fullPage: true, format: 'png' })
    expect(shot.errorCode === undefined ? shot.width > 0 : shot.errorCode === 'RESOURCE_EXHAUSTED').toBe(true)
    const saved = await call('pdf')
    expect([saved.errorCode, saved.message]).toEqual([
      'RESOURCE_EXHAUSTED',
      expect.stringMatching(/room|space|full/i),
    ])
    const list = await call('evaluate', { script: "Array.from({ length: 20000 }, (_, i) => 'item ' + i)" })
    expect(JSON.stringify(list)).toContain('item 1')
    expect((await call('exists', { selector: '#c' })).count).toBe(1)
  })
})

// What a broken browser throws inside our event loop stands for any bug of ours.
const bad = {
  args: ['--headless', '--executable-path', resolve(import.meta.dir, '../fixtures/bad-browser.mjs')],
  env: { MODE: 'garbage', REAL_BROWSER: findExecutable({ browser: 'chromium', headless: true }).path ?? '' },
}
browserFault(46, 'an exception that nothing catches', bad, async (peer) => {
  const sessionId = await peer.session()
  await peer.call('evaluate', { sessionId, script: "'BAD_NOW'" })
  expect(peer.stderr()).toContain('internal error')
  expect((await peer.call('evaluate', { sessionId, script: '2' })).data.result).toBe(2)
})

test('row 47: nothing but messages is on stdout, whatever happens', async () => {
  const site = await serveSite({ '/': page('<script>console.log("to stdout?")</script>') })
  const raw = await startRaw([], { env: { DEBUG: 'pw:api,pw:browser', FOOTLIGHT_LOG_LEVEL: 'debug' } })
  raw.send(toolCall(1, 'create_session'))
  const { sessionId } = (await raw.answer(1)).result.structuredContent
  raw.send(toolCall(2, 'navigate', { sessionId, url: site.url }))
  raw.send(toolCall(3, 'evaluate', { sessionId, script: 'console.log("x"); throw new Error("y")' }))
  raw.send(toolCall(4, 'create_session', { command: 'echo to stdout; exit 1' }))
  raw.send(toolCall(5, 'click', { sessionId, selector: '#none', timeout: 50 }))
  raw.send(toolCall(6, 'nothing', {}))
  for (const id of [2, 3, 4, 5, 6]) await raw.answer(id)
  for (const line of raw.lines()) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
  expect(await raw.close()).toBe(0)
  site.close()
})
