import { expect, test } from 'bun:test'
import { getEventListeners } from 'node:events'
import { ok } from '../../../src/core/base/result.ts'
import { serializeRestarts } from '../../../src/core/devserver/start/dev-servers.ts'
import type { DevServer, OwnedServer } from '../../../src/core/sessions/types/servers.ts'

function createServer() {
  const signals: AbortSignal[] = []
  const server = {
    async restart(signal: AbortSignal) {
      signals.push(signal)
      return ok({ server: { url: 'http://localhost:1/' } })
    },
    stop: async () => ok(''),
  }
  const urls: string[] = []
  const onStarted = async ({ url }: DevServer) => void urls.push(url)
  return { signals, urls, server: serializeRestarts(server as unknown as OwnedServer, onStarted) }
}

test('restarts leave no listeners on the signal of the caller', async () => {
  const { server } = createServer()
  const { signal } = new AbortController()
  for (let count = 0; count < 3; count += 1) await server.restart(signal, () => {})
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('the caller and a stop abort a restart', async () => {
  const { server, signals } = createServer()
  const caller = new AbortController()
  await server.restart(caller.signal, () => {})
  await server.restart(new AbortController().signal, () => {})
  caller.abort()
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
  await server.stop()
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
})

test('who has started it learns of each restart, but not of one after a stop', async () => {
  const { server, urls } = createServer()
  const { signal } = new AbortController()
  await server.restart(signal, () => {})
  await server.restart(signal, () => {})
  await server.stop()
  await server.restart(signal, () => {})
  expect(urls).toEqual(['http://localhost:1/', 'http://localhost:1/'])
})
