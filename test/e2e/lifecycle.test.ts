// How the built binary ends, and what it outlives. `connect` fails any test that leaves a process or a temporary file.

import { afterAll, describe, expect, test } from 'bun:test'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { binary, connect, type Peer } from '../support/client.ts'
import { leaveFolder, type Trace, trace, until } from '../support/leftovers.ts'
import { page, serveSite } from '../support/site.ts'

const handshake = [
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'create_session', arguments: {} } },
]

/** A raw server process with one open session. */
async function withSession(): Promise<{ child: ChildProcess; left: Trace; exit: Promise<number | null> }> {
  const left = trace()
  const env = { ...process.env, ...left.env }
  const child = spawn(binary, ['--headless'], { stdio: ['pipe', 'pipe', 'ignore'], env })
  const exit = new Promise<number | null>((done) => child.once('exit', (code) => done(code)))
  let out = ''
  child.stdout?.on('data', (chunk) => (out += chunk))
  for (const message of handshake) child.stdin?.write(`${JSON.stringify(message)}\n`)
  expect(await until(() => out.includes('"id":2'))).toBe(true)
  expect(left.browsers()).toHaveLength(1)
  return { child, left, exit }
}

describe('starts', () => {
  test('on a terminal it says what it waits for, and what to do instead', async () => {
    const left = trace()
    const decoder = new TextDecoder()
    let output = ''
    const child = Bun.spawn([binary, '--headless'], {
      env: { ...process.env, ...left.env },
      terminal: { cols: 60, data: (_, bytes) => void (output += decoder.decode(bytes)) },
    })
    expect(await until(() => output.includes('footlight --help'))).toBe(true)
    expect(output).toContain('waiting for an MCP client on stdin')
    for (const line of output.split('\n')) expect(line.trimEnd().length).toBeLessThanOrEqual(60)
    child.kill('SIGINT')
    expect(await child.exited).toBe(130)
    await left.expectNothing()
  })

  test.each([
    [['--secrets', 'nope'], {}, 1, 'footlight: --secrets nope: there is no such file'],
    [['--host', '0.0.0.0'], {}, 0, '--host has no effect without --http'],
    [[], { FOOTLIGHT_HEADLES: '1' }, 0, 'Did you mean FOOTLIGHT_HEADLESS?'],
  ])('%p with %p exits with %p and says %p', (args, env, code, text) => {
    const { status, stderr } = spawnSync(binary, ['--headless', ...args], {
      env: { ...process.env, ...env },
      input: '',
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([code, expect.stringContaining(text)])
  })
})

describe('endings', () => {
  test('row 41: stdin at its end: exit 0, nothing left', async () => {
    const { child, left, exit } = await withSession()
    child.stdin?.end()
    expect(await exit).toBe(0)
    await left.expectNothing(1000)
  })

  test.each([
    ['SIGTERM', 0],
    ['SIGHUP', 0],
    ['SIGINT', 130],
  ] as const)('row 42: %s: exit %i, nothing left', async (signal, code) => {
    const { child, left, exit } = await withSession()
    child.kill(signal)
    expect(await exit).toBe(code)
    await left.expectNothing(1000)
  })

  test('row 42: a second signal ends at once, even while a page hangs', async () => {
    const { child, left, exit } = await withSession()
    for (const { pid } of left.browsers()) process.kill(pid, 'SIGSTOP')
    child.kill('SIGTERM')
    child.kill('SIGINT')
    expect(await exit).not.toBeNull()
    await left.expectNothing(2000)
  })

  test('stdin closed while the browser still starts: nothing left', async () => {
    const left = trace()
    const child = spawn(binary, ['--headless'], {
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { ...process.env, ...left.env },
    })
    for (const message of handshake) child.stdin.write(`${JSON.stringify(message)}\n`)
    child.stdin.end()
    expect(await new Promise((done) => child.once('exit', done))).toBe(0)
    await left.expectNothing(1000)
  })
})

describe('browsers that misbehave', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fl-bad-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const script = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 })
    return path
  }
  const withBrowser = async (
    path: string,
    use: (peer: Peer) => Promise<void>,
    env: Record<string, string> = {},
  ) => {
    const peer = await connect({ args: ['--headless', '--executable-path', path], env })
    await use(peer)
    await peer.close()
  }

  test('one that exits at once: BROWSER_ERROR with its last words, every time anew', () =>
    withBrowser(script('dies', 'echo "cannot open shared object" >&2; exit 127'), async (peer) => {
      for (let i = 0; i < 2; i += 1) {
        const { data } = await peer.call('create_session')
        expect(data.errorCode).toBe('BROWSER_ERROR')
        expect(data.message).toContain('cannot open shared object')
      }
    }))

  test('one that never comes up is killed at its deadline', () =>
    withBrowser(
      script('sleeps', 'exec sleep 600'),
      async (peer) => {
        const { data } = await peer.call('create_session')
        expect(data.message).toContain('did not start within 1500 ms')
        expect(
          await until(
            () => !peer.trace.processes().some(({ command }) => command.includes('sleep 600')),
            1000,
          ),
        ).toBe(true)
      },
      { FOOTLIGHT_LAUNCH_TIMEOUT: '1500' },
    ))

  test('one that has had its number of sessions is followed by a fresh one, and ends with its last session', async () => {
    const peer = await connect({ args: ['--headless', '--recycle-after', '3'] })
    const [first] = peer.trace.browsers()
    const kept = await peer.session()
    const pids = new Set<number>()
    for (let index = 0; index < 6; index += 1) {
      const sessionId = await peer.session()
      for (const { pid } of peer.trace.browsers()) pids.add(pid)
      expect((await peer.call('evaluate', { sessionId, script: '1 + 1' })).data.result).toBe(2)
      await peer.call('close_session', { sessionId })
    }
    expect(pids.size).toBeGreaterThanOrEqual(3)
    expect((await peer.call('evaluate', { sessionId: kept, script: '1 + 1' })).data.result).toBe(2)
    await peer.call('close_session', { sessionId: kept })
    expect(await until(() => peer.trace.browsers().length <= 1)).toBe(true)
    expect(peer.trace.browsers().map(({ pid }) => pid)).not.toContain(first?.pid ?? -1)
    await peer.close()
  }, 120_000)
})

