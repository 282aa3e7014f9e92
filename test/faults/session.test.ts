// Rows 24 to 33: calls that are cancelled, sessions that end under a call, crowds, clocks and rates.

import { afterAll, describe, expect } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findExecutable } from '../../src/core/browser/process/find-executable.ts'
import { browserFault, closeGrounds, fault } from './fault.ts'

afterAll(closeGrounds)

fault(24, 'a call is cancelled', {}, async ({ peer, sessionId, call }) => {
  const cancel = new AbortController()
  const input = { sessionId, text: 'never', timeout: 60_000 }
  const pending = peer.client.callTool({ name: 'wait_for', arguments: input }, undefined, {
    signal: cancel.signal,
  })
  await peer.call('list_sessions')
  cancel.abort()
  await expect(pending).rejects.toThrow()
  // The cancelled call would have kept its place for a minute.
  expect((await call('exists', { selector: 'h1' })).count).toBe(1)
})

describe('row 25', () => {
  const short = ['--headless', '--session-timeout', '1000']
  browserFault(25, 'a session expires during a call: the call ends first', { args: short }, async (peer) => {
    const sessionId = await peer.session()
    const script = 'new Promise((done) => setTimeout(done, 1800, "late"))'
    expect((await peer.call('evaluate', { sessionId, script })).data.result).toBe('late')
  })
  const limited = ['--headless', '--session-timeout', '1000', '--max-lifetime', '1000']
  browserFault(25, 'a session reaches its longest life during a call', { args: limited }, async (peer) => {
    const sessionId = await peer.session()
    const script = 'new Promise(() => {})'
    expect((await peer.call('evaluate', { sessionId, script, timeout: 20_000 })).data).toMatchObject({
      errorCode: 'SESSION_EXPIRED',
      details: { reason: 'lifetime' },
    })
  })
})

fault(26, 'ids that are closed, unknown or no ids at all', {}, async ({ peer }) => {
  const closed = await peer.session()
  await peer.call('close_session', { sessionId: closed })
  for (const sessionId of [closed, randomUUID(), 'no id', '../..', '__proto__', '🦊'])
    expect((await peer.call('exists', { sessionId, selector: 'a' })).data).toMatchObject({
      errorCode: 'SESSION_NOT_FOUND',
      message: expect.stringContaining('create_session'),
    })
})

fault(27, 'a session is closed under a call', {}, async ({ peer, site, call }) => {
  const pending = call('navigate', { url: `${site.url}/never`, timeout: 60_000 })
  await peer.call('list_sessions')
  expect((await call('close_session')).success).toBe(true)
  expect((await pending).errorCode).toBe('SESSION_CLOSED')
})

fault(28, 'a session is closed twice, and all at once', {}, async ({ peer, call }) => {
  const twice = await Promise.all([call('close_session'), call('close_session')])
  expect(twice.map(({ success }) => success)).toEqual([true, true])
  const many = await Promise.all(Array.from({ length: 5 }, () => peer.session()))
  const closed = await Promise.all(many.map((sessionId) => peer.call('close_session', { sessionId })))
  expect(closed.every(({ failed }) => !failed)).toBe(true)
})

fault(29, 'a hundred sessions at once where ten may be', {}, async ({ peer }) => {
  const made = await Promise.all(Array.from({ length: 100 }, () => peer.call('create_session')))
  const codes = made.map(({ failed, data }) => (failed ? data.errorCode : 'ok'))
  // Two are open already.
  expect(codes.filter((code) => code === 'ok')).toHaveLength(8)
  expect(codes.filter((code) => code === 'MAX_SESSIONS_REACHED')).toHaveLength(92)
})

fault(30, 'two hundred calls at once on one session', {}, async ({ call }) => {
  await call('evaluate', { script: 'window.seen = []; return 0' })
  const all = await Promise.all(
    Array.from({ length: 200 }, (_, arg) => call('evaluate', { script: 'seen.push(arg); return arg', arg })),
  )
  const done = all.flatMap(({ result }) => (result === undefined ? [] : [result]))
  expect((await call('evaluate', { script: 'seen' })).result).toEqual(done)
  expect(done).toEqual(done.toSorted((a, b) => a - b))
  const busy = all.filter(({ errorCode }) => errorCode === 'SESSION_BUSY')
  expect([done.length + busy.length, busy.length > 0]).toEqual([200, true])
})

describe('row 32', () => {
  const library = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib64']
    .map((folder) => join(folder, 'faketime/libfaketime.so.1'))
    .find((path) => existsSync(path))
  const folder = mkdtempSync(join(tmpdir(), 'fl-clock-'))
  const [clock, chrome] = [join(folder, 'clock'), join(folder, 'chrome')]
  const real = findExecutable({ browser: 'chromium', headless: true }).path
  // The browser keeps the true time: it is ours that jumps.
  writeFileSync(chrome, `#!/bin/sh\nunset LD_PRELOAD\nexec "${real}" "$@"\n`, { mode: 0o755 })
  afterAll(() => rmSync(folder, { recursive: true }))
  const env = {
    LD_PRELOAD: library ?? '',
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  const jump = (offset: string) => writeFileSync(clock, offset)
  jump('+0')
  browserFault(
    32,
    'the clock jumps a day, forth and back',
    { env, args: ['--headless', '--session-timeout', '4000', '--executable-path', chrome] },
    async (peer) => {
      expect(library).toBeString()
      const sessionId = await peer.session()
      const before = (await peer.call('list_sessions')).data.sessions[0].createdAt
      jump('+1d')
      expect((await peer.call('evaluate', { sessionId, script: '1' })).data.result).toBe(1)
      const { data } = await peer.call('create_session')
      const later = (await peer.call('get_session_status', { sessionId: data.sessionId })).data
      expect(later.status).toBe('none')
      jump('-1d')
      expect((await peer.call('evaluate', { sessionId, script: '1' })).data.result).toBe(1)
      expect(before).toBeNumber()
      // Nobody is immortal either: their time ends as if the clock had stood still.
      const since = performance.now()
      while ((await peer.call('list_sessions')).data.sessions.length > 0 && performance.now() - since < 9000)
        await Bun.sleep(50)
      expect((await peer.call('exists', { sessionId, selector: 'a' })).data.errorCode).toBe('SESSION_EXPIRED')
    },
  )
})

const limited = ['--headless', '--rate-limit', '50']
browserFault(33, 'a client calls too often', { args: limited }, async (peer) => {
  const sessionId = await peer.session()
  const calls = await Promise.all(
    Array.from({ length: 60 }, () => peer.call('exists', { sessionId, selector: 'a' })),
  )
  const refused = calls.filter(({ data }) => data.errorCode === 'RATE_LIMITED')
  expect(refused.length).toBeGreaterThanOrEqual(10)
  expect(refused[0]?.data.details.retryAfterMs).toBeGreaterThan(0)
})
