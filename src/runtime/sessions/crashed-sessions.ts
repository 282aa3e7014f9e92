// Sessions whose browser died are gone at once, but what they had seen last explains it; a few are kept for that.

import { createBoundedMap } from '../../core/limits/bounded-map.ts'
import type { SessionResources } from '../resources/session-resources.ts'

const SESSION_LIMIT = 5

export interface CrashedSessions {
  keep(owner: string, id: string, resources: SessionResources): void
  find(owner: string, id: string | undefined): SessionResources | undefined
}

export function createCrashedSessions(): CrashedSessions {
  const crashed = createBoundedMap<string, SessionResources>(SESSION_LIMIT)
  const keyOf = (owner: string, id: string) => JSON.stringify([owner, id])
  return {
    keep: (owner, id, resources) => crashed.set(keyOf(owner, id), resources),
    find: (owner, id) => (id === undefined ? undefined : crashed.get(keyOf(owner, id))),
  }
}
