// More than one machine's worth: browsers that run elsewhere, and replicas behind a load balancer.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { findExecutable } from '../../src/core/browser/process/find-executable.ts'
import { connect } from '../support/client.ts'
import { connectOverHttp, type HttpPeer, type HttpServer, serveOverHttp } from '../support/http.ts'
import { trace, until } from '../support/leftovers.ts'
import { connectModernOverHttp } from '../support/modern.ts'
import { reservePort } from '../support/reserve-port.ts'
import { page, serveSite, type Site } from '../support/site.ts'

let site: Site
beforeAll(async () => void (site = await serveSite({ '/': page('<h1>Site</h1>', 'Site') })))
afterAll(() => site.close())

const shell = findExecutable({ browser: 'chromium', headless: true }).path ?? ''
const root = process.getuid?.() === 0

describe('browsers elsewhere', () => {
  test('a Playwright server: sessions there, and nothing of it is ended with us', async () => {
    const child = Bun.spawn(['node', resolve(import.meta.dir, '../fixtures/browser-server.mjs'), shell], {
      stdin: 'pipe',
      stdout: 'pipe',
    })
    const address = new TextDecoder().decode((await child.stdout.getReader().read()).value).trim()
    for (let round = 0; round < 2; round += 1) {
      const peer = await connect({ args: ['--headless', '--connect', address] })
      const sessionId = await peer.session()
      expect((await peer.call('navigate', { sessionId, url: site.url })).data).toMatchObject({
        title: 'Site',
      })
      expect((await peer.call('screenshot', { sessionId })).data).toMatchObject({ width: 1280 })
      const heading = { sessionId, selector: 'h1', is: 'visible' }
      expect((await peer.call('wait_for', { ...heading, text: 'Site' })).data).toMatchObject({
        success: true,
      })
      expect((await peer.call('wait_for', { ...heading, count: 2, timeout: 500 })).data).toMatchObject({
        details: { observed: ['count 1, wanted 2'] },
      })
      expect(peer.trace.browsers()).toEqual([])
      await peer.close()
    }
    await child.stdin.end()
    await child.exited
  }, 120_000)
  test('a DevTools endpoint, and one where nobody answers', async () => {
    const left = trace()
    const profile = join(left.folder, 'profile')
    const args = [
      shell,
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      ...(root ? ['--no-sandbox'] : []),
      'about:blank',
    ]
    const env = { ...process.env, ...left.env }
    const child = Bun.spawn(args, { env, stderr: 'pipe', stdout: 'ignore' })
    let errors = ''
    void (async () => {
      for await (const chunk of child.stderr) errors += new TextDecoder().decode(chunk)
    })()
    await until(() => /DevTools listening on (ws:\S+)/.test(errors))
    const endpoint = /DevTools listening on (ws:\S+)/.exec(errors)?.[1] ?? ''
    const peer = await connect({ args: ['--headless', '--cdp-endpoint', endpoint] })
    const sessionId = await peer.session()
    expect((await peer.call('navigate', { sessionId, url: site.url })).data).toMatchObject({ title: 'Site' })
    await peer.close()
    expect(child.exitCode).toBeNull()
    // The start script of a distribution stays beside the browser.
    for (const { pid } of left.processes()) process.kill(pid, 'SIGKILL')
    await child.exited
    await until(() => left.processes().length === 0)
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    await left.expectNothing()
    const alone = await connect({
      args: ['--headless', '--cdp-endpoint', `http://127.0.0.1:${await reservePort()}`],
    })
    expect((await alone.call('create_session')).data).toMatchObject({
      errorCode: 'BROWSER_ERROR',
      message: expect.stringContaining('no browser responds at'),
    })
    await alone.close()
  }, 120_000)
})

interface Client {
  readonly peer: HttpPeer
  readonly sessionId: string
}