describe('pages that misbehave', () => {
  test('calls on one session keep their order, calls on two run side by side', async () => {
    const peer = await connect()
    const [a, b] = await Promise.all([peer.session(), peer.session()])
    await peer.call('evaluate', { sessionId: a, script: 'window.order = []; return 0' })
    const push = (n: number) =>
      peer.call('evaluate', {
        sessionId: a,
        script: 'await new Promise((r) => setTimeout(r, arg % 2 ? 15 : 1)); order.push(arg); return order',
        arg: n,
      })
    const all = await Promise.all(Array.from({ length: 20 }, (_, n) => push(n)))
    expect(all.at(-1)?.data.result).toEqual(Array.from({ length: 20 }, (_, n) => n))
    const slow = peer.call('wait_for', { sessionId: a, text: 'never', timeout: 1500 })
    const first = await Promise.race([
      slow.then(() => 'slow'),
      peer.call('exists', { sessionId: b, selector: 'html' }).then(() => 'other'),
    ])
    expect(first).toBe('other')
    expect((await slow).data.errorCode).toBe('TIMEOUT')
    await peer.close()
  })
})

test('a page ends with its session, closed or expired, and the browser stays for the next one', async () => {
  let streams = 0
  const site = await serveSite({
    '/': page('<script>new EventSource("/stream")</script>'),
    // Open as long as the page that asked for it is.
    '/stream': (request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': here\n\n')
      streams += 1
      request.on('close', () => (streams -= 1))
    },
  })
  const peer = await connect()
  const use = async (options: Record<string, unknown>) => {
    const sessionId = await peer.session(options)
    await peer.call('navigate', { sessionId, url: site.url })
    expect(await until(() => streams === 1)).toBe(true)
    return sessionId
  }
  const isGone = async () =>
    (await until(() => streams === 0)) && (await peer.call('list_sessions')).data.sessions.length === 0
  const closed = await use({})
  const browsers = peer.trace.browsers()
  expect(browsers).toHaveLength(1)
  await peer.call('close_session', { sessionId: closed })
  expect(await isGone()).toBe(true)
  await use({ sessionTimeout: 1000 })
  expect(await isGone()).toBe(true)
  expect(peer.trace.browsers()).toEqual(browsers)
  await peer.close()
  site.close()
})

describe('many sessions', () => {
  test('96 create and close cycles: memory flat, no context, no file, no descriptor left', async () => {
    const peer = await connect()
    const cycle = async () => void (await peer.call('close_session', { sessionId: await peer.session() }))
    const many = async (times: number) => {
      for (let i = 0; i < times; i += 8) await Promise.all(Array.from({ length: 8 }, cycle))
    }
    const resident = () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${peer.pid}/status`, 'utf8'))?.[1]) / 1024
    const descriptors = () => readdirSync(`/proc/${peer.pid}/fd`).length
    const pages = () =>
      peer.trace.processes().filter(({ command }) => command.includes('--type=renderer')).length
    // A whole run takes 10,000 of them (bench/soak/cycles.ts). By now the heap has found its size; from here on it must stay.
    await many(32)
    const before = { resident: resident(), descriptors: descriptors() }
    await many(96)
    expect(await until(() => pages() <= 2)).toBe(true)
    // What a collection has not freed yet goes with one of the next; what is held stays.
    const settled = async () => {
      await many(8)
      return resident() - before.resident < 40
    }
    expect(await until(settled)).toBe(true)
    expect(Math.abs(descriptors() - before.descriptors)).toBeLessThanOrEqual(3)
    expect((await peer.call('list_sessions')).data.sessions).toEqual([])
    await peer.close()
  }, 300_000)
})

test('a folder of a living run is not swept, one of a dead run is', async () => {
  const left = trace()
  const living = await connect({ env: left.env })
  const [livingFolder = ''] = readdirSync(left.folder)
  leaveFolder(join(left.folder, 'footlight-999999999-Dead12'))
  // Not ours: it only begins like ours.
  leaveFolder(join(left.folder, 'footlight-999999999-notes-of-mine'))
  const next = await connect({ env: left.env })
  expect(await until(() => !existsSync(join(left.folder, 'footlight-999999999-Dead12')))).toBe(true)
  await next.close()
  expect(readdirSync(left.folder).sort()).toEqual(['footlight-999999999-notes-of-mine', livingFolder].sort())
  rmSync(join(left.folder, 'footlight-999999999-notes-of-mine'), { recursive: true })
  await living.close()
  await left.expectNothing()
})
