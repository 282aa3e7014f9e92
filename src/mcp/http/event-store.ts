// What was sent on the streams of one connection, so that a client that lost its stream can have the rest. Bounded: the newest stay.

import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

const MOST = 200
const LARGEST = 8_000_000

export function createEventStore(): EventStore {
  const events: { id: string; stream: string; message: JSONRPCMessage; size: number }[] = []
  let count = 0
  let bytes = 0
  return {
    async storeEvent(stream, message) {
      count += 1
      const size = JSON.stringify(message).length
      const id = `${stream}_${count}`
      events.push({ id, stream, message, size })
      bytes += size
      while (events.length > MOST || (bytes > LARGEST && events.length > 1))
        bytes -= events.shift()?.size ?? 0
      return id
    },
    async getStreamIdForEventId(id) {
      return events.find((one) => one.id === id)?.stream
    },
    async replayEventsAfter(id, { send }) {
      const at = events.findIndex((one) => one.id === id)
      const stream = events[at]?.stream ?? ''
      for (const one of at < 0 ? [] : events.slice(at + 1))
        if (one.stream === stream) await send(one.id, one.message)
      return stream
    },
  }
}
