// Two clients over HTTP replay large recordings: what one asks of its own, however much, does not end that of the other.

import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectOverHttp, serveOverHttp } from '../support/http.ts'

const ENTRY_COUNT = 140_000
const REQUEST_COUNT = 5000

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-recordings-')))
afterAll(() => rmSync(folder, { recursive: true }))

const entries = (url: string, count: number, text: string) =>
  Array.from({ length: count }, () => ({
    request: { method: 'GET', url },
    response: { status: 200, ...(text !== '' && { content: { mimeType: 'text/plain', text } }) },
  }))
const write = (name: string, list: readonly object[]) =>
  writeFileSync(join(folder, name), JSON.stringify({ log: { entries: list } }))

test('thousands of requests of one client at once', async () => {
  write('many.har', entries('http://far.test/', ENTRY_COUNT, ''))
  write('other.har', entries('http://far.test/', 1, 'y'.repeat(400_000)))
  const server = await serveOverHttp(['--tools', 'all', '--rate-limit', '100000'], {}, folder)
  const open = async (har: string) => {
    const peer = await connectOverHttp(server.url)
    const sessionId = await peer.session()
    await peer.call('mock', { sessionId, har })
    await peer.call('navigate', { sessionId, url: 'http://far.test/' })
    const evaluate = async (script: string) =>
      (await peer.call('evaluate', { sessionId, script, timeout: 100_000 })).data.result
    return { peer, evaluate }
  }
  const [one, other] = [await open('many.har'), await open('other.har')]
  const length = `fetch('/').then((answer) => answer.text()).then((text) => text.length)`
  const asking = one.evaluate(
    `Promise.all(Array.from({ length: ${REQUEST_COUNT} }, () => fetch('/').then(({ ok }) => ok, () => false)))
      .then((all) => all.filter(Boolean).length)`,
  )
  expect(await other.evaluate(length)).toBe(400_000)
  expect(await asking).toBe(REQUEST_COUNT)
  expect(await other.evaluate(length)).toBe(400_000)
  for (const { peer } of [one, other]) await peer.close()
  await server.close()
}, 200_000)
