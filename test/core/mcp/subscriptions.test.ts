// `subscriptions/listen` on a session manager: what is told, and that nothing keeps listening afterwards.

import { expect, test } from 'bun:test'
import { createListenToResources } from '../../../src/core/mcp/subscriptions.ts'
import { until } from '../../support/leftovers.ts'
import { stillBrowsers, stillSessionManager } from '../../support/pages.ts'

const call = { signal: new AbortController().signal, progress: () => {} }

async function openSession() {
  const sessions = stillSessionManager(stillBrowsers(), {
    sessionTimeout: 60_000,
    maxLifetime: 60_000,
    maxSessions: 3,
  })
  const session = await sessions.create('me', {}, call)
  if (!session.ok) throw new Error(session.error.code)
  const { journal, record } = session.value
  let watcherCount = 0
  const { watch } = journal
  Object.assign(journal, {
    watch(...rest: Parameters<typeof watch>) {
      watcherCount += 1
      const stop = watch(...rest)
      return () => {
        watcherCount -= 1
        stop()
      }
    },
  })
  const uri = `footlight://sessions/${record.id}/console`
  const log = () => journal.add({ kind: 'console', at: 0, level: 'info', text: 'x' })
  return { sessions, uri, log, watcherCount: () => watcherCount }
}

test('a listener hears of the resource that it names, and watches nothing once it has stopped', async () => {
  const { sessions, uri, log, watcherCount } = await openSession()
  const uris: string[] = []
  let listChanges = 0
  let resolveUpdate = () => {}
  const update = new Promise<void>((resolve) => (resolveUpdate = resolve))
  const filter = {
    resourceSubscriptions: [uri, uri, 'footlight://sessions/none/console', 'file:///x'],
    resourcesListChanged: true,
  }
  const stop = createListenToResources(sessions, 'me')(filter, {
    update(changed) {
      uris.push(changed)
      resolveUpdate()
    },
    changeList: () => (listChanges += 1),
  })
  // The session is found in a later microtask.
  await until(() => watcherCount() > 0)
  log()
  log()
  await update
  expect([uris, watcherCount()]).toEqual([[uri], 1])
  await sessions.create('me', {}, call)
  expect(listChanges).toBeGreaterThan(0)
  stop()
  const count = listChanges
  await sessions.create('me', {}, call)
  expect([watcherCount(), listChanges]).toEqual([0, count])
  await sessions.end(0)
})

test('a listener that stops at once leaves no watcher', async () => {
  const { sessions, uri, watcherCount } = await openSession()
  const listen = createListenToResources(sessions, 'me')
  const stop = listen({ resourceSubscriptions: [uri] }, { update: () => {}, changeList: () => {} })
  stop()
  let isHeard = false
  const stopOther = listen(
    { resourceSubscriptions: [uri] },
    { update: () => (isHeard = true), changeList: () => {} },
  )
  await until(() => watcherCount() > 0)
  expect([watcherCount(), isHeard]).toEqual([1, false])
  stopOther()
  expect(watcherCount()).toBe(0)
  await sessions.end(0)
})

test('the sessions of others are not heard', async () => {
  const { sessions, uri, watcherCount } = await openSession()
  let listChanges = 0
  const stop = createListenToResources(sessions, 'another')(
    { resourceSubscriptions: [uri], resourcesListChanged: true },
    { update: () => {}, changeList: () => (listChanges += 1) },
  )
  await sessions.create('me', {}, call)
  expect([watcherCount(), listChanges]).toEqual([0, 0])
  stop()
  await sessions.end(0)
})
