// Two versions of an application that has more than one server, each with all of its own.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callOrThrow, connect, type Peer } from '../../support/client.ts'
import { until } from '../../support/leftovers.ts'
import { reservePort } from '../../support/reserve-port.ts'
import { edit, git } from '../../support/small-shop.ts'
import { createTwoServers, type TwoServerKind, twoServers } from '../../support/two-servers.ts'

let root: string
let peer: Peer
beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'fl-two-')))
  peer = await connect({
    args: ['--headless', '--tools', '+compare', '--output-dir', `${root}-out`],
    cwd: root,
  })
}, 120_000)
afterAll(async () => {
  await peer.close()
  for (const path of [root, `${root}-out`]) rmSync(path, { recursive: true, force: true })
})

async function create(kind: TwoServerKind) {
  const folder = mkdtempSync(join(root, 'app-'))
  const port = await reservePort()
  const app = twoServers(kind, port, join(root, `${kind}.port`))
  createTwoServers(folder, app)
  return { folder, port, command: app.command }
}

const soldOut = (folder: string) => edit(folder, 'server/teas.js', 'stock: 30', 'stock: 0')

/** What the page of a server gets from the second one, which may be up a moment later. */
async function ask(url: string): Promise<unknown> {
  let answer: unknown
  const read = async () => (await fetch(new URL('/api/teas', url))).json().catch(() => undefined)
  await until(async () => (answer = await read()) !== undefined)
  return answer
}

const textsOf = ({ steps }: any): string =>
  steps.flatMap(({ differences }: any) => differences.map(({ text = '' }: any) => text)).join('\n')

test.each(['fixed port', 'PORT + 1', 'port in a file', 'asked by the page', 'worker'] as const)(
  'a change of the second server alone is seen: %s; the servers of the session run as before',
  async (kind) => {
    const { folder, port, command } = await create(kind)
    const { sessionId, url } = await callOrThrow(peer, 'create_session', { command, cwd: folder })
    const api = kind === 'asked by the page' ? `http://localhost:${port}` : url
    // The server of the page may be up before the second one, and the page asks once.
    expect(
      await until(() =>
        ask(api).then(
          ({ teas }: any) => Boolean(teas),
          () => false,
        ),
      ),
    ).toBe(true)
    await callOrThrow(peer, 'navigate', { sessionId, url })
    await callOrThrow(peer, 'wait_for', { sessionId, text: 'Assam' })
    soldOut(folder)
    const result = await callOrThrow(peer, 'compare', { sessionId, flow: ['/'] })
    expect(textsOf(result)).toContain('Sold out')
    expect(result.message).not.toMatch(/Nothing differs|all are in the diff/)
    const now: any = await ask(api)
    expect(now.teas[0]).toMatchObject({ name: 'Assam', stock: 0 })
    await callOrThrow(peer, 'close_session', { sessionId })
  },
  300_000,
)

test('a version does not differ from itself with two servers, and nothing is said that could not be seen', async () => {
  const { folder, command } = await create('PORT + 1')
  const result = await callOrThrow(peer, 'compare', { command, cwd: folder, flow: ['/'] })
  expect(result).toMatchObject({ steps: [], unexplained: 0 })
  expect(result.message).toEndWith('Nothing differs for a user in 1 step.')
}, 300_000)

test('a second server that neither version started is said first', async () => {
  const { folder, port, command } = await create('fixed port')
  const api = spawn('node', ['server/api.js'], { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] })
  try {
    await waitForPort(port)
    // Beside it that of each version gets no port.
    soldOut(folder)
    const both = await callOrThrow(peer, 'compare', { command, cwd: folder, flow: ['/'] })
    expect(both.message).toMatch(/^[^:]+: A server of the base did not get its port: .*EADDRINUSE/)
    expect(both.message).toEndWith('No difference was seen in 1 step.')
    // Without one of its own a version uses it too.
    const alone = await callOrThrow(peer, 'compare', { command: 'node web.js', cwd: folder, flow: ['/'] })
    expect(alone.message).toContain(
      `Port ${port} of this machine (node, process ${api.pid}) was used by both versions`,
    )
    expect(alone.message).toEndWith('No difference was seen in 1 step.')
  } finally {
    api.kill()
    await once(api, 'exit')
  }
}, 300_000)

test('after a comparison that fails the servers of the session run as before', async () => {
  const { folder, command } = await create('fixed port')
  const { sessionId, url } = await callOrThrow(peer, 'create_session', { command, cwd: folder })
  git(folder, 'rm', '--quiet', '-r', 'web.js', 'server')
  git(folder, 'commit', '--quiet', '--message=nothing to start')
  git(folder, 'checkout', '--quiet', 'HEAD~1', '--', 'web.js', 'server')
  const { data } = await peer.call('compare', { sessionId, base: 'HEAD', flow: ['/'] })
  expect(data).toMatchObject({ errorCode: 'SERVER_START_FAILED' })
  expect(((await ask(url)) as any).teas).toHaveLength(3)
  await callOrThrow(peer, 'close_session', { sessionId })
}, 300_000)

test('a comparison that is cancelled leaves the servers of the session running', async () => {
  const { folder, command } = await create('PORT + 1')
  const { sessionId, url } = await callOrThrow(peer, 'create_session', { command, cwd: folder })
  const cancelling = new AbortController()
  const call = peer.client.callTool({ name: 'compare', arguments: { sessionId, flow: ['/'] } }, undefined, {
    signal: cancelling.signal,
    timeout: 120_000,
    // The server of the session is stopped then.
    onprogress: ({ message = '' }) => void (message.startsWith('base 1/1') && cancelling.abort()),
  })
  expect(await call.catch(() => 'cancelled')).toBe('cancelled')
  const isUp = () =>
    ask(url).then(
      ({ teas }: any) => teas.length === 3,
      () => false,
    )
  expect(await until(isUp, 60_000, 100)).toBe(true)
  await callOrThrow(peer, 'close_session', { sessionId })
}, 300_000)

async function waitForPort(port: number): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://localhost:${port}/`).catch(() => undefined)
    if (answer) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
