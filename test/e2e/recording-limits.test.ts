// What ends by itself, or is left out, because it is large.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callOrThrow, connect, type Peer } from '../support/client.ts'

let [folder, peer, server]: [string, Peer, Server] = ['', undefined as never, undefined as never]
let url = ''
const part = Buffer.alloc(30_000_000, 'x')
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-recording-')))
  server = createServer((request, response) => {
    if (request.url === '/large')
      return void response.writeHead(200, { 'content-type': 'text/plain' }).end(part)
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>Large</title><h1>Large')
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`
  peer = await connect({ args: ['--headless', '--tools', '+trace'], cwd: folder })
}, 120_000)
afterAll(async () => {
  await peer.close()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

const load = (sessionId: string) =>
  callOrThrow(peer, 'evaluate', {
    sessionId,
    script: "fetch('/large').then((answer) => answer.text()).then((text) => text.length)",
  })

const isSaid = async (sessionId: string, words: string) =>
  JSON.stringify(await callOrThrow(peer, 'timeline', { sessionId })).includes(words)

test('a recording of requests ends at 100 MB, says so, and is saved', async () => {
  const sessionId = await peer.session()
  await callOrThrow(peer, 'navigate', { sessionId, url })
  await callOrThrow(peer, 'mock', { sessionId, har: 'record' })
  for (let round = 0; round < 4; round += 1) await load(sessionId)
  while (!(await isSaid(sessionId, 'has ended at 100 MB')));
  await load(sessionId)
  const { path } = await callOrThrow(peer, 'mock', { sessionId, har: 'save' })
  expect(Bun.file(path).size).toBeLessThan(200_000_000)
  await callOrThrow(peer, 'close_session', { sessionId })
}, 180_000)

test('a trace ends at 200 MB, says so, and is kept', async () => {
  const sessionId = await peer.session()
  await callOrThrow(peer, 'navigate', { sessionId, url })
  await callOrThrow(peer, 'trace', { sessionId, action: 'start' })
  for (let round = 0; round < 7; round += 1) await load(sessionId)
  while (!(await isSaid(sessionId, 'The trace has ended')));
  for (let round = 0; round < 3; round += 1) await load(sessionId)
  const { path } = await callOrThrow(peer, 'trace', { sessionId, action: 'stop' })
  expect(Bun.file(path).size).toBeGreaterThan(0)
  await callOrThrow(peer, 'trace', { sessionId, action: 'start' })
  await callOrThrow(peer, 'close_session', { sessionId })
}, 180_000)

test('IndexedDB above 20 MB is left out of a state, which is said; below it is kept', async () => {
  const sessionId = await peer.session()
  await callOrThrow(peer, 'navigate', { sessionId, url })
  const store = (megabytes: number) =>
    callOrThrow(peer, 'evaluate', {
      sessionId,
      script: `new Promise((done, fail) => {
        const opening = indexedDB.open('large', 1)
        opening.onupgradeneeded = () => opening.result.createObjectStore('texts')
        opening.onsuccess = () => {
          const change = opening.result.transaction('texts', 'readwrite')
          for (let index = 0; index < ${megabytes}; index += 1)
            change.objectStore('texts').put(Array.from(crypto.getRandomValues(new Uint8Array(30_000))).join().repeat(10), 'key' + index)
          change.oncomplete = () => { opening.result.close(); done(1) }
          change.onerror = () => fail(change.error)
        }
      })`,
    })
  await store(1)
  const save = async (path: string) => {
    await callOrThrow(peer, 'storage_state', { sessionId, action: 'save', path })
    return readFileSync(join(folder, path), 'utf8')
  }
  expect(await save('small.json')).toContain('"texts"')
  await store(60)
  expect((await save('large.json')).length).toBeLessThan(1_000_000)
  expect(await isSaid(sessionId, 'The state has no IndexedDB')).toBe(true)
  await callOrThrow(peer, 'close_session', { sessionId })
}, 180_000)
