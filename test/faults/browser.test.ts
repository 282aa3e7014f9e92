// Rows 1 to 9: browsers that die, hang, lie or never come up.

import { afterAll, describe, expect } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { findExecutable } from '../../src/core/browser/process/find-executable.ts'
import type { Peer } from '../support/client.ts'
import { until } from '../support/leftovers.ts'
import { browserFault, closeGrounds, fault } from './fault.ts'

afterAll(closeGrounds)

const real = findExecutable({ browser: 'chromium', headless: true }).path ?? ''
const bad = (mode: string) => ({
  args: ['--headless', '--executable-path', resolve(import.meta.dir, '../fixtures/bad-browser.mjs')],
  env: { MODE: mode, REAL_BROWSER: real, FOOTLIGHT_LAUNCH_TIMEOUT: mode === 'silent' ? '4000' : '30000' },
})
const kill = (pid: number | undefined, signal: NodeJS.Signals = 'SIGKILL') => {
  if (pid === undefined) throw new Error('there is no such process')
  process.kill(pid, signal)
}
const worksAgain = async (peer: Peer) => {
  const sessionId = await peer.session()
  expect((await peer.call('evaluate', { sessionId, script: '1 + 1' })).data.result).toBe(2)
}

fault(1, 'a browser is killed in the middle of a call', { apart: true }, async ({ peer, browser, call }) => {
  await call('evaluate', { script: "document.body.innerHTML = '<input type=password id=p>'; 1" })
  await call('type', { selector: '#p', text: 'a word for nobody' })
  await call('evaluate', { script: "console.error('its last words: ' + p.value)" })
  const pending = call('evaluate', { script: 'new Promise(() => {})', timeout: 20_000 })
  await peer.call('list_sessions')
  kill(browser)
  const told = await pending
  expect(told).toMatchObject({ errorCode: 'BROWSER_CRASHED', category: 'browser' })
  expect(JSON.stringify(told.evidence)).toContain('its last words')
  expect(JSON.stringify(told)).not.toContain('a word for nobody')
  expect((await call('click', { selector: 'h1' })).errorCode).toBe('BROWSER_CRASHED')
  await worksAgain(peer)
})

fault(2, 'a renderer is killed', { apart: true }, async ({ peer, site, browser, call }) => {
  const all = peer.trace.processes()
  const isBelow = (parent: number): boolean =>
    parent === browser || all.some(({ pid, parent: above }) => pid === parent && isBelow(above))
  const renderers = all.filter(
    ({ command, parent }) => command.includes('--type=renderer') && isBelow(parent),
  )
  if (renderers.length === 0) throw new Error('no renderer was found')
  for (const { pid } of renderers) kill(pid)
  expect(await call('wait_for', { text: 'never', timeout: 3000 })).toMatchObject({
    errorCode: 'PAGE_CRASHED',
    details: { url: `${site.url}/` },
  })
  expect((await call('navigate', { url: site.url })).success).toBe(true)
})

const folder = mkdtempSync(join(tmpdir(), 'fl-browsers-'))
afterAll(() => rmSync(folder, { recursive: true }))
const program = (name: string, text: string) => {
  const path = join(folder, name)
  writeFileSync(path, text, { mode: 0o755 })
  return ['--headless', '--executable-path', path]
}

const narrow = program('narrow', `#!/bin/sh\nexec "${real}" --js-flags=--max-old-space-size=40 "$@"\n`)
fault(3, 'a page runs out of memory', { args: narrow }, async ({ site, call }) => {
  const script = 'const all = []; for (;;) all.push(new Array(1e5).fill(1.5))'
  expect(await call('evaluate', { script, timeout: 40_000 })).toMatchObject({ errorCode: 'PAGE_CRASHED' })
  expect((await call('navigate', { url: site.url })).success).toBe(true)
})

fault(4, 'an endless loop', {}, async ({ site, call }) => {
  await call('evaluate', { script: "document.body.dataset.kept = 'yes'" })
  expect(await call('evaluate', { script: 'for (;;);', timeout: 1000 })).toMatchObject({
    errorCode: 'PAGE_HUNG',
    details: { freed: true, url: `${site.url}/` },
  })
  expect((await call('evaluate', { script: 'document.body.dataset.kept' })).result).toBe('yes')
})

fault(5, 'a promise that never settles', {}, async ({ call }) => {
  expect(await call('evaluate', { script: 'new Promise(() => {})', timeout: 500 })).toMatchObject({
    errorCode: 'TIMEOUT',
  })
  expect((await call('evaluate', { script: '1' })).result).toBe(1)
})

fault(6, 'a browser is stopped', { apart: true }, async ({ peer, browser, call }) => {
  kill(browser, 'SIGSTOP')
  const told = await call('evaluate', { script: '1', timeout: 30_000 })
  expect(told.errorCode).toBe('BROWSER_CRASHED')
  await worksAgain(peer)
})

describe('row 7', () => {
  const expectLate = async (peer: Peer) => {
    const { data } = await peer.call('create_session')
    expect([data.errorCode, data.message]).toEqual([
      'BROWSER_ERROR',
      expect.stringContaining('did not start within'),
    ])
    expect(await until(() => peer.trace.processes().length === 1)).toBe(true)
  }
  browserFault(7, 'a browser never comes up', bad('silent'), expectLate)
})

describe('row 8', () => {
  const start = (path: string) => ({ args: ['--headless', '--executable-path', path] })
  browserFault(8, 'a browser that is not there', start('/nowhere/chrome'), async (peer) => {
    const { data } = await peer.call('create_session')
    expect(data).toMatchObject({
      errorCode: 'BROWSER_NOT_INSTALLED',
      details: { looked: ['/nowhere/chrome'] },
    })
    expect(data.message).toStartWith('/nowhere/chrome (--executable-path) does not exist. ')
  })
  browserFault(8, 'a browser that ends at once', start('/bin/false'), async (peer) => {
    const { data } = await peer.call('create_session')
    expect(data).toMatchObject({ errorCode: 'BROWSER_ERROR' })
  })
  const alien = { args: program('alien', '\u007fELF of no machine') }
  browserFault(8, 'a browser for another machine', alien, async (peer) => {
    expect((await peer.call('create_session')).data).toMatchObject({ errorCode: 'BROWSER_ERROR' })
  })
})

describe('row 9', () => {
  const now = async (peer: Peer, timeout = 20_000) => {
    const sessionId = await peer.session()
    return (await peer.call('evaluate', { sessionId, script: "'BAD_NOW'", timeout })).data
  }
  browserFault(9, 'a browser that hears nothing any more is replaced', bad('deaf'), async (peer) => {
    expect((await now(peer, 30_000)).errorCode).toBe('BROWSER_CRASHED')
    expect((await peer.call('create_session')).data.sessionId).toBeString()
  })
  browserFault(9, 'a slow one is waited for', bad('slow'), async (peer) => {
    expect((await now(peer)).result).toBe('BAD_NOW')
    expect((await peer.call('create_session')).data.sessionId).toBeString()
  })
  browserFault(9, 'one that talks nonsense does not end us', bad('garbage'), async (peer) => {
    expect((await now(peer)).result).toBe('BAD_NOW')
    expect((await peer.call('list_sessions')).failed).toBe(false)
    await worksAgain(peer)
  })
  browserFault(9, 'one that exits is reported at once', bad('exit'), async (peer) => {
    expect((await now(peer)).errorCode).toBe('BROWSER_CRASHED')
    await worksAgain(peer)
  })
})
