// Finds the session of a call by its key, or without one because it is the only session.

import type { SessionRegistry } from './session-registry.ts'
import { clip } from '../../core/text/clip.ts'
import type { Outcome } from '../../core/failure.ts'
import { findOnlySession, sessionsOf, type Session } from '../../core/session/session.ts'

const URL_LIMIT_CHARS = 100

/** The owner's only session. Fails with SESSION_NOT_FOUND, as the last session ended, or with INVALID_PARAMETERS that lists several. */
export async function requireOnlySession(
  registry: SessionRegistry,
  owner: string,
): Promise<Outcome<Session>> {
  const state = registry.store.get()
  const sessions = sessionsOf(state, owner)
  const urls = sessions.length > 1 ? await readUrls(registry, sessions) : new Map<string, string>()
  return findOnlySession(state, owner, urls)
}

/** The key as the records have it: the name of a session is trimmed at its creation, so a key with spaces around it matches too. */
export function keyOf({ store }: SessionRegistry, owner: string, key: string): string {
  const name = key.trim()
  return sessionsOf(store.get(), owner).some((session) => session.name === name) ? name : key
}

// --- internal ---

// Each URL is redacted with the secrets of its own session.
async function readUrls(
  registry: SessionRegistry,
  sessions: readonly Session[],
): Promise<ReadonlyMap<string, string>> {
  const entries = await Promise.all(
    sessions.map(async ({ id, status }) => {
      const resources = registry.entryOf(id)?.resources
      const ready = status === 'open' ? await resources?.ready : undefined
      return resources && ready?.ok
        ? [[id, clip(resources.redactor.redactText(ready.value.page.url()), URL_LIMIT_CHARS)] as const]
        : []
    }),
  )
  return new Map(entries.flat())
}
