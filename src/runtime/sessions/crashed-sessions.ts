// Sessions whose browser died are gone at once, but what they had seen last explains it; a few are kept for that.

import type { OpenRoom } from './session-resources.ts'

const KEPT = 5

export interface Departed {
  keep(owner: string, id: string, room: OpenRoom): void
  find(owner: string, id: string | undefined): OpenRoom | undefined
}

export function createDeparted(): Departed {
  const rooms = new Map<string, OpenRoom>()
  const keyOf = (owner: string, id: string) => JSON.stringify([owner, id])
  return {
    keep(owner, id, room) {
      rooms.set(keyOf(owner, id), room)
      const [oldest = ''] = rooms.size > KEPT ? rooms.keys() : []
      rooms.delete(oldest)
    },
    find: (owner, id) => (id === undefined ? undefined : rooms.get(keyOf(owner, id))),
  }
}
