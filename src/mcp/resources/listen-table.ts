// The open `subscriptions/listen` requests of one connection.

import type { JSONRPCMessage, RequestId, SubscriptionFilter } from '@modelcontextprotocol/server'

export interface ListenTable {
  /** Notes a message of the client: a request to listen, or its cancellation. */
  receive(message: JSONRPCMessage): void
  end(): void
}

/** `listen` starts to listen and returns a function that stops it. */
export function createListenTable(listen: (filter: SubscriptionFilter) => () => void): ListenTable {
  const stopById = new Map<RequestId, () => void>()
  function stop(id: RequestId): void {
    stopById.get(id)?.()
    stopById.delete(id)
  }
  return {
    receive(message) {
      if (!('method' in message)) return
      const { method, params } = message
      if (method === 'notifications/cancelled') return stop(params?.['requestId'] as RequestId)
      const filter = params?.['notifications']
      if (method !== 'subscriptions/listen' || !('id' in message) || !isFilter(filter)) return
      stop(message.id)
      stopById.set(message.id, listen(filter))
    },
    end() {
      for (const id of [...stopById.keys()]) stop(id)
    },
  }
}

/** Whether the value has the types of a filter; the SDK refuses what has not. */
export function isFilter(value: unknown): value is SubscriptionFilter {
  if (typeof value !== 'object' || value === null) return false
  const { resourceSubscriptions: uris = [] } = value as { resourceSubscriptions?: unknown }
  return Array.isArray(uris) && uris.every((uri) => typeof uri === 'string')
}
