// Footlight on a real Selenium Grid: a hub and three nodes.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startGrid, type Grid } from './grid.ts'
import { callOrThrow, connect, type Peer } from '../support/client.ts'
import { until } from '../support/leftovers.ts'
import { reservePort } from '../support/reserve-port.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const PER_NODE = 2
const NODES = 3

let grid: Grid
let site: Site

beforeAll(async () => {
  site = await serveSite({
    '/': page('<button onclick="this.textContent = Number(this.textContent) + 1">0</button>'),
  })
  grid = await startGrid({
    nodes: NODES,
    sessionsPerNode: PER_NODE,
    hubArgs: ['--healthcheck-interval', '5'],
  })
}, 180_000)

afterAll(() => {
  grid.stop()
  site.close()
})

const start = (...args: string[]): Promise<Peer> =>
  connect({ args: ['--headless', '--grid', grid.url, ...args] })

const noSessions = () => until(async () => (await grid.sessions()).length === 0)

test('each session has a browser of the Grid, and none is left', async () => {
  const peer = await start()
  const ids = await Promise.all(Array.from({ length: NODES * PER_NODE }, () => peer.session()))
  expect((await grid.sessions()).length).toBe(NODES * PER_NODE)
  const counts = await Promise.all(
    ids.map(async (sessionId, index) => {
      await callOrThrow(peer, 'navigate', { sessionId, url: site.url })
      for (let click = 0; click <= index; click += 1)
        await callOrThrow(peer, 'click', { sessionId, selector: 'button' })
      return (
        await callOrThrow(peer, 'evaluate', {
          sessionId,
          script: 'document.querySelector("button").textContent',
        })
      ).result
    }),
  )
  expect(counts).toEqual(ids.map((_, index) => String(index + 1)))
  await callOrThrow(peer, 'close_session', { sessionId: ids[0] })
  expect(await until(async () => (await grid.sessions()).length === NODES * PER_NODE - 1)).toBe(true)
  await peer.close()
  expect(await noSessions()).toBe(true)
})

test('a full Grid is said at once, with its queue; a session that is closed makes place', async () => {
  const peer = await start()
  const ids = await Promise.all(Array.from({ length: NODES * PER_NODE }, () => peer.session()))
  const { data } = await peer.call('create_session')
  expect(data).toMatchObject({ errorCode: 'MAX_SESSIONS_REACHED' })
  expect(JSON.stringify(data)).toContain('The Grid is full: 6 of its 6 sessions are in use')
  await callOrThrow(peer, 'close_session', { sessionId: ids[0] })
  await until(async () => (await grid.sessions()).length < NODES * PER_NODE)
  await peer.session()
  await peer.close()
  expect(await noSessions()).toBe(true)
})

test('SIGKILL leaves no session on the Grid', async () => {
  const peer = await start()
  await Promise.all([peer.session(), peer.session()])
  process.kill(peer.pid, 'SIGKILL')
  const startedAt = performance.now()
  expect(await noSessions()).toBe(true)
  console.error(`released after ${Math.round(performance.now() - startedAt)} ms`)
  await peer.client.close()
  await peer.trace.expectNothing()
})

test('a hub that cannot be reached is named without the password of its address', async () => {
  const peer = await connect({ args: ['--headless', '--grid', 'http://user:hunter22@127.0.0.1:9/wd/hub'] })
  const { data } = await peer.call('create_session')
  expect(data).toMatchObject({ errorCode: 'BROWSER_ERROR' })
  expect(JSON.stringify(data)).toContain('the Grid at http://127.0.0.1:9/wd/hub opened no session')
  expect(JSON.stringify(data)).not.toContain('hunter22')
  await peer.close()
})

test('localhost of a browser on another machine is not this one, and a failure says so', async () => {
  // An address of this machine that is none of the loopback names.
  const peer = await connect({ args: ['--headless', '--grid', grid.url.replace('127.0.0.1', '0.0.0.0')] })
  const sessionId = await peer.session()
  const { data } = await peer.call('navigate', { sessionId, url: `http://localhost:${await reservePort()}/` })
  expect(data).toMatchObject({ errorCode: 'NAVIGATION_FAILED' })
  expect(data.message).toContain('the browser runs on another machine, and localhost is that machine to it')
  await peer.close()
  expect(await noSessions()).toBe(true)
})

test('a node that hangs is given up, and the calls on it name it', async () => {
  const peer = await start()
  const sessionId = await peer.session()
  const found = await Promise.all(grid.nodes.map((one) => one.sessions()))
  const node = grid.nodes[found.findIndex(({ length }) => length > 0)]
  node?.freeze()
  const first = await peer.call('click', { sessionId, selector: 'body', timeout: 3000 })
  expect(first.data).toMatchObject({ errorCode: 'TIMEOUT' })
  expect(first.data.message).toContain('The page does not respond')
  const next = await peer.call('click', { sessionId, selector: 'body' })
  expect(next.data).toMatchObject({ errorCode: 'BROWSER_CRASHED' })
  expect(next.data.message).toContain('the node of the Grid does not answer')
  node?.thaw()
  await peer.close()
  expect(await noSessions()).toBe(true)
})

test('a hub that is started anew is used again, and no session of before is left', async () => {
  const peer = await start()
  const sessionId = await peer.session()
  await grid.restartHub()
  const { data } = await peer.call('snapshot', { sessionId })
  expect(data).toMatchObject({ errorCode: 'BROWSER_CRASHED' })
  const next = await peer.session()
  await callOrThrow(peer, 'navigate', { sessionId: next, url: site.url })
  await callOrThrow(peer, 'close_session', { sessionId: next })
  expect(await noSessions()).toBe(true)
  await peer.close()
})

test('the sessions of a node that dies crash, the others go on', async () => {
  const peer = await start()
  const ids = await Promise.all(Array.from({ length: NODES * PER_NODE }, () => peer.session()))
  const [node] = grid.nodes
  const running = ids.map((sessionId) =>
    peer.call('evaluate', { sessionId, script: 'new Promise((done) => setTimeout(done, 8000, "done"))' }),
  )
  await until(async () => (await node?.sessions())?.length === PER_NODE)
  const startedAt = performance.now()
  node?.kill()
  const ends: number[] = []
  const answers = await Promise.all(
    running.map(async (call) => {
      const answer = await call
      if (answer.failed) ends.push(Math.round(performance.now() - startedAt))
      return answer.failed ? answer.data.errorCode : answer.data.result
    }),
  )
  console.error(`the calls on the dead node failed after ${ends.join(' and ')} ms`)
  expect(answers.sort()).toEqual([
    ...Array.from({ length: PER_NODE }, () => 'BROWSER_CRASHED'),
    ...Array.from({ length: (NODES - 1) * PER_NODE }, () => 'done'),
  ])
  await peer.close()
})
