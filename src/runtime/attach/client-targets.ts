// The tabs and CDP sessions of the clients of one connection.

export interface SessionOwner {
  readonly client: string
  /** Whether its commands are for the browser, and not for a tab. */
  readonly isForBrowser: boolean
  /** The tab of a CDP session that the relay has opened. */
  readonly targetId?: string
}

export interface ClientTargets {
  /** The client of each tab. */
  readonly targets: ReadonlyMap<string, string>
  readonly sessions: Map<string, SessionOwner>
  add(client: string, targetId: string): void
  remove(targetId: string): void
  /** Counts a tab that is being opened until the returned function is called. */
  startOpening(client: string): () => void
  isClosing(client: string): boolean
  /** The tabs of a client that is to be closed. */
  startClosing(client: string): readonly string[]
  /** Whether a client is closing and has no tab any more. It is forgotten then, with the CDP sessions that are returned. */
  finishClosing(client: string): readonly string[] | undefined
  /** The clients that have tabs or are opening some. */
  clients(): readonly string[]
}

export function createClientTargets(
  onTarget: (change: 'opened' | 'gone', targetId: string) => void,
): ClientTargets {
  const targets = new Map<string, string>()
  const sessions = new Map<string, SessionOwner>()
  const openings = new Set<{ readonly client: string }>()
  const closingClients = new Set<string>()
  const clients = () => [...new Set([...targets.values(), ...[...openings].map(({ client }) => client)])]
  return {
    targets,
    sessions,
    clients,
    add(client, targetId) {
      targets.set(targetId, client)
      onTarget('opened', targetId)
    },
    remove(targetId) {
      if (targets.delete(targetId)) onTarget('gone', targetId)
    },
    startOpening(client) {
      const opening = { client }
      openings.add(opening)
      return () => openings.delete(opening)
    },
    isClosing: (client) => closingClients.has(client),
    startClosing(client) {
      closingClients.add(client)
      return [...targets].flatMap(([targetId, owner]) => (owner === client ? targetId : []))
    },
    finishClosing(client) {
      if (!closingClients.has(client) || clients().includes(client)) return undefined
      closingClients.delete(client)
      const ownSessions = [...sessions].filter(([, owner]) => owner.client === client)
      for (const [sessionId] of ownSessions) sessions.delete(sessionId)
      return ownSessions.flatMap(([sessionId, { isForBrowser }]) => (isForBrowser ? sessionId : []))
    },
  }
}
