// What pages may never reach although it is on this machine: ports of Footlight and of its browsers, and servers that the session did
// not start. And what Footlight itself asks on behalf of a session: readyUrl.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { type Answer, connect, share } from '../../support/client.ts'
import { connectOverHttp, serveOverHttp } from '../../support/http.ts'
import { page, serveSite, type Site } from '../../support/site.ts'

const node = Bun.which('node') ?? 'node'
const interfaces = Object.values(networkInterfaces()).flatMap((all = []) =>
  all.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address),
)
const ours = 'a port of Footlight itself'

let other: Site
beforeEach(async () => void (other = await serveSite({}, page('other', 'Other'))))
afterEach(() => other.close())

/** A dev server with this title; `location` makes it redirect. */
const mine = (location = '') => [
  node,
  '-e',
  `require('http').createServer((q, r) => { r.setHeader('content-type', 'text/html'); ${location && `r.writeHead(302, { location: '${location}' });`} r.end('<title>Mine</title>') }).listen(process.env.PORT, '127.0.0.1')`,
]

/** The TCP ports on which these processes listen. */
function listeningPorts(pids: readonly number[]): number[] {
  const inodes = new Set(
    pids.flatMap((pid) => {
      try {
        return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
          try {
            return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? []
          } catch {
            return []
          }
        })
      } catch {
        return []
      }
    }),
  )
  const rows = ['tcp', 'tcp6'].flatMap((name) => readFileSync(`/proc/net/${name}`, 'utf8').split('\n'))
  return rows.flatMap((row) => {
    const [, local = '', , state, , , , , , inode = ''] = row.trim().split(/\s+/)
    return state === '0A' && inodes.has(inode) ? [Number.parseInt(local.split(':')[1] ?? '', 16)] : []
  })
}

describe('ports of ours', () => {
  const everywhere = ['127.0.0.1', 'localhost', ...interfaces]
  test.each([
    ['chromium', 3],
    ['firefox', 4],
  ] as const)(
    'no page of %s reaches the proxy of a session, the refusing one, the view or a debugging port',
    async (browser, least) => {
      const peer = await connect({
        args: ['--headless', '--view', '--browser', browser, '--allowed-hosts', everywhere.join(',')],
      })
      const sessionId = await peer.session()
      await peer.session()
      const ports = listeningPorts(peer.trace.processes().map(({ pid }) => pid))
      // Two sessions, the refusing proxy, the view, and what the browser itself listens on.
      expect(ports.length).toBeGreaterThanOrEqual(least + 1)
      for (const port of ports)
        for (const host of [...everywhere, '[::ffff:127.0.0.1]']) {
          const { data } = await peer.call('navigate', { sessionId, url: `http://${host}:${port}/` })
          expect([host, data.errorCode, data.details?.rule]).toEqual([host, 'ACCESS_DENIED', ours])
        }
      await peer.close()
    },
    90_000,
  )
  test('no page reaches the HTTP port, however it is listened on and named, nor does readyUrl', async () => {
    const server = await serveOverHttp(
      [
        '--host',
        '0.0.0.0',
        '--auth',
        'bearer',
        '--allowed-hosts',
        everywhere.join(','),
        '--server-command',
        node,
      ],
      { FOOTLIGHT_TOKEN: 'a-token-of-this-test' },
    )
    const peer = await connectOverHttp(new URL(`http://127.0.0.1:${server.own}/mcp`), 'a-token-of-this-test')
    const sessionId = await peer.session()
    for (const host of everywhere) {
      const url = `http://${host}:${server.own}/health`
      expect((await peer.call('navigate', { sessionId, url })).data).toMatchObject({
        errorCode: 'ACCESS_DENIED',
        details: { rule: ours },
      })
      expect((await peer.call('create_session', { command: mine(), readyUrl: url })).data).toMatchObject({
        errorCode: 'ACCESS_DENIED',
        details: { rule: ours },
      })
    }
    await peer.close()
    await server.close()
  }, 300_000)
  test('no page reaches the HTTP port where private places are allowed without other rules', async () => {
    const server = await serveOverHttp(['--private-hosts', 'allow'])
    const peer = await connectOverHttp(server.url)
    const sessionId = await peer.session()
    const open = async (url: string) => (await peer.call('navigate', { sessionId, url })).data
    expect(await open(other.url)).toMatchObject({ title: 'Other' })
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]'])
      expect(await open(`http://${host}:${server.own}/health`)).toMatchObject({
        errorCode: 'ACCESS_DENIED',
        details: { rule: ours },
      })
    await peer.close()
    await server.close()
  }, 300_000)
})

