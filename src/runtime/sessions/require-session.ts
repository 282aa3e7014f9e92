// Finds the session of a call, by its key or because it is the only one.

import type { SessionRegistry } from './session-registry.ts'
import { clip } from '../../core/text/clip.ts'
import type { Outcome } from '../../core/failure.ts'
import { chooseSession, sessionsOf, type Session } from '../../core/session/session.ts'

const URL_LIMIT_CHARS = 100

/** The session with this key; without a key the owner's only one, which may still be opening. Fails with SESSION_NOT_FOUND, as an ended
 * session does, or with INVALID_PARAMETERS that lists several sessions. */
export async function requireSession(
  registry: SessionRegistry,
  owner: string,
  key: string | undefined,
): Promise<Outcome<Session>> {
  const { store } = registry
  const sessions = key === undefined ? sessionsOf(store.get(), owner) : []
  const urls = sessions.length > 1 ? await readUrls(registry, sessions) : new Map<string, string>()
  return chooseSession(store.get(), owner, keyOf(registry, owner, key), urls)
}

/** The key as the records have it: the name of a session is trimmed at its creation, so a key with spaces around it matches too. */
export function keyOf(
  { store }: SessionRegistry,
  owner: string,
  key: string | undefined,
): string | undefined {
  const name = key?.trim()
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
