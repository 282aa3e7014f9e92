// Footlight on endpoints that demand a header, expire, cut what is idle, and die: each session is right, or fails with a true reason.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Answer, callOrThrow, connect } from '../support/client.ts'
import { until } from '../support/leftovers.ts'
import { pool } from '../support/pool.ts'
import { startChromium, startEntrance, startPlaywrightServer } from '../support/remote.ts'
import { page, serveSite, type Site } from '../support/site.ts'

let site: Site

beforeAll(async () => {
  site = await serveSite({}, (request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(page(`<h1>${request.url}</h1><button onclick="this.textContent = 'done'">go</button>`))
  })
})

afterAll(() => site.close())

const SESSIONS = 1000
const AT_ONCE = 6
const EXPIRY_MS = 4000
const IDLE_LIMIT_MS = 5000

test('1,000 sessions on endpoints that check, expire, cut and die are right or fail with the reason', async () => {
  const chromiums = await Promise.all([startChromium(), startChromium(), startChromium(), startChromium()])
  const [one, two, three, four] = chromiums.map(({ url }) => url) as [string, string, string, string]
  const header = ['x-api-key', 'k-9d81f0c2a4'] as const
  const entrances = [
    await startEntrance(one, { header }),
    await startEntrance(two, { header, lifetimeMs: EXPIRY_MS }),
    await startEntrance(three, { header, idleMs: IDLE_LIMIT_MS, prefix: '/three' }),
    await startEntrance(four, { header }),
  ]
  const args = entrances.flatMap(({ url }) => ['--cdp-endpoint', url])
  const limits = ['--max-sessions', '50', '--memory-limit', '0', '--log-level', 'error']
  const peer = await connect({
    args: ['--headless', ...args, '--endpoint-header', header.join('='), ...limits],
  })
  const reasons = new Map<string, number>()
  const wrong: string[] = []
  let rightCount = 0

  // The reason of a failure: that a connection has ended, or that an endpoint does not respond.
  const reasonOf = ({ data }: Answer): string | undefined => {
    const lost = /the connection to (\S+) was (cut|closed by its other end)/.exec(data.message)
    if (data.errorCode === 'BROWSER_CRASHED' && lost) return `connection ${lost[2]}`
    return data.errorCode === 'BROWSER_ERROR' && /no browser responds at/.test(data.message)
      ? 'does not respond'
      : undefined
  }

  async function runSession(number: number): Promise<void> {
    const opened = await peer.call('create_session', {})
    const sessionId = opened.data?.sessionId
    const calls: readonly (readonly [string, object])[] = [
      ['navigate', { url: `${site.url}/${number}` }],
      ['click', { selector: 'button' }],
      [
        'evaluate',
        { script: 'document.querySelector("h1").textContent + document.querySelector("button").textContent' },
      ],
    ]
    let answer = opened
    for (const [tool, input] of calls)
      if (!answer.failed) answer = await peer.call(tool, { sessionId, ...input })
    const isRight = !answer.failed && answer.data.result === `/${number}done`
    const reason = answer.failed ? reasonOf(answer) : undefined
    if (isRight) rightCount += 1
    else if (reason === undefined) wrong.push(JSON.stringify(answer.data))
    else reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    if (sessionId !== undefined) await peer.call('close_session', { sessionId })
  }

  const startedAt = performance.now()
  const workers = pool(Array.from({ length: AT_ONCE }, (_, index) => index))
  await Promise.all(
    Array.from({ length: SESSIONS }, (_, number) =>
      workers.with(() => {
        if (number === SESSIONS / 2) chromiums[3]?.signal('SIGKILL')
        return runSession(number)
      }),
    ),
  )
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const lostCount = [...reasons.values()].reduce((sum, count) => sum + count, 0)
  console.error(
    `${rightCount} right, ${lostCount} with a reason (${JSON.stringify([...reasons])}), ${wrong.length} wrong, in ${seconds} s; connections: ${entrances.map(({ opened }) => opened.length).join(', ')}`,
  )
  expect(wrong).toEqual([])
  expect(rightCount + lostCount).toBe(SESSIONS)
  expect(rightCount).toBeGreaterThan(SESSIONS * 0.8)
  expect(peer.stderr()).not.toContain(header[1])
  await peer.close()
  for (const entrance of entrances) entrance.close()
  await Promise.all(chromiums.map((chromium) => chromium.close()))
}, 1_800_000)

test('a connection on which nothing happens is kept', async () => {
  const [chromium, server] = [await startChromium(), await startPlaywrightServer()]
  for (const [flag, url] of [
    ['--cdp-endpoint', chromium.url],
    ['--connect', server.url],
  ] as const) {
    const entrance = await startEntrance(url, { idleMs: IDLE_LIMIT_MS })
    const peer = await connect({ args: ['--headless', flag, entrance.url] })
    const sessionId = await peer.session()
    const script = `new Promise((done) => setTimeout(done, ${2 * IDLE_LIMIT_MS}, 'done'))`
    expect(await callOrThrow(peer, 'evaluate', { sessionId, script })).toMatchObject({ result: 'done' })
    await peer.close()
    entrance.close()
  }
  await Promise.all([chromium.close(), server.close()])
}, 180_000)

test('the sessions of a Playwright server that dies crash, those of the other two go on', async () => {
  const servers = await Promise.all([
    startPlaywrightServer(),
    startPlaywrightServer(),
    startPlaywrightServer(),
  ])
  const peer = await connect({
    args: ['--headless', ...servers.flatMap(({ url }) => ['--connect', url])],
  })
  const ids: string[] = []
  for (let index = 0; index < 6; index += 1) ids.push(await peer.session())
  const running = ids.map((sessionId) =>
    peer.call('evaluate', { sessionId, script: 'new Promise((done) => setTimeout(done, 8000, "done"))' }),
  )
  const startedAt = performance.now()
  servers[1]?.signal('SIGKILL')
  const ends: number[] = []
  const answers = await Promise.all(
    running.map(async (call) => {
      const answer = await call
      if (answer.failed) ends.push(Math.round(performance.now() - startedAt))
      return answer.failed ? answer.data.errorCode : answer.data.result
    }),
  )
  console.error(`the calls on the dead server failed after ${ends.join(' and ')} ms`)
  expect(answers).toEqual(['done', 'BROWSER_CRASHED', 'done', 'done', 'BROWSER_CRASHED', 'done'])
  expect(Math.max(...ends)).toBeLessThan(5000)
  const next = await peer.session()
  expect((await callOrThrow(peer, 'navigate', { sessionId: next, url: site.url })).success).toBe(true)
  await peer.close()
  await Promise.all(servers.map((server) => server.close()))
  expect(await until(() => servers.every(({ processes }) => processes().length === 0))).toBe(true)
}, 180_000)
