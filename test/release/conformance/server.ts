// The conformance suite's fixtures behind our own HTTP transport. Says on stdout where it serves; SIGTERM ends it.

import process from 'node:process'
import { serveHttp } from '../../../src/features/http/http-server.ts'
import { createFixtures } from './fixtures.ts'

const server = await serveHttp({
  host: '127.0.0.1',
  port: 0,
  authenticate: undefined,
  origins: [],
  createServer: createFixtures,
  listenToResources: () => () => {},
  health: () => ({ ok: true, reason: 'OK', body: {} }),
  metrics: () => '',
  onRequest: () => {},
  onError: (error) => console.error(error),
})
process.once('SIGTERM', () => void server.close())
console.log(`${server.url}/mcp`)