describe('three replicas behind HAProxy', () => {
  const token = 'a-token-that-is-long-enough'
  const limit = 12
  let replicas: HttpServer[]
  let running: Set<HttpServer>
  let proxy: ReturnType<typeof Bun.spawn>
  let folder: string
  let url: URL
  let statistics: string
  beforeAll(async () => {
    const [port, statisticsPort] = [await reservePort(), await reservePort()]
    const args = [
      '--auth',
      'bearer',
      '--public-url',
      `http://127.0.0.1:${port}`,
      '--allowed-hosts',
      new URL(site.url).host,
      '--max-sessions',
      String(limit),
      '--rate-limit',
      '10000',
      '--session-rate-limit',
      '1000',
      '--drain-timeout',
      '600000',
    ]
    replicas = await Promise.all(
      Array.from({ length: 3 }, () => serveOverHttp(args, { FOOTLIGHT_TOKEN: token })),
    )
    running = new Set(replicas)
    folder = mkdtempSync(join(tmpdir(), 'fl-haproxy-'))
    // A killed replica refuses connections, which is noticed at once; a slow one stays.
    const servers = replicas.map(
      ({ own }, index) => `  server r${index} 127.0.0.1:${own} agent-port ${own} fall 1 rise 1\n`,
    )
    const config = readFileSync(resolve(import.meta.dir, '../../deploy/haproxy.cfg'), 'utf8')
      .replaceAll('mcp.example', `127.0.0.1:${port}`)
      .replace('bind :3000', `bind 127.0.0.1:${port}`)
      .replace('timeout connect 1s', 'timeout connect 20s\n  timeout check 20s')
      .replaceAll('inter 1s', 'inter 200')
      .replace(/^ {2}server .*\n/gm, '')
    const listen = `listen statistics\n  bind 127.0.0.1:${statisticsPort}\n  stats enable\n  stats uri /\n`
    writeFileSync(join(folder, 'haproxy.cfg'), `${config}${servers.join('')}${listen}`)
    statistics = `http://127.0.0.1:${statisticsPort}/;csv`
    proxy = Bun.spawn(
      [Bun.which('haproxy') ?? '/usr/sbin/haproxy', '-f', join(folder, 'haproxy.cfg'), '-db'],
      { stdout: 'ignore', stderr: 'ignore' },
    )
    url = new URL(`http://127.0.0.1:${port}/mcp`)
    expect(await until(async () => String(await weights()) === '100,100,100')).toBe(true)
  }, 300_000)
  afterAll(async () => {
    proxy.kill()
    await proxy.exited
    // A failed test may leave sessions, for which SIGTERM would wait.
    for (const replica of running) await replica.close('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })

  // What HAProxy has learned from the replicas: 0 for one that gets no new clients.
  const weights = async (): Promise<number[]> => {
    const response = await fetch(statistics).catch(() => undefined)
    const [head = '', ...rows] = ((await response?.text()) ?? '').split('\n')
    const [status, weight] = ['status', 'weight'].map((name) => head.split(',').indexOf(name))
    return rows
      .map((row) => row.split(','))
      .filter(([backend, name]) => backend === 'replicas' && name !== 'BACKEND')
      .map((row) => (row[status!]!.startsWith('UP') ? Number(row[weight!]) : 0))
  }
  const sessionsOn = async ({ own }: HttpServer): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${own}/health`, { headers: { host: url.host } })
    return ((await response.json()) as { activeSessions: number }).activeSessions
  }
  const close = async (replica: HttpServer, signal?: NodeJS.Signals): Promise<void> => {
    running.delete(replica)
    await replica.close(signal)
  }
  const open = async (): Promise<Client> => {
    const peer = await connectOverHttp(url, token)
    return { peer, sessionId: await peer.session() }
  }
  const closeAll = async (clients: readonly Client[]): Promise<void> => {
    for (const { peer, sessionId } of clients) await peer.call('close_session', { sessionId }).catch(() => {})
    for (const { peer } of clients) await peer.close()
  }

  test('a client without an MCP session stays with its replica by its address', async () => {
    const one = await connectModernOverHttp(url, token)
    const { sessionId } = (await one.call('create_session')).data
    const two = await connectModernOverHttp(url, token)
    for (const { call } of [one, two, one, two])
      expect((await call('evaluate', { sessionId, script: '1 + 1' })).data.result).toBe(2)
    expect((await two.call('close_session', { sessionId })).failed).toBe(false)
    await Promise.all([one.close(), two.close()])
  })
  test('a new client goes where there is room, and not to a full replica', async () => {
    const first = await open()
    const clients = [first]
    for (let index = 1; index < limit; index += 1)
      clients.push({ peer: first.peer, sessionId: await first.peer.session() })
    expect(await until(async () => (await weights()).includes(0))).toBe(true)
    for (let index = 0; index < limit; index += 1) clients.push(await open())
    const [least = 0, middle = 0, most] = (await Promise.all(replicas.map(sessionsOn))).sort((a, b) => a - b)
    expect(most).toBe(limit)
    expect(middle - least).toBeLessThan(5)
    const { peer, sessionId } = first
    expect((await peer.call('evaluate', { sessionId, script: '1 + 1' })).data.result).toBe(2)
    await closeAll(clients)
  }, 120_000)
  test('20 sessions stay where they are; when a replica is killed its own are not found, with the next step, and the other ones go on', async () => {
    const peers: Client[] = []
    for (let index = 0; index < 20; index += 1) peers.push(await open())
    const title = async ({ peer, sessionId }: Client) => {
      await peer.call('navigate', { sessionId, url: site.url })
      return (await peer.call('evaluate', { sessionId, script: 'document.title' })).data.result
    }
    expect(await Promise.all(peers.map(title))).toEqual(Array(20).fill('Site'))
    const counts = await Promise.all(replicas.map(sessionsOn))
    expect(counts[0]! + counts[1]! + counts[2]!).toBe(20)
    expect(Math.min(...counts)).toBeGreaterThan(4)
    await close(replicas[0]!, 'SIGKILL')
    const after = await Promise.all(
      peers.map(async ({ peer, sessionId }) => {
        const kept = await peer
          .call('evaluate', { sessionId, script: 'document.title' })
          .catch((error: Error) => error)
        if (!(kept instanceof Error)) return kept.data.result
        // The client is told to initialise again, does so, and then learns that its session is gone.
        expect(kept.message).toContain('initialize again')
        const again = await connectOverHttp(url, token)
        const { data } = await again.call('evaluate', { sessionId, script: '1' })
        expect(data).toMatchObject({
          errorCode: 'SESSION_NOT_FOUND',
          message: expect.stringContaining('create_session'),
        })
        await again.close()
        return 'lost'
      }),
    )
    expect(after.filter((one) => one === 'Site')).toHaveLength(20 - counts[0]!)
    expect(after.filter((one) => one === 'lost')).toHaveLength(counts[0]!)
    await closeAll(peers)
  }, 300_000)
  test('a replica that is shut down keeps its clients until their sessions are closed, and gets no others', async () => {
    const clients = [await open(), await open(), await open(), await open()]
    const draining = replicas[1]!
    const kept = await sessionsOn(draining)
    expect(kept).toBeGreaterThan(0)
    process.kill(draining.pid, 'SIGTERM')
    expect(await until(async () => (await weights())[1] === 0)).toBe(true)
    clients.push(await open(), await open(), await open(), await open())
    expect(await sessionsOn(draining)).toBe(kept)
    for (const { peer, sessionId } of clients)
      expect((await peer.call('evaluate', { sessionId, script: '1 + 1' })).data.result).toBe(2)
    await closeAll(clients)
    expect(await draining.ended).toBe(0)
    await close(draining)
  }, 120_000)
})
