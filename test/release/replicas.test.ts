// More than one machine's worth: browsers that run elsewhere, and replicas behind a load balancer.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { findExecutable } from '../../src/browser/process/find-executable.ts'
import { connect } from '../support/client.ts'
import { connectOverHttp, serveOverHttp, type HttpPeer, type HttpServer } from '../support/http.ts'
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

describe('two replicas behind HAProxy', () => {
  const token = 'a-token-that-is-long-enough'
  let replicas: HttpServer[]
  let proxy: ReturnType<typeof Bun.spawn>
  let folder: string
  let url: URL
  beforeAll(async () => {
    const port = await reservePort()
    const args = [
      '--auth',
      'bearer',
      '--public-url',
      `http://127.0.0.1:${port}`,
      '--allowed-hosts',
      new URL(site.url).host,
      '--max-sessions',
      '30',
      '--rate-limit',
      '10000',
      '--session-rate-limit',
      '1000',
    ]
    replicas = await Promise.all([
      serveOverHttp(args, { FOOTLIGHT_TOKEN: token }),
      serveOverHttp(args, { FOOTLIGHT_TOKEN: token }),
    ])
    folder = mkdtempSync(join(tmpdir(), 'fl-haproxy-'))
    // A client stays with the replica that gave it its MCP session. A killed one refuses connections, which is noticed at once; a slow one stays.
    const config = `
global
  maxconn 2000
defaults
  mode http
  timeout connect 20s
  timeout check 20s
  timeout client 1h
  timeout server 1h
  timeout http-request 10s
frontend mcp
  bind 127.0.0.1:${port}
  default_backend replicas
backend replicas
  balance roundrobin
  option httpchk GET /health
  http-check send hdr Host 127.0.0.1:${port}
  option redispatch
  retries 2
  stick-table type string len 64 size 100k expire 1h
  stick on req.hdr(Mcp-Session-Id)
  stick store-response res.hdr(Mcp-Session-Id)
  stick on src if { req.hdr(Mcp-Method) -m found }
${replicas.map(({ own }, index) => `  server r${index} 127.0.0.1:${own} check inter 200 fall 1 rise 1`).join('\n')}
`
    writeFileSync(join(folder, 'haproxy.cfg'), config)
    proxy = Bun.spawn(
      [Bun.which('haproxy') ?? '/usr/sbin/haproxy', '-f', join(folder, 'haproxy.cfg'), '-db'],
      { stdout: 'ignore', stderr: 'ignore' },
    )
    url = new URL(`http://127.0.0.1:${port}/mcp`)
    expect(
      await until(
        async () => (await fetch(new URL('/health', url)).catch(() => undefined))?.status === 200,
        8000,
      ),
    ).toBe(true)
  }, 300_000)
  afterAll(async () => {
    proxy.kill()
    await proxy.exited
    await replicas[1]?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('a client without an MCP session stays with its replica by its address', async () => {
    const one = await connectModernOverHttp(url, token)
    const { sessionId } = (await one.call('create_session')).data
    const two = await connectModernOverHttp(url, token)
    for (const { call } of [one, two, one, two])
      expect((await call('evaluate', { sessionId, script: '1 + 1' })).data.result).toBe(2)
    expect((await two.call('close_session', { sessionId })).failed).toBe(false)
    await Promise.all([one.close(), two.close()])
  })
  test('20 sessions stay where they are; when a replica is killed its own are not found, with the next step, and the other ones go on', async () => {
    const peers: { peer: HttpPeer; sessionId: string }[] = []
    for (let index = 0; index < 20; index += 1) {
      const peer = await connectOverHttp(url, token)
      peers.push({ peer, sessionId: await peer.session() })
    }
    const title = async ({ peer, sessionId }: (typeof peers)[number]) => {
      await peer.call('navigate', { sessionId, url: site.url })
      return (await peer.call('evaluate', { sessionId, script: 'document.title' })).data.result
    }
    expect(await Promise.all(peers.map(title))).toEqual(Array(20).fill('Site'))
    const on = async (port: number) =>
      (
        (await (await fetch(`http://127.0.0.1:${port}/health`, { headers: { host: url.host } })).json()) as {
          activeSessions: number
        }
      ).activeSessions
    const counts = await Promise.all(replicas.map(({ own }) => on(own)))
    expect(counts[0]! + counts[1]!).toBe(20)
    expect(Math.min(...counts)).toBeGreaterThan(4)
    await replicas[0]?.close('SIGKILL')
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
    expect(after.filter((one) => one === 'Site')).toHaveLength(counts[1] ?? 0)
    expect(after.filter((one) => one === 'lost')).toHaveLength(counts[0] ?? 0)
    for (const { peer } of peers) await peer.close().catch(() => {})
  }, 300_000)
})
