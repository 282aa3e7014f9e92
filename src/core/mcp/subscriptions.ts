// Tells clients that resources have changed: in the legacy era those that a connection subscribed to, in the modern one those that a
// `subscriptions/listen` names.

import type { JSONRPCMessage, RequestId, Server, SubscriptionFilter } from '@modelcontextprotocol/server'
import type { Outcome } from '../base/failure.ts'
import { parseResourceUri, type ResourceAddress } from '../base/files/resource-uri.ts'
import { ok } from '../base/result.ts'
import type { SessionManager } from '../sessions/types/session-manager.ts'
import { createNotFoundError, createResourceCall, LOG_KINDS, parseAddress } from './read-resource.ts'

interface ResourceListener {
  update(uri: string): void
  changeList(): void
}

/** Tells the listener what the filter names, until the returned function is called. */
export type ListenToResources = (filter: SubscriptionFilter, listener: ResourceListener) => () => void

/** Listens to the resources of the sessions that `owner` may use. A resource that does not exist is never updated. */
export const createListenToResources =
  (sessions: SessionManager, owner: string): ListenToResources =>
  (filter, { update, changeList }) => {
    const updates = createResourceUpdates(update)
    const unwatch = filter.resourcesListChanged ? sessions.watch(owner, changeList) : () => {}
    for (const uri of new Set(filter.resourceSubscriptions)) {
      const address = parseResourceUri(uri)
      if (!address) continue
      void watchJournal(sessions, owner, address, () => updates.schedule(uri)).then((subscription) => {
        if (subscription.ok) updates.add(uri, subscription.value)
      })
    }
    return () => {
      unwatch()
      updates.end()
    }
  }

/** Serves `resources/subscribe` and `resources/unsubscribe`, and announces sessions that open or end. */
export function serveSubscriptions(server: Server, sessions: SessionManager, owner: string): void {
  const updates: ResourceUpdates = createResourceUpdates((uri) =>
    server.sendResourceUpdated({ uri }).catch(() => {}),
  )
  const unwatch = sessions.watch(owner, () => void server.sendResourceListChanged().catch(() => {}))
  const { onclose } = server
  server.onclose = () => {
    unwatch()
    updates.end()
    onclose?.()
  }
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    const address = parseAddress(uri)
    const subscription = await watchJournal(sessions, owner, address, () => updates.schedule(uri))
    if (!subscription.ok)
      throw createNotFoundError(subscription.error, uri, sessions.redactor(owner, address.session).redactText)
    updates.add(uri, subscription.value)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
    updates.remove(uri)
    return {}
  })
}

const watchJournal = (
  sessions: SessionManager,
  owner: string,
  { session, part }: ResourceAddress,
  onEntry: () => void,
): Promise<Outcome<() => void>> => {
  const kinds = part === 'snapshot' || part === 'files' ? LOG_KINDS.timeline : LOG_KINDS[part]
  return sessions.runOnSession(createResourceCall(owner, session), async ({ journal }) =>
    ok(journal.watch(kinds, onEntry)),
  )
}

// The open `subscriptions/listen` requests of one connection.
interface ListenTable {
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

// Notifies a client that its subscribed resources have changed, at most once per interval, because a page may log thousands of lines per
// second.
const UPDATE_INTERVAL_MS = 100

interface ResourceUpdates {
  /** `stop` ends the subscription; it is called at once after the end. */
  add(uri: string, stop: () => void): void
  remove(uri: string): void
  schedule(uri: string): void
  end(): void
}

export function createResourceUpdates(notify: (uri: string) => unknown): ResourceUpdates {
  const stopByUri = new Map<string, () => void>()
  const changedUris = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let hasEnded = false

  function flush(): void {
    timer = undefined
    const uris = [...changedUris]
    changedUris.clear()
    for (const uri of uris) notify(uri)
  }

  function remove(uri: string): void {
    stopByUri.get(uri)?.()
    stopByUri.delete(uri)
    changedUris.delete(uri)
  }

  return {
    add(uri, stop) {
      if (hasEnded) return stop()
      remove(uri)
      stopByUri.set(uri, stop)
    },
    remove,
    schedule(uri) {
      if (hasEnded) return
      changedUris.add(uri)
      timer ??= setTimeout(flush, UPDATE_INTERVAL_MS)
    },
    end() {
      hasEnded = true
      clearTimeout(timer)
      for (const uri of [...stopByUri.keys()]) remove(uri)
    },
  }
}
