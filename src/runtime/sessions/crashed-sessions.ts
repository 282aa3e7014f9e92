// Sessions whose browser died are gone at once, but what they had seen last explains it; a few are kept for that.

import type { SessionResources } from './session-resources.ts'

const KEPT = 5

export interface CrashedSessions {
  keep(owner: string, id: string, resources: SessionResources): void
  find(owner: string, id: string | undefined): SessionResources | undefined
}

export function createCrashedSessions(): CrashedSessions {
  const crashed = new Map<string, SessionResources>()
  const keyOf = (owner: string, id: string) => JSON.stringify([owner, id])
  return {
    keep(owner, id, resources) {
      crashed.set(keyOf(owner, id), resources)
      const [oldest = ''] = crashed.size > KEPT ? crashed.keys() : []
      crashed.delete(oldest)
    },
    find: (owner, id) => (id === undefined ? undefined : crashed.get(keyOf(owner, id))),
  }
}
