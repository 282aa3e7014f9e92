// Keeps the resources of the last sessions whose browser crashed, for the evidence of that failure.

import { createBoundedMap } from '../../core/limits/bounded-map.ts'
import type { SessionResources } from '../resources/session-resources.ts'

const SESSION_LIMIT = 5

export interface CrashedSessions {
  add(owner: string, id: string, resources: SessionResources): void
  find(owner: string, id: string | undefined): SessionResources | undefined
}

export function createCrashedSessions(): CrashedSessions {
  const resourcesById = createBoundedMap<string, SessionResources>(SESSION_LIMIT)
  const keyOf = (owner: string, id: string) => JSON.stringify([owner, id])
  return {
    add: (owner, id, resources) => resourcesById.set(keyOf(owner, id), resources),
    find: (owner, id) => (id === undefined ? undefined : resourcesById.get(keyOf(owner, id))),
  }
}
