// Clients of the legacy era: one MCP server object per MCP session, so that the responses of two clients cannot be mixed up. A session outlives its TCP connections
// and ends after its idle timeout.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node'
import type { Server } from '@modelcontextprotocol/server'
import { withLegacyErrorCode } from '../../core/mcp/calls/era.ts'
import { type RpcBody, rpcMethodOf, sendRpcError } from '../lib/request-body.ts'
import { createEventStore } from './event-store.ts'

export interface HttpCaller {
  /** Undefined without authentication. */
  readonly subject: string | undefined
  /** The key that limits are counted for. */
  readonly client: string
}

export interface Connections {
  /** Serves one request, whose body has been read if it has one. */
  serve(request: IncomingMessage, response: ServerResponse, caller: HttpCaller, body?: RpcBody): Promise<void>
  count(): number
  end(): Promise<void>
}

export const REQUEST_BODY_LIMIT_BYTES = 4_000_000

const DEFAULT_LIMITS: ConnectionLimits = { total: 1000, perClient: 100 }
export const KEEP_ALIVE_INTERVAL_MS = 5000
const STREAM_RETRY_INTERVAL_MS = 1000
const RETRY_AFTER_S = 60

export function createConnections(
  createServer: (owner: string, client: string) => Server,
  onError: (error: Error) => void,
  limits: ConnectionLimits = DEFAULT_LIMITS,
): Connections {
  const table = createConnectionTable(limits)
  return {
    async serve(request, response, caller, body) {
      const id = request.headers['mcp-session-id']
      if (typeof id !== 'string') {
        if (!body?.messages.some((message) => rpcMethodOf(message) === 'initialize'))
          return sendRpcError(
            response,
            400,
            -32_000,
            'Bad Request: initialize first, or send Mcp-Session-Id.',
          )
        const refusal = table.reserveSlot(caller.client)
        if (refusal !== undefined) {
          response.setHeader('Retry-After', String(RETRY_AFTER_S))
          return sendRpcError(response, 503, -32_000, refusal)
        }
      }
      const connection =
        typeof id === 'string' ? table.get(id) : await openConnection(table, createServer, onError, caller)
      // A session of another owner is answered like one that does not exist.
      if (!connection || !isOwner(caller, connection))
        return sendRpcError(response, 404, -32_001, 'Session not found: initialize again.')
      const endRequest = beginRequest(table, connection)
      // A response that has been closed meanwhile emits no further event.
      if (response.destroyed) return endRequest()
      response.once('close', endRequest)
      await connection.transport.handleRequest(request, response, body?.value)
    },
    count: () => table.all().length,
    async end() {
      await Promise.all(table.all().map(({ server }) => server.close().catch(() => {})))
    },
  }
}

// --- internal ---

async function openConnection(
  table: ConnectionTable,
  createServer: (owner: string, client: string) => Server,
  onError: (error: Error) => void,
  { subject, client }: HttpCaller,
): Promise<Connection> {
  const newId = randomUUID()
  const owner = subject === undefined ? `connection:${newId}` : `user:${subject}`
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: () => newId,
    eventStore: createEventStore(),
    keepAliveMs: KEEP_ALIVE_INTERVAL_MS,
    retryInterval: STREAM_RETRY_INTERVAL_MS,
    maxRequestBodySize: REQUEST_BODY_LIMIT_BYTES,
    onsessioninitialized: (id) => table.addInitialized(id, connection),
    onsessionclosed: (id) => table.remove(id),
  })
  const server = createServer(owner, client)
  const send = transport.send.bind(transport)
  transport.send = (message, options) => send(withLegacyErrorCode(message), options)
  const connection: Connection = {
    transport,
    server,
    owner,
    client,
    lastUsedAt: performance.now(),
    openRequests: 0,
  }
  table.addPending(newId, connection)
  server.onerror = onError
  await server.connect(transport)
  return connection
}

const isOwner = ({ subject }: HttpCaller, { owner }: Connection): boolean =>
  subject === undefined || owner === `user:${subject}`

/** Counts the request as open until the returned function is called. */
function beginRequest(table: ConnectionTable, connection: Connection): () => void {
  connection.lastUsedAt = performance.now()
  connection.openRequests += 1
  return () => {
    connection.openRequests -= 1
    connection.lastUsedAt = performance.now()
    table.removePending(connection)
    // A request that did not initialize a session leaves nothing that a client could return to.
    if (connection.transport.sessionId === undefined) void connection.server.close().catch(() => {})
  }
}

// The open MCP sessions of an HTTP server. There is a limit for all of them and one for each client: a client that opens too many
// closes only its own idle ones.
const IDLE_TIMEOUT_MS = 3_600_000

interface Connection {
  readonly transport: NodeStreamableHTTPServerTransport
  readonly server: Server
  readonly owner: string
  readonly client: string
  lastUsedAt: number
  /** Open streams count too. */
  openRequests: number
}

interface ConnectionLimits {
  readonly total: number
  readonly perClient: number
}

interface ConnectionTable {
  get(id: string): Connection | undefined
  all(): readonly Connection[]
  /** Before `initialize` is answered; it counts for the limits. */
  addPending(id: string, connection: Connection): void
  addInitialized(id: string, connection: Connection): void
  removePending(connection: Connection): void
  remove(id: string): void
  /** Frees a slot for another connection of the client; an error message where all slots are in use. */
  reserveSlot(client: string): string | undefined
}

function createConnectionTable({ total, perClient }: ConnectionLimits): ConnectionTable {
  const initialized = new Map<string, Connection>()
  const pending = new Map<string, Connection>()

  function close(id: string, { server }: Connection): void {
    initialized.delete(id)
    void server.close().catch(() => {})
  }

  function closeExpired(): void {
    const now = performance.now()
    for (const [id, connection] of initialized)
      if (connection.openRequests === 0 && now - connection.lastUsedAt > IDLE_TIMEOUT_MS)
        close(id, connection)
  }

  // Its client gets a 404 and initializes again.
  function closeOldestIdle(client: string): boolean {
    const [oldest] = [...initialized]
      .filter(([, connection]) => connection.client === client && connection.openRequests === 0)
      .sort(([, a], [, b]) => a.lastUsedAt - b.lastUsedAt)
    if (oldest) close(...oldest)
    return oldest !== undefined
  }

  const listConnections = () => [...new Map([...initialized, ...pending]).values()]
  const countOf = (client: string) =>
    listConnections().filter((connection) => connection.client === client).length

  return {
    get: (id) => initialized.get(id),
    all: () => [...initialized.values()],
    addPending: (id, connection) => void pending.set(id, connection),
    addInitialized: (id, connection) => void initialized.set(id, connection),
    removePending(connection) {
      for (const [id, candidate] of pending) if (candidate === connection) pending.delete(id)
    },
    remove: (id) => void initialized.delete(id),
    reserveSlot(client) {
      closeExpired()
      while (countOf(client) >= perClient)
        if (!closeOldestIdle(client))
          return `All ${perClient} connections allowed for one client are in use: close or reuse one.`
      while (listConnections().length >= total)
        if (!closeOldestIdle(client))
          return `All ${total} connections of this server are in use: try again later.`
      return undefined
    },
  }
}
