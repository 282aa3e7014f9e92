// The commands to the user's own browser on the one connection: each gets an id of its own, and its answer goes back to who sent it.

import type { ProtocolMessage } from '../../core/attach/protocol-message.ts'

export interface RelayRequests {
  /** `onAnswer` gets the answer without its id. */
  send(message: ProtocolMessage, onAnswer: (answer: ProtocolMessage) => void): void
  /** Sends a command of the relay itself. */
  request(method: string, params: object, sessionId?: string): Promise<ProtocolMessage>
  handleAnswer(answer: ProtocolMessage): void
}

export function createRelayRequests(sendToBrowser: (message: ProtocolMessage) => void): RelayRequests {
  const handlers = new Map<number, (answer: ProtocolMessage) => void>()
  let lastId = 0
  const send: RelayRequests['send'] = (message, onAnswer) => {
    lastId += 1
    handlers.set(lastId, onAnswer)
    sendToBrowser({ ...message, id: lastId })
  }
  return {
    send,
    request: (method, params, sessionId) =>
      new Promise((resolve) =>
        send({ method, params: { ...params }, ...(sessionId !== undefined && { sessionId }) }, resolve),
      ),
    handleAnswer({ id, ...answer }) {
      const handler = id === undefined ? undefined : handlers.get(id)
      if (id !== undefined) handlers.delete(id)
      handler?.(answer)
    },
  }
}
