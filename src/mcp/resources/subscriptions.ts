// Tells clients that resources have changed: in the legacy era those that a connection subscribed to, in the modern one those that a
// `subscriptions/listen` names.

import type { Server, SubscriptionFilter } from '@modelcontextprotocol/server'
import { LOG_KINDS, createResourceCall } from './read-resource.ts'
import { createNotFoundError, parseAddress } from './resource-address.ts'
import { createResourceUpdates, type ResourceUpdates } from './resource-updates.ts'
import type { Outcome } from '../../core/failure.ts'
import { ok } from '../../core/result.ts'
import { parseResourceUri, type ResourceAddress } from '../../core/session/resource-uri.ts'
import type { SessionManager } from '../../runtime/ports/session-manager.ts'

export interface ResourceListener {
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
