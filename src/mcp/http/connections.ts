// The MCP sessions of an HTTP server: one server object for each, so that no two clients' replies can ever cross. What belongs to a
// client outlives its connection; the connection itself is forgotten when nobody has used it for long. Each client has a share of them,
// and makes room only among its own.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { rpcError } from './http-answers.ts'
import { createEventStore } from './event-store.ts'
import { methodOf, type Messages } from './request-body.ts'

export interface Caller {
  /** Undefined is anybody. */
  readonly subject: string | undefined
  /** Whose share it is. */
  readonly client: string
}

export interface Connections {
  /** Serves one request, whose body has been read if it has one. */
  serve(request: IncomingMessage, response: ServerResponse, caller: Caller, body?: Messages): Promise<void>
  count(): number
  end(): Promise<void>
}

export interface ConnectionLimits {
  readonly total: number
  readonly share: number
}

interface Connection {
  readonly transport: StreamableHTTPServerTransport
  readonly server: Server
  readonly owner: string
  readonly client: string
  used: number
  /** Requests under way, streams included. */
  open: number
}

/** Bytes of a request. */
export const LARGEST_BODY = 4_000_000

const LIMITS: ConnectionLimits = { total: 1000, share: 100 }
const IDLE = 3_600_000
const KEEP_ALIVE = 5000
const RETRY = 1000

export function createConnections(
  create: (owner: string, client: string) => Server,
  onError: (error: Error) => void,
  { total, share }: ConnectionLimits = LIMITS,
): Connections {
  const connections = new Map<string, Connection>()
  // Those that are being initialised count too.
  const opening = new Map<string, Connection>()

  async function open({ subject, client }: Caller): Promise<Connection> {
    const newId = randomUUID()
    const owner = subject === undefined ? `connection:${newId}` : `user:${subject}`
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => newId,
      eventStore: createEventStore(),
      keepAliveMs: KEEP_ALIVE,
      retryInterval: RETRY,
      maxRequestBodySize: LARGEST_BODY,
      onsessioninitialized: (id) => void connections.set(id, connection),
      onsessionclosed: (id) => void connections.delete(id),
    })
    const server = create(owner, client)
    const connection: Connection = { transport, server, owner, client, used: performance.now(), open: 0 }
    opening.set(newId, connection)
    server.onerror = onError
    await server.connect(transport as Transport)
    return connection
  }

  function drop(id: string, { server }: Connection): void {
    connections.delete(id)
    void server.close().catch(() => {})
  }

  // Those that nobody uses go, the oldest first. Their clients are asked to initialise again.
  function dropOldest(client: string): boolean {
    const idle = [...connections].filter(([, one]) => one.client === client && one.open === 0)
    const [oldest] = idle.sort(([, a], [, b]) => a.used - b.used)
    if (oldest) drop(...oldest)
    return oldest !== undefined
  }

  /** Makes room for one more; a sentence where there is none. */
  function makeRoom(client: string): string | undefined {
    const now = performance.now()
    for (const [id, one] of connections) if (one.open === 0 && now - one.used > IDLE) drop(id, one)
    const all = () => new Map([...connections, ...opening])
    const own = () => [...all().values()].filter((one) => one.client === client).length
    while (own() >= share)
      if (!dropOldest(client))
        return `All ${share} connections allowed for one client are in use: close or reuse one.`
    while (all().size >= total)
      if (!dropOldest(client)) return `All ${total} connections of this server are in use: try again later.`
    return undefined
  }

  return {
    async serve(request, response, caller, body) {
      const { subject, client } = caller
      const id = request.headers['mcp-session-id']
      if (typeof id !== 'string' && body?.messages.some((one) => methodOf(one) === 'initialize')) {
        const full = makeRoom(client)
        if (full !== undefined) {
          response.setHeader('Retry-After', '60')
          return rpcError(response, 503, -32_000, full)
        }
      }
      const connection = typeof id === 'string' ? connections.get(id) : await open(caller)
      // Whoever does not own it learns no more than that it is not there.
      const foreign = connection && subject !== undefined && connection.owner !== `user:${subject}`
      if (!connection || foreign)
        return rpcError(response, 404, -32_001, 'Session not found: initialize again.')
      connection.used = performance.now()
      connection.open += 1
      const settle = () => {
        connection.open -= 1
        connection.used = performance.now()
        for (const [key, one] of opening) if (one === connection) opening.delete(key)
        // A request that did not initialise left nothing to come back to.
        if (connection.transport.sessionId === undefined) void connection.server.close().catch(() => {})
      }
      // Whoever has gone meanwhile will not go again.
      if (response.destroyed) return settle()
      response.once('close', settle)
      await connection.transport.handleRequest(request, response, body?.value)
    },
    count: () => connections.size,
    async end() {
      await Promise.all([...connections.values()].map(({ server }) => server.close().catch(() => {})))
    },
  }
}
