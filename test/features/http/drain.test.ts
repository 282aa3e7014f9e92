// What a server does between SIGTERM and its end.

import { expect, test } from 'bun:test'
import process from 'node:process'
import { connectOverHttp, type HttpServer, serveOverHttp } from '../../support/http.ts'
import { until } from '../../support/leftovers.ts'

const health = ({ url }: HttpServer) => fetch(new URL('/health', url))

const terminate = async (server: HttpServer): Promise<void> => {
  process.kill(server.pid, 'SIGTERM')
  expect(await until(async () => (await health(server)).status === 503)).toBe(true)
}

test('a draining server serves its open sessions, refuses further ones, and ends with the last one', async () => {
  const server = await serveOverHttp(['--drain-timeout', '600000'])
  const peer = await connectOverHttp(server.url)
  const sessions = [await peer.session(), await peer.session()]
  await terminate(server)
  expect(await (await health(server)).json()).toMatchObject({ status: 'draining', activeSessions: 2 })
  expect((await fetch(new URL('/health?live', server.url))).status).toBe(200)
  for (const client of [peer, await connectOverHttp(server.url)])
    expect((await client.call('create_session')).data).toMatchObject({
      errorCode: 'MAX_SESSIONS_REACHED',
      message: expect.stringContaining('opens no more sessions, because it is being shut down'),
    })
  for (const sessionId of sessions) {
    expect((await peer.call('evaluate', { sessionId, script: '1 + 1' })).data.result).toBe(2)
    expect((await peer.call('close_session', { sessionId })).failed).toBe(false)
  }
  expect(await server.ended).toBe(0)
  await server.close()
})

test('a draining server ends after its time', async () => {
  const server = await serveOverHttp(['--drain-timeout', '1'])
  await (await connectOverHttp(server.url)).session()
  process.kill(server.pid, 'SIGTERM')
  expect(await server.ended).toBe(0)
  await server.close()
})

test('a second signal ends a draining server at once', async () => {
  const server = await serveOverHttp(['--drain-timeout', '600000'])
  await (await connectOverHttp(server.url)).session()
  await terminate(server)
  process.kill(server.pid, 'SIGTERM')
  expect(await server.ended).toBe(0)
  await server.close()
})
