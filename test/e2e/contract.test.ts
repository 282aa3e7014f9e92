// Dev servers behind the user's own command, as the e2e-server seed has them, through the built binary. Each case has a folder of its own
// and, while it runs, a Footlight; a few run side by side, because some wait for a command that hangs.

import { afterAll, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { type Answer, closeSessions, connect, type Peer } from '../support/client.ts'
import { until } from '../support/leftovers.ts'
import { pool } from '../support/pool.ts'

const fixture = (name: string) => resolve(import.meta.dir, '../fixtures', name)
const lanes: { peer?: Peer | undefined }[] = [{}, {}, {}]
const freeLanes = pool(lanes)
afterAll(async () => {
  for (const { peer } of lanes) await peer?.close()
})

interface Own {
  readonly peer: Peer
  readonly state: string
  start(name: string, more?: Record<string, unknown>): Promise<Answer>
}

const alone =
  <A extends readonly unknown[]>(body: (own: Own, ...row: A) => Promise<void>) =>
  (...row: A) =>
    freeLanes.with(async (lane) => {
      const state = mkdtempSync(join(tmpdir(), 'fl-contract-'))
      const peer = (lane.peer ??= await connect())
      const start = (name: string, more: Record<string, unknown> = {}) => {
        const { env, ...rest } = more as { env?: Record<string, string> }
        return peer.call('startSession', {
          commandPath: fixture(name),
          env: { STATE: state, ...env },
          ...rest,
        })
      }
      try {
        await body({ peer, state, start }, ...row)
      } finally {
        // Some cases end it.
        if (alive(peer.pid)) await closeSessions(peer)
        else {
          lane.peer = undefined
          await peer.close()
        }
        rmSync(state, { recursive: true, force: true })
      }
    })

const alive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

describe.each(['contract.sh', 'contract.py', 'contract.mjs'])('%s', (name) => {
  test.concurrent(
    'start, use, end: the whole flow of the seed',
    alone(async ({ peer, start }) => {
      const { failed, data } = await start(name)
      expect([failed, data.message]).toEqual([false, expect.stringMatching(/Session s\d+ is open/)])
      expect({ ...data }).toMatchObject({
        url: expect.stringContaining(`:${data.port}`),
        pid: expect.any(Number),
        startedAt: expect.any(String),
        logs: { stderr: expect.any(String) },
      })
      const { sessionId } = data
      expect((await peer.call('navigate', { sessionId, url: data.url })).data).toMatchObject({
        success: true,
        status: 200,
      })
      expect((await peer.call('getSessionStatus', { sessionId })).data).toMatchObject({
        status: 'running',
        healthy: true,
      })
      expect((await peer.call('screenshot', { sessionId })).failed).toBe(false)
      const closed = await peer.call('endSession', { sessionId })
      expect(closed.data).toMatchObject({ success: true, message: expect.stringContaining('stopped by') })
      expect(await until(() => !alive(data.pid))).toBe(true)
    }),
    180_000,
  )
})

describe('the Bash command', () => {
  test.concurrent(
    'restart gives the new address and the old one; logs are read by type',
    alone(async ({ peer, start }) => {
      const { data } = await start('contract.sh')
      const { sessionId, pid, port } = data
      const again = (await peer.call('restart_server', { sessionId })).data
      expect(again).toMatchObject({ previousPid: pid, previousPort: port, message: 'again' })
      expect(again.pid).not.toBe(pid)
      await peer.call('navigate', { sessionId, url: `${again.url}page` })
      const read = async (input: object) =>
        (await peer.call('readServerLogs', { sessionId, logType: 'stderr', ...input })).data
      expect((await read({})).text).toContain('served /page')
      expect(await read({ pattern: 'nothing like it' })).toEqual({
        text: '',
        lineCount: 0,
        truncated: false,
        seq: expect.any(Number),
      })
      expect((await peer.call('timeline', { sessionId, limit: 200 })).data.entries).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ kind: 'server', text: 'served /page' }),
          expect.objectContaining({ kind: 'action' }),
          expect.objectContaining({ kind: 'request' }),
        ]),
      )
    }),
    180_000,
  )
  test.concurrent(
    'what the server wrote while it started is part of the evidence of its death, redacted',
    alone(async ({ peer, start }) => {
      const env = { FIRST_WORDS: 'no cache, token=ghp_0123456789abcdefghijABCDEFGHIJ012345\n' }
      const { data } = await start('contract.sh', { env })
      const { sessionId, url, pid } = data
      await peer.call('navigate', { sessionId, url: `${url}page` })
      process.kill(pid)
      expect(await until(() => !alive(pid))).toBe(true)
      const failed = await peer.call('click', { sessionId, selector: '#none', timeout: 50 })
      expect(failed.data.message).toStartWith(
        `The dev server process ${pid} has exited. Call restart_server.`,
      )
      const { stderr } = failed.data.evidence
      expect(stderr).toEqual([expect.stringMatching(/^no cache, token=\[redacted/), 'served /page'])
    }),
    180_000,
  )
  test.concurrent(
    'the log files that an answer names are redacted copies',
    alone(async ({ peer, state, start }) => {
      const { data } = await start('contract.sh')
      await peer.call('navigate', { sessionId: data.sessionId, url: `${data.url}?password=hunter2-x` })
      expect(readFileSync(join(state, 'err.log'), 'utf8')).toContain('hunter2-x')
      const read = () => readFileSync(data.logs.stderr, 'utf8')
      expect(await until(() => read().includes('served /?password=[redacted]'))).toBe(true)
      expect(read()).not.toContain('hunter2-x')
      await peer.call('close_session', { sessionId: data.sessionId })
      expect(existsSync(data.logs.stderr)).toBe(false)
    }),
    180_000,
  )
  test.concurrent(
    'a log of 5 GB is tailed at once',
    alone(async ({ peer, state, start }) => {
      const { data } = await start('contract.sh')
      truncateSync(join(state, 'all.log'), 5 * 1024 ** 3)
      writeFileSync(join(state, 'all.log'), '\nfirst\nlast\n', { flag: 'a' })
      const { text } = (await peer.call('read_server_logs', { sessionId: data.sessionId, lines: 2 })).data
      expect(text).toBe('first\nlast')
    }),
    180_000,
  )
  test.concurrent(
    'a log that leads elsewhere than at the start is not read',
    alone(async ({ peer, state, start }) => {
      const { data } = await start('contract.sh')
      rmSync(join(state, 'all.log'))
      symlinkSync('/etc/passwd', join(state, 'all.log'))
      expect((await peer.call('read_server_logs', { sessionId: data.sessionId })).data.errorCode).toBe(
        'LOG_READ_FAILED',
      )
    }),
    180_000,
  )
  test.concurrent(
    'idle expiry and the end of the client run --shutdown',
    alone(async ({ peer, state, start }) => {
      const { data } = await start('contract.sh', { sessionTimeout: 300 })
      expect(await until(() => existsSync(join(state, 'shutdown')) && !alive(data.pid))).toBe(true)
      rmSync(join(state, 'shutdown'))
      rmSync(join(state, 'port'))
      const next = await start('contract.sh', { args: ['--port', 'any'] })
      await peer.client.close()
      expect(await until(() => !alive(next.data.pid))).toBe(true)
      expect(readFileSync(join(state, 'shutdown'), 'utf8')).toBe('--shutdown --port any\n')
    }),
    180_000,
  )
  test.concurrent(
    'SIGKILL of footlight ends the server that it started, a daemon of its own session',
    alone(async ({ peer, start }) => {
      const { data } = await start('contract.sh')
      process.kill(peer.pid, 'SIGKILL')
      expect(await until(() => !alive(data.pid))).toBe(true)
      expect(await until(() => peer.trace.processes().length === 0)).toBe(true)
      expect(await until(() => readdirSync(peer.trace.folder).length === 0)).toBe(true)
    }),
    180_000,
  )
})

