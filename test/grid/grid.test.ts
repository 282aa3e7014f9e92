// Footlight on a real Selenium Grid: a hub and three nodes.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { callOrThrow, connect, type Peer } from '../support/client.ts'
import { until } from '../support/leftovers.ts'
import { reservePort } from '../support/reserve-port.ts'
import { page, serveSite, type Site } from '../support/site.ts'
import { type Grid, startGrid } from './grid.ts'

// GRID_SESSIONS_PER_NODE=20 measures a Grid of 60 browsers.
const isMeasured = process.env['GRID_SESSIONS_PER_NODE'] !== undefined
const PER_NODE = Number(process.env['GRID_SESSIONS_PER_NODE'] ?? 2)
const NODES = 3
const SESSIONS = PER_NODE * NODES
const ROUNDS = isMeasured ? 5 : 1
const TIMEOUT_MS = 120_000 + SESSIONS * 10_000

setDefaultTimeout(TIMEOUT_MS)

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

const limits = ['--max-sessions', String(SESSIONS + 1)]

const start = (...args: string[]): Promise<Peer> =>
  connect({ args: ['--headless', '--grid', grid.url, ...limits, ...args] })

const noSessions = () => until(async () => (await grid.sessions()).length === 0, TIMEOUT_MS)

/** Opens sessions until the Grid is full, two at a time, and answers their ids. What is refused is asked for again: the Grid counts the last ones
 * twice for a moment, and a hub on a full machine may be slow. */
async function openSessions(peer: Peer): Promise<string[]> {
  const ids: string[] = []
  const open = async () => {
    for (let opened = 0; opened < SESSIONS / 2;) {
      const { failed, data } = await peer.call('create_session')
      if (failed) {
        expect(data.message).toMatch(/The Grid is full|does not answer within/)
        continue
      }
      ids.push(data.sessionId)
      opened += 1
    }
  }
  await Promise.all([open(), open()])
  return ids
}

/** Runs tasks in all sessions at once. Each opens an address of its own, clicks and reads. Answers how many were right. */
async function runTasks(peer: Peer, ids: readonly string[]): Promise<number> {
  const outcomes = await Promise.all(
    ids.map(async (sessionId) => {
      let right = 0
      for (let round = 0; round < ROUNDS; round += 1) {
        const address = `?${sessionId}-${round}`
        await callOrThrow(peer, 'navigate', { sessionId, url: `${site.url}${address}` })
        await callOrThrow(peer, 'click', { sessionId, selector: 'button' })
        const script = 'location.search + document.querySelector("button").textContent'
        const { result } = await callOrThrow(peer, 'evaluate', { sessionId, script })
        if (result === `${address}1`) right += 1
      }
      return right
    }),
  )
  return outcomes.reduce((sum, right) => sum + right, 0)
}

/** Opens the sessions and runs the tasks, and prints how long both took. */
async function measureTasks(peer: Peer, name: string): Promise<{ ids: string[]; right: number }> {
  const openedAt = performance.now()
  const ids = await openSessions(peer)
  const startedAt = performance.now()
  const right = await runTasks(peer, ids)
  const endedAt = performance.now()
  const perSecond = (count: number, from: number, to: number) => ((count * 1000) / (to - from)).toFixed(1)
  console.error(
    `${name}: ${right} of ${SESSIONS * ROUNDS} tasks right; ${perSecond(SESSIONS, openedAt, startedAt)} sessions and ${perSecond(right, startedAt, endedAt)} tasks per second`,
  )
  return { ids, right }
}

test('each session has a browser of the Grid, and none is left', async () => {
  const peer = await start()
  const { ids, right } = await measureTasks(peer, 'Grid')
  expect(right).toBe(SESSIONS * ROUNDS)
  expect((await grid.sessions()).length).toBe(SESSIONS)
  await callOrThrow(peer, 'close_session', { sessionId: ids[0] })
  expect(await until(async () => (await grid.sessions()).length === SESSIONS - 1)).toBe(true)
  await peer.close()
  expect(await noSessions()).toBe(true)
})

// To compare with.
test.skipIf(!isMeasured).each([[], ['--isolation', 'browser']])(
  'the same tasks in browsers of this machine',
  async (...args) => {
    const peer = await connect({ args: ['--headless', '--memory-limit', '0', ...limits, ...args] })
    const { right } = await measureTasks(peer, ['one process', ...args].join(' '))
    expect(right).toBe(SESSIONS * ROUNDS)
    await peer.close()
  },
)

test('a full Grid is said at once, with its queue; a session that is closed makes place', async () => {
  const peer = await start()
  const ids = await openSessions(peer)
  const { data } = await peer.call('create_session')
  expect(data).toMatchObject({ errorCode: 'MAX_SESSIONS_REACHED' })
  expect(JSON.stringify(data)).toContain(
    `The Grid is full: ${SESSIONS} of its ${SESSIONS} sessions are in use`,
  )
  await callOrThrow(peer, 'close_session', { sessionId: ids[0] })
  await until(async () => (await grid.sessions()).length < SESSIONS)
  await peer.session()
  await peer.close()
  expect(await noSessions()).toBe(true)
})

test('what waited in the queue of the Grid and was given up becomes no session without an owner', async () => {
  const peers = await Promise.all([start('--launch-timeout', '20000'), start('--launch-timeout', '20000')])
  // Neither knows of the other: together they ask for twice of what there is.
  const answers = await Promise.all(
    peers.flatMap(({ call }) => Array.from({ length: SESSIONS }, () => call('create_session'))),
  )
  const failed = answers.filter((answer) => answer.failed)
  expect(failed.length).toBeGreaterThanOrEqual(SESSIONS)
  for (const { data } of failed)
    expect(data.message).toMatch(/The Grid is full|no place was free within 20000 ms/)
  expect(JSON.stringify(failed)).toContain('no place was free')
  for (const peer of peers) {
    const { sessions } = await callOrThrow(peer, 'list_sessions')
    await Promise.all(
      sessions.map(({ sessionId }: { sessionId: string }) =>
        callOrThrow(peer, 'close_session', { sessionId }),
      ),
    )
  }
  expect(await until(async () => (await grid.queued()) === 0, TIMEOUT_MS)).toBe(true)
  expect(await noSessions()).toBe(true)
  await Promise.all(peers.map((peer) => peer.close()))
})

test('SIGKILL leaves no session on the Grid', async () => {
  const peer = await start()
  await openSessions(peer)
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
  const ids = await openSessions(peer)
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
      if (answer.failed) expect(answer.data.message).toContain('create_session')
      return answer.failed ? answer.data.errorCode : answer.data.result
    }),
  )
  console.error(`the calls on the dead node failed after ${Math.min(...ends)} to ${Math.max(...ends)} ms`)
  expect(answers.sort()).toEqual([
    ...Array.from({ length: PER_NODE }, () => 'BROWSER_CRASHED'),
    ...Array.from({ length: (NODES - 1) * PER_NODE }, () => 'done'),
  ])
  await peer.close()
})
