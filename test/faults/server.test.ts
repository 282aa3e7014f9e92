// Rows 34 to 40: dev servers that end, never come up, shout, hide or will not die.

import { afterAll, describe, expect } from 'bun:test'
import { mkdtempSync, rmSync, truncateSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { until } from '../support/leftovers.ts'
import { closeGrounds, fault, type Stage } from './fault.ts'

afterAll(closeGrounds)

const node = (script: string) => ['node', '-e', script]
const serve = "require('http').createServer((q, r) => r.end('up')).listen(process.env.PORT, '127.0.0.1')"
const start = async ({ peer }: Stage, options: Record<string, unknown>) =>
  (await peer.call('create_session', options)).data

describe('row 34', () => {
  fault(34, 'a server ends at once', {}, async (stage) => {
    expect(await start(stage, { command: 'echo its last words >&2; exit 3' })).toMatchObject({
      errorCode: 'SERVER_START_FAILED',
      details: { exitCode: 3, stderr: expect.arrayContaining([expect.stringContaining('its last words')]) },
    })
  })
  fault(34, 'a server ends later', {}, async (stage) => {
    const script = `${serve}; process.on('SIGUSR2', () => { console.error('the roof is on fire'); process.exit(4) })`
    const { sessionId, pid } = await start(stage, { command: node(script) })
    process.kill(pid, 'SIGUSR2')
    const status = async () => (await stage.peer.call('get_session_status', { sessionId })).data
    expect(await until(async () => (await status()).status === 'stopped')).toBe(true)
    const { data } = await stage.peer.call('click', { sessionId, selector: '#none', timeout: 50 })
    expect(JSON.stringify(data.evidence)).toMatch(/the roof is on fire/)
  })
})

fault(35, 'a server listens nowhere', {}, async (stage) => {
  const command = node("console.log('warming up'); setInterval(() => {}, 1000)")
  expect(await start(stage, { command, readyTimeout: 1500 })).toMatchObject({
    errorCode: 'SERVER_START_FAILED',
    details: { reason: 'timeout', stdout: expect.arrayContaining([expect.stringContaining('warming up')]) },
  })
})

fault(36, 'a server prints garbage without end', {}, async (stage) => {
  const script = `${serve}; const noise = Buffer.alloc(1 << 20, Buffer.from([0x1b, 0x5b, 0x33, 0x31, 0x6d, 0xff, 0xfe, 0x00, 0x41])); let left = 200; const more = () => { while (left-- > 0) if (!process.stdout.write(noise)) return process.stdout.once('drain', more); console.log('\\ndone printing') }; more()`
  const { sessionId, url } = await start(stage, { command: node(script) })
  expect((await stage.peer.call('navigate', { sessionId, url })).data.success).toBe(true)
  let text = ''
  // On a busy machine the page may not report its secret fields in time, and then no text is shown.
  const isDone = async () => {
    text = (await stage.peer.call('read_server_logs', { sessionId, lines: 3 })).data.text ?? ''
    return text.includes('done printing')
  }
  expect(await until(isDone)).toBe(true)
  expect(text.length).toBeLessThan(200_000)
  expect(text).not.toContain('\u001b[')
})

fault(37, "a port that is somebody else's", {}, async (stage) => {
  const other = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
  await new Promise((done) => other.once('listening', done))
  const { port } = other.address() as AddressInfo
  const failed = await start(stage, { command: node(serve), port, readyTimeout: 3000 })
  expect(failed.errorCode).toBe('SERVER_START_FAILED')
  expect(JSON.stringify(failed)).toMatch(/EADDRINUSE|in use|another program/)
  other.close()
})

describe('rows 38 and 39', () => {
  fault(38, 'a server that ignores SIGTERM', {}, async (stage) => {
    const started = await start(stage, { command: node(`process.on('SIGTERM', () => {}); ${serve}`) })
    expect(started).toMatchObject({ pid: expect.any(Number) })
    const { sessionId, pid } = started
    expect((await stage.peer.call('close_session', { sessionId })).data).toMatchObject({ success: true })
    expect(stage.peer.trace.processes().map((one) => one.pid)).not.toContain(pid)
  })
  fault(39, 'a server that leaves daemons behind', {}, async (stage) => {
    const command = `setsid sleep 7771 & (setsid sh -c 'sleep 7772 & exit' &); exec node -e "${serve}"`
    const { sessionId } = await start(stage, { command })
    const sleeping = () => stage.peer.trace.processes().filter((one) => /sleep 777\d/.test(one.command))
    expect(await until(() => sleeping().length >= 2)).toBe(true)
    await stage.peer.call('close_session', { sessionId })
    expect(await until(() => sleeping().length === 0)).toBe(true)
  })
})

fault(40, 'a log of 10 GB', {}, async (stage) => {
  const state = mkdtempSync(join(tmpdir(), 'fl-log-'))
  const commandPath = resolve(import.meta.dir, '../fixtures/contract.mjs')
  const { sessionId } = await start(stage, { commandPath, env: { STATE: state } })
  truncateSync(join(state, 'out.log'), 10_000_000_000)
  const { data } = await stage.peer.call('read_server_logs', { sessionId, logType: 'stdout', lines: 5 })
  expect([data.errorCode, JSON.stringify(data).length < 100_000]).toEqual([undefined, true])
  await stage.peer.call('close_session', { sessionId })
  rmSync(state, { recursive: true })
})