describe('failures', () => {
  const rows: [string, object, Record<string, unknown>][] = [
    ['exit', {}, { reason: 'non_zero_exit', exitCode: 1, stderr: ['Error: Port 3000 already in use'] }],
    ['timeout', { readyTimeout: 400 }, { reason: 'timeout', waited: 400 }],
    ['chatter', {}, { reason: 'invalid_json' }],
    ['empty', {}, { reason: 'invalid_json', text: expect.stringContaining('stdout was empty') }],
    ['fields', {}, { reason: 'invalid_json', text: expect.stringContaining('port') }],
  ]
  test.concurrent.each(rows)(
    '%s',
    alone(async ({ peer, start }, MODE, more, details) => {
      const { failed, data } = await start('contract.mjs', { env: { MODE }, ...(more as object) })
      expect(failed).toBe(true)
      expect(data).toMatchObject({ errorCode: 'SERVER_START_FAILED', category: 'server', details })
      expect((await peer.call('list_sessions')).data.sessions).toEqual([])
    }),
    180_000,
  )
  test.concurrent(
    'a missing file, and one that may not be executed',
    alone(async ({ peer, state }) => {
      expect((await peer.call('create_session', { commandPath: '/nope/serve' })).data.details.reason).toBe(
        'command_not_found',
      )
      const path = join(state, 'plain')
      writeFileSync(path, '#!/bin/sh\n')
      chmodSync(path, 0o644)
      expect((await peer.call('create_session', { commandPath: path })).data.details.reason).toBe(
        'permission_denied',
      )
    }),
    180_000,
  )
  test.concurrent(
    'a slow start is waited for',
    alone(async ({ start }) => {
      expect((await start('contract.mjs', { env: { MODE: 'slow' } })).failed).toBe(false)
    }),
    180_000,
  )
  test.concurrent(
    'a server that was running already is used and left running',
    alone(async ({ peer, state, start }) => {
      const server: Server = createServer((_, response) => response.end('mine'))
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
      const { port } = server.address() as AddressInfo
      const { data } = await start('contract.mjs', {
        env: { MODE: 'already', PORT_TAKEN: String(port), PID: String(process.pid) },
      })
      expect(data.port).toBe(port)
      const closed = await peer.call('close_session', { sessionId: data.sessionId })
      expect(closed.data.message).toContain('left running')
      expect(existsSync(join(state, 'shutdown'))).toBe(false)
      server.close()
    }),
    180_000,
  )
  test.concurrent(
    'unhealthy is reported, and a --status that hangs is unhealthy',
    alone(async ({ peer, state, start }) => {
      const sick = await start('contract.mjs', { env: { MODE: 'unhealthy' } })
      expect((await peer.call('get_session_status', { sessionId: sick.data.sessionId })).data).toMatchObject({
        status: 'unhealthy',
        healthy: false,
      })
      await peer.call('close_session', { sessionId: sick.data.sessionId })
      rmSync(join(state, 'port'))
      const hung = await start('contract.mjs', { env: { MODE: 'hang' } })
      expect((await peer.call('get_session_status', { sessionId: hung.data.sessionId })).data).toMatchObject({
        status: 'unhealthy',
      })
      // To close the session takes as long as --shutdown is waited for.
      await peer.client.close()
    }),
    180_000,
  )
  test.concurrent(
    'a --shutdown that hangs: the session goes, the server is killed, and it is said',
    alone(async ({ peer, start }) => {
      const { data } = await start('contract.mjs', { env: { MODE: 'hang' } })
      const closed = await peer.call('close_session', { sessionId: data.sessionId })
      expect(closed.data).toMatchObject({ errorCode: 'SERVER_SHUTDOWN_FAILED' })
      expect(alive(data.pid)).toBe(false)
      expect((await peer.call('list_sessions')).data.sessions).toEqual([])
    }),
    180_000,
  )
  test.concurrent(
    'when the browser cannot start, the server is stopped again',
    alone(async ({ state }) => {
      const own = await connect({ args: ['--headless', '--executable-path', '/bin/false'] })
      const { failed } = await own.call('create_session', {
        commandPath: fixture('contract.sh'),
        env: { STATE: state },
      })
      expect(failed).toBe(true)
      expect(
        await until(
          () => !existsSync(join(state, 'pid')) || !alive(Number(readFileSync(join(state, 'pid'), 'utf8'))),
          5000,
        ),
      ).toBe(true)
      await own.close()
    }),
    180_000,
  )
})