describe('readyUrl', () => {
  const denied = ({ data }: Answer) =>
    expect(data).toMatchObject({ errorCode: 'ACCESS_DENIED', category: 'security' })
  test('over HTTP is not asked at a server of this machine that the session did not start', async () => {
    const server = await serveOverHttp(['--server-command', node])
    const peer = await connectOverHttp(server.url)
    denied(await peer.call('create_session', { command: mine(), readyUrl: other.url }))
    denied(await peer.call('create_session', { command: mine(), readyUrl: 'http://10.255.255.254/' }))
    denied(await peer.call('create_session', { command: mine(), readyUrl: 'http://169.254.169.254/' }))
    expect(other.hits).toEqual([])
    expect((await peer.call('list_sessions')).data.sessions).toEqual([])
    await peer.close()
    await server.close()
  }, 300_000)
  test('over HTTP is never asked at metadata or ours, also where private places are allowed', async () => {
    const server = await serveOverHttp(['--server-command', node, '--private-hosts', 'allow'])
    const peer = await connectOverHttp(server.url)
    const readyUrl = `http://127.0.0.1:${server.own}/health`
    denied(await peer.call('create_session', { command: mine(), readyUrl }))
    denied(
      await peer.call('create_session', { command: mine(), readyUrl: 'http://metadata.google.internal/' }),
    )
    const { data } = await peer.call('create_session', { command: mine(), readyUrl: other.url })
    expect(data.message).toContain('left running')
    await peer.close()
    await server.close()
  }, 300_000)
  test('with rules is asked where they allow it; what already answers there is theirs to judge', async () => {
    const peer = await share()
    const open = (more: object) => peer.call('create_session', { command: mine(), ...more })
    denied(await open({ allowedDomains: ['example.com'], readyUrl: other.url }))
    expect(other.hits).toEqual([])
    const found = await open({ allowedDomains: [new URL(other.url).host], readyUrl: other.url })
    expect(found.data.message).toContain('left running')
    const { sessionId } = found.data
    expect((await peer.call('navigate', { sessionId, url: other.url })).data.title).toBe('Other')
    await peer.close()
  }, 300_000)
  test('of a server that the session starts is asked and opened to its pages; its redirects are not followed', async () => {
    const peer = await share()
    const free = await serveSite({})
    const port = Number(new URL(free.url).port)
    free.close()
    const { data } = await peer.call('create_session', {
      allowedDomains: ['example.com'],
      command: mine(`${other.url}/redirected`),
      port,
      readyUrl: `http://127.0.0.1:${port}/ready`,
    })
    expect(data).toMatchObject({ port })
    expect(other.hits).toEqual([])
    const { sessionId } = data
    const arrived = await peer.call('navigate', { sessionId, url: data.url })
    // It may be reached, and where it leads to may not.
    expect(arrived.data).toMatchObject({ details: { port: Number(new URL(other.url).port) } })
    expect((await peer.call('get_session_status', { sessionId })).data.status).toBe('running')
    expect(other.hits).toEqual([])
    await peer.close()
  }, 300_000)
})

describe('the url that a contract command answers', () => {
  const commandPath = resolve(import.meta.dir, '../../fixtures/contract.mjs')
  const start = async (env: Record<string, string>) => {
    const state = mkdtempSync(join(tmpdir(), 'fl-boundary-'))
    const peer = await share()
    const { data } = await peer.call('create_session', {
      commandPath,
      env: { STATE: state, ...env },
      allowedDomains: ['example.com'],
    })
    const visited = (await peer.call('navigate', { sessionId: data.sessionId, url: data.url })).data
    await peer.close()
    rmSync(state, { recursive: true, force: true })
    return visited
  }
  test('is opened to pages where the session started it on this machine', async () => {
    expect(await start({})).toMatchObject({ status: 200 })
  }, 300_000)
  test('is up to the rules where the server was there before', async () => {
    const env = { MODE: 'already', PORT_TAKEN: new URL(other.url).port, PID: String(process.pid) }
    expect(await start(env)).toMatchObject({ errorCode: 'ACCESS_DENIED' })
    expect(other.hits).toEqual([])
  }, 300_000)
  test('is up to the rules where it is elsewhere', async () => {
    for (const ELSEWHERE of ['http://10.255.255.254/', 'http://93.184.216.34/', 'http://169.254.169.254/'])
      expect(await start({ MODE: 'elsewhere', ELSEWHERE })).toMatchObject({ errorCode: 'ACCESS_DENIED' })
  }, 300_000)
})
