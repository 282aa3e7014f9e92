// The moment from which a server may use the machine for what its client will need next: loading a browser any earlier would delay the list
// of tools, without which a client shows the server as not ready.

import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { RequestId } from '@modelcontextprotocol/sdk/types.js'

/** Calls back once, when the answer to the first `tools/list` or `tools/call` has been written. Must be called before a server is connected to
 * the transport. */
export function watchFirstAnswer(transport: Transport, onFirstAnswer: () => void): void {
  const ids = new Set<RequestId>()
  let isAnswered = false
  transport.onmessage = (message) => {
    if (isAnswered || !('method' in message) || !('id' in message)) return
    if (message.method === 'tools/list' || message.method === 'tools/call') ids.add(message.id)
  }
  const send = transport.send.bind(transport)
  transport.send = async (message, options) => {
    await send(message, options)
    if (isAnswered || 'method' in message || message.id === undefined || !ids.has(message.id)) return
    isAnswered = true
    ids.clear()
    onFirstAnswer()
  }
}
