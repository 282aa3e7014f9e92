// Browsers of endpoints: Chromiums and a Playwright server on this machine, some behind an entrance that checks, cuts and counts.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { callOrThrow, connect } from '../support/client.ts'
import { until } from '../support/leftovers.ts'
import { startChromium, startEntrance, startPlaywrightServer, type RemoteProgram } from '../support/remote.ts'
import { reservePort } from '../support/reserve-port.ts'
import { page, serveSite, type Site } from '../support/site.ts'

let site: Site
let chromium: RemoteProgram
let other: RemoteProgram
let server: RemoteProgram

beforeAll(async () => {
  site = await serveSite({ '/': page('<h1>Here</h1>', 'Site') })
  ;[chromium, other, server] = await Promise.all([startChromium(), startChromium(), startPlaywrightServer()])
}, 120_000)

afterAll(async () => {
  site.close()
  await Promise.all([chromium, other, server].map((program) => program.close()))
})

const slow = 'new Promise((done) => setTimeout(done, 30_000))'

test('sessions are spread over the endpoints that are well; those of one that is lost crash, the others go on', async () => {
  const [first, second] = [
    await startEntrance(chromium.url, { prefix: '/one' }),
    await startEntrance(other.url),
  ]
  const nobody = `http://me:hunter22@127.0.0.1:${await reservePort()}/x?token=hunter33`
  const args = [nobody, first.url, second.url].flatMap((url) => ['--cdp-endpoint', url])
  const peer = await connect({ args: ['--headless', ...args] })
  const ids: string[] = []
  for (let index = 0; index < 4; index += 1) ids.push(await peer.session())
  expect([first.open(), second.open()]).toEqual([1, 1])
  expect(peer.stderr()).toMatch(
    /no browser responds at http:\/\/127\.0\.0\.1:\d+\/x: the connection was refused; another/,
  )
  const calls = ids.map((sessionId) => peer.call('evaluate', { sessionId, script: slow, timeout: 3000 }))
  first.cut()
  const codes = (await Promise.all(calls)).map(({ data }) => data.errorCode)
  expect(codes).toEqual(['BROWSER_CRASHED', 'TIMEOUT', 'BROWSER_CRASHED', 'TIMEOUT'])
  const { data } = await peer.call('snapshot', { sessionId: ids[0] })
  expect(data.message).toContain(`is lost: the connection to ${first.url} was cut`)
  await peer.session()
  first.close()
  second.close()
  await until(() => second.open() === 0)
  const none = await peer.call('create_session')
  expect(none.data.message).toContain('none of 3 endpoints has opened a page: ')
  expect(none.data.message.match(/no browser responds at http/g)).toHaveLength(3)
  expect(peer.stderr() + JSON.stringify(none.data)).not.toMatch(/hunter/)
  await peer.close()
}, 120_000)

test('an endpoint that falls silent is given up, and create_session connects anew', async () => {
  const entrance = await startEntrance(server.url)
  const peer = await connect({ args: ['--headless', '--connect', entrance.url] })
  const sessionId = await peer.session()
  const startedAt = performance.now()
  entrance.freeze()
  const { data } = await peer.call('evaluate', { sessionId, script: '1 + 1', timeout: 60_000 })
  expect(data).toMatchObject({ errorCode: 'BROWSER_CRASHED' })
  expect(data.message).toContain(`the browser at ${entrance.url} does not answer`)
  expect(performance.now() - startedAt).toBeLessThan(25_000)
  entrance.thaw()
  const next = await peer.session()
  expect((await callOrThrow(peer, 'navigate', { sessionId: next, url: site.url })).title).toBe('Site')
  await peer.close()
  entrance.close()
}, 120_000)

test('a browser of a Playwright server that dies fails its calls with what is lost', async () => {
  const peer = await connect({ args: ['--headless', '--connect', server.url] })
  const sessionId = await peer.session()
  const call = peer.call('evaluate', { sessionId, script: slow, timeout: 60_000 })
  server
    .processes()
    .filter(({ command }) => /headless.shell/.test(command) && !command.includes('--type='))
    .forEach(({ pid }) => process.kill(pid, 'SIGKILL'))
  expect((await call).data).toMatchObject({
    errorCode: 'BROWSER_CRASHED',
    message: expect.stringContaining('Its page, its cookies and what was not saved are gone'),
  })
  await peer.close()
}, 120_000)
