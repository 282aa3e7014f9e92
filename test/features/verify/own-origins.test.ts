// Which pages count as evidence of the code of a session: real listeners, those of this process stand for the server's own.

import { afterEach, expect, test } from 'bun:test'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { createOwnOrigins } from '../../../src/features/verify/own-origins.ts'

/** Answers hold for a moment. */
const ANSWER_LIFETIME_MS = 250

const opened: Server[] = []
const listen = async (): Promise<number> => {
  const server = createServer()
  opened.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
afterEach(() => opened.splice(0).forEach((server) => server.close()))

const serverAt = (
  port: number,
  more: { ports?: readonly number[]; lost?: readonly number[]; url?: string } = {},
) => ({
  info: () => ({ port, url: more.url ?? `http://localhost:${port}/` }) as any,
  ports: () => more.ports ?? [port],
  hasLostPort: (one: number) => more.lost?.includes(one) === true,
})

test('with a server each port of its processes counts at each name of this machine, and no other', async () => {
  const [own, api, other] = [await listen(), await listen(), await listen()]
  const origins = createOwnOrigins(() => serverAt(own, { ports: [own, api] }))
  origins.noteDocument(`http://127.0.0.1:${other}/`)
  for (const host of ['localhost', '127.0.0.1', '127.0.0.2', '[::1]', 'LOCALHOST'])
    for (const port of [own, api]) expect(origins.has(`http://${host}:${port}/a.js`)).toBe(true)
  for (const url of [
    `http://127.0.0.1:${other}/a.js`,
    'http://127.0.0.1/a.js',
    'https://localhost/a.js',
    `http://example.org:${own}/a.js`,
    `http://localhost.example.org:${own}/a.js`,
    `http://localhost@example.org:${own}/a.js`,
    `http://10.0.0.1:${own}/a.js`,
    `ftp://localhost:${own}/a.js`,
    `file:///a.js`,
    `data:text/javascript,1`,
    `blob:http://localhost:${own}/1-2`,
    'about:blank',
    '',
    'no url',
  ])
    expect([url, origins.has(url)]).toEqual([url, false])
})

test('the host that the server itself names counts, at its port alone', () => {
  const origins = createOwnOrigins(() => serverAt(8080, { url: 'http://app.test:8080/' }))
  expect(origins.has('http://app.test:8080/a.js')).toBe(true)
  expect(origins.has('http://app.test:8081/a.js')).toBe(false)
  expect(origins.has('http://app.test.evil:8080/a.js')).toBe(false)
})

test('a port that went to another program counts no more, and one whose listener has ended does', async () => {
  const lost: number[] = []
  let ports: readonly number[] = [3000, 3001]
  const server = { ...serverAt(3000, { lost }), ports: () => ports }
  const origins = createOwnOrigins(() => server)
  expect(origins.has('http://localhost:3001/')).toBe(true)
  ports = []
  await Bun.sleep(ANSWER_LIFETIME_MS)
  expect([origins.has('http://localhost:3000/'), origins.has('http://localhost:3001/')]).toEqual([true, true])
  lost.push(3000, 3001)
  await Bun.sleep(ANSWER_LIFETIME_MS)
  expect([origins.has('http://localhost:3000/'), origins.has('http://localhost:3001/')]).toEqual([
    false,
    false,
  ])
})

test('without a server it is the first page of this machine that was opened, by its whole origin', () => {
  const origins = createOwnOrigins(() => undefined)
  expect(origins.has('http://localhost:3000/')).toBe(false)
  origins.noteDocument('https://example.org/')
  origins.noteDocument('http://localhost:3000/a')
  origins.noteDocument('http://localhost:4000/')
  expect(origins.has('http://localhost:3000/b.js')).toBe(true)
  for (const url of [
    'http://localhost:4000/',
    'https://localhost:3000/',
    'http://127.0.0.1:3000/',
    'https://example.org/',
  ])
    expect(origins.has(url)).toBe(false)
})

test('what is passed over is counted and named, once for an origin', () => {
  const origins = createOwnOrigins(() => serverAt(3000))
  expect(origins.notes()).toEqual([])
  for (const path of ['a.js', 'a.js', 'b.js'])
    expect(origins.accept(`http://127.0.0.1:9999/${path}`)).toBe(false)
  expect(origins.accept('http://127.0.0.1:3000/a.js')).toBe(true)
  expect(origins.accept('https://example.org/a.js')).toBe(false)
  expect(origins.notes()).toEqual([
    "Pages of http://127.0.0.1:9999 do not count (2 files): no process of the session's server listens there.",
  ])
  const many = createOwnOrigins(() => undefined)
  many.noteDocument('http://localhost:3000/')
  for (let index = 0; index < 10_000; index += 1)
    many.accept(`http://localhost:${1000 + (index % 5000)}/${index}.js`)
  expect(many.notes()).toHaveLength(21)
  expect(many.notes()[1]).toContain('the session has no server, and has opened http://localhost:3000 first')
})
