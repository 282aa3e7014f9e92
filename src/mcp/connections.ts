// The MCP sessions of an HTTP server: one server object for each, so that no two clients' replies can ever cross. What belongs to a
// client outlives its connection; the connection itself is forgotten when nobody has used it for long.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { rpcError } from './answer.ts'
import { createEventStore } from './events.ts'

export interface Connections {
  /** Serves one request of this subject; undefined is anybody. */
  serve(request: IncomingMessage, response: ServerResponse, subject: string | undefined): Promise<void>
  count(): number
  end(): Promise<void>
}

interface Connection {
  readonly transport: StreamableHTTPServerTransport
  readonly server: Server
  readonly owner: string
  used: number
  /** Requests under way, streams included. */
  open: number
}

/** Bytes of a request. */
export const LARGEST_BODY = 4_000_000

const MOST = 1000
const IDLE = 3_600_000
const KEEP_ALIVE = 5000
const RETRY = 1000

export function createConnections(
  create: (owner: string) => Server,
  onError: (error: Error) => void,
): Connections {
  const connections = new Map<string, Connection>()

  async function open(subject: string | undefined): Promise<Connection> {
    const newId = randomUUID()
    const owner = subject === undefined ? `connection:${newId}` : `user:${subject}`
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => newId,
      eventStore: createEventStore(),
      keepAliveMs: KEEP_ALIVE,
      retryInterval: RETRY,
      maxRequestBodySize: LARGEST_BODY,
      onsessioninitialized: (id) => {
        connections.set(id, connection)
        evict()
      },
      onsessionclosed: (id) => void connections.delete(id),
    })
    const server = create(owner)
    const connection: Connection = { transport, server, owner, used: performance.now(), open: 0 }
    server.onerror = onError
    await server.connect(transport as Transport)
    return connection
  }

  // Those that nobody uses go first, the oldest before all; their clients are told to initialise again.
  function evict(): void {
    const idle = [...connections].filter(([, one]) => one.open === 0).sort(([, a], [, b]) => a.used - b.used)
    for (const [id, connection] of idle) {
      const old = performance.now() - connection.used > IDLE
      if (!old && connections.size <= MOST) return
      connections.delete(id)
      void connection.server.close().catch(() => {})
    }
  }

  return {
    async serve(request, response, subject) {
      const id = request.headers['mcp-session-id']
      const connection = typeof id === 'string' ? connections.get(id) : await open(subject)
      // Whoever does not own it learns no more than that it is not there.
      const foreign = connection && subject !== undefined && connection.owner !== `user:${subject}`
      if (!connection || foreign)
        return rpcError(response, 404, -32_001, 'Session not found: initialize again.')
      connection.used = performance.now()
      connection.open += 1
      response.once('close', () => {
        connection.open -= 1
        connection.used = performance.now()
        // A request that did not initialise left nothing to come back to.
        if (connection.transport.sessionId === undefined) void connection.server.close().catch(() => {})
      })
      await connection.transport.handleRequest(request, response)
    },
    count: () => connections.size,
    async end() {
      await Promise.all([...connections.values()].map(({ server }) => server.close().catch(() => {})))
    },
  }
}
