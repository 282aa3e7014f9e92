// The last messages sent on the streams of one connection, so that a client whose stream broke can resume it.

import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server'

const EVENT_LIMIT = 200
/** A client has up to a hundred connections. */
const EVENTS_LIMIT_CHARS = 4_000_000

export function createEventStore(): EventStore {
  const events: { id: string; streamId: string; message: JSONRPCMessage; size: number }[] = []
  let eventCount = 0
  let totalSize = 0
  return {
    async storeEvent(streamId, message) {
      eventCount += 1
      const size = JSON.stringify(message).length
      const id = `${streamId}_${eventCount}`
      events.push({ id, streamId, message, size })
      totalSize += size
      while (events.length > EVENT_LIMIT || totalSize > EVENTS_LIMIT_CHARS)
        totalSize -= events.shift()?.size ?? 0
      return id
    },
    async getStreamIdForEventId(id) {
      return events.find((event) => event.id === id)?.streamId
    },
    async replayEventsAfter(id, { send }) {
      const index = events.findIndex((event) => event.id === id)
      const streamId = events[index]?.streamId ?? ''
      for (const event of index < 0 ? [] : events.slice(index + 1))
        if (event.streamId === streamId) await send(event.id, event.message)
      return streamId
    },
  }
}
