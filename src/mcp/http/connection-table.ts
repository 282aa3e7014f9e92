// The open MCP sessions of an HTTP server. There is a limit for all of them and one for each client: a client that opens too many
// closes only its own idle ones.

import type { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node'
import type { Server } from '@modelcontextprotocol/server'

const IDLE_TIMEOUT_MS = 3_600_000

export interface Connection {
  readonly transport: NodeStreamableHTTPServerTransport
  readonly server: Server
  readonly owner: string
  readonly client: string
  lastUsedAt: number
  /** Open streams count too. */
  openRequests: number
}

export interface ConnectionLimits {
  readonly total: number
  readonly perClient: number
}

export interface ConnectionTable {
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

export function createConnectionTable({ total, perClient }: ConnectionLimits): ConnectionTable {
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
