import process from 'node:process'
import type { Readable, Writable } from 'node:stream'
import type { JSONRPCMessage, RequestId, Server, Transport } from '@modelcontextprotocol/server'
import { serveStdio as serveSdkStdio } from '@modelcontextprotocol/server/stdio'
import { type Era, refuseUnknownRevision, withLegacyErrorCode } from './calls/era.ts'
import { createLineTransport } from './line-transport.ts'
import { createListenTable, type ListenToResources } from './subscriptions.ts'

export interface ConnectionOptions {
  /** Called once the first request has shown the era of the client. */
  readonly createServer: (era: Era) => Server
  readonly listenToResources: ListenToResources
  readonly onError: (error: Error) => void
  /** Called as soon as the tools have been listed or one has been called. */
  readonly onFirstAnswer: () => void
  /** Takes a message that is not for the server; undefined leaves it to the server. */
  readonly takeMessage?: (message: JSONRPCMessage, send: SendMessage) => boolean
}

type SendMessage = (message: JSONRPCMessage) => void

/** Serves one connection over stdin and stdout. Resolves when the client has closed stdin, or when the SDK has closed the connection. */
export const serveStdio = (options: ConnectionOptions): Promise<void> =>
  serveConnection(process.stdin, process.stdout, options)

/** Serves one connection of messages in lines. Resolves when the client has closed the input, or when the SDK has closed the connection. */
export const serveConnection = (
  input: Readable,
  output: Writable,
  options: ConnectionOptions,
): Promise<void> =>
  new Promise((resolve) => serveTransport(createLineTransport(input, output), options, resolve))

// The SDK creates the server, answers `subscriptions/listen` and sets the callbacks of the transport; what it leaves to others is added to
// them before the first message can arrive.
function serveTransport(
  transport: Transport,
  { createServer, listenToResources, onError, onFirstAnswer, takeMessage }: ConnectionOptions,
  onEnd: () => void,
): void {
  const firstAnswer = createFirstAnswer(onFirstAnswer)
  let isLegacy = false
  let server: Server | undefined
  const listens = createListenTable((filter) =>
    listenToResources(filter, {
      update: (uri) => void server?.sendResourceUpdated({ uri }).catch(() => {}),
      changeList: () => void server?.sendResourceListChanged().catch(() => {}),
    }),
  )
  const send = transport.send.bind(transport)
  const sendOwn: SendMessage = (message) => void send(message).catch(() => {})
  transport.send = async (message) => {
    const sentMessage = isLegacy ? withLegacyErrorCode(message) : message
    await send(sentMessage)
    firstAnswer.sent(sentMessage)
  }
  serveSdkStdio(
    ({ era }) => {
      isLegacy = era === 'legacy'
      server = createServer(era)
      return server
    },
    { transport, onerror: onError },
  )
  const { onmessage, onclose } = transport
  transport.onmessage = (message) => {
    if (takeMessage?.(message, sendOwn)) return
    // The SDK checks the revision of the first messages only.
    const refusal = server && !isLegacy ? refuseUnknownRevision(message) : undefined
    if (refusal) return void send(refusal)
    firstAnswer.receive(message)
    if (!isLegacy) listens.receive(message)
    onmessage?.(message)
  }
  transport.onclose = () => {
    listens.end()
    onclose?.()
    onEnd()
  }
}

// The moment from which a server may use the machine for what its client will need next: loading a browser any earlier would delay the list
// of tools, without which a client shows the server as not ready. A probe that only asks `server/discover` starts nothing.
interface FirstAnswer {
  receive(message: JSONRPCMessage): void
  /** To be called when the message has been written. */
  sent(message: JSONRPCMessage): void
}

/** Calls back once, when the answer to the first `tools/list` or `tools/call` has been written. */
function createFirstAnswer(onFirstAnswer: () => void): FirstAnswer {
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
