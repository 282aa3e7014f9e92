// The moment from which a server may use the machine for what its client will need next: loading a browser any earlier would delay the list
// of tools, without which a client shows the server as not ready. A probe that only asks `server/discover` starts nothing.

import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server'

export interface FirstAnswer {
  receive(message: JSONRPCMessage): void
  /** To be called when the message has been written. */
  sent(message: JSONRPCMessage): void
}

/** Calls back once, when the answer to the first `tools/list` or `tools/call` has been written. */
export function createFirstAnswer(onFirstAnswer: () => void): FirstAnswer {
  const ids = new Set<RequestId>()
  let isAnswered = false
  return {
    receive(message) {
      if (isAnswered || !('method' in message) || !('id' in message)) return
      if (message.method === 'tools/list' || message.method === 'tools/call') ids.add(message.id)
    },
    sent(message) {
      if (isAnswered || 'method' in message || message.id === undefined || !ids.has(message.id)) return
      isAnswered = true
      ids.clear()
      onFirstAnswer()
    },
  }
}
