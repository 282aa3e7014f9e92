import process from 'node:process'
import { type Readable, Transform, type Writable } from 'node:stream'
import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  type JSONRPCMessage,
  PARSE_ERROR,
  parseJSONRPCMessage,
  type RequestId,
  type Server,
} from '@modelcontextprotocol/server'
import { serveStdio as serveSdkStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { exceedsJsonLimits } from '../base/text/parse-url.ts'
import { type Era, refuseUnknownRevision, withLegacyErrorCode } from './calls/era.ts'
import { createListenTable, type ListenToResources } from './subscriptions.ts'

const MESSAGE_LIMIT_BYTES = 64 * 1024 * 1024
/** A shorter message cannot have too many values. */
const SHORT_MESSAGE_BYTES = 200_000

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
export async function serveConnection(
  input: Readable,
  output: Writable,
  options: ConnectionOptions,
): Promise<void> {
  const send = (message: object): void => void output.write(`${JSON.stringify(message)}\n`)
  const lines = limitLines(
    MESSAGE_LIMIT_BYTES,
    () => rejectLongMessage(send),
    (line) => acceptLine(line, send),
  )
  input.pipe(lines)
  const limits = { maxBufferSize: MESSAGE_LIMIT_BYTES + 1 }
  const transport = new StdioServerTransport(lines as unknown as NodeJS.ReadStream, output as never, limits)
  const disconnection = new Promise<void>((resolve) => {
    input.once('end', resolve)
    input.once('close', resolve)
    output.once('error', () => resolve())
    transport.onclose = resolve
  })
  serveTransport(transport, options)
  await disconnection
}

// The SDK creates the server, answers `subscriptions/listen` and sets the callbacks of the transport; what it leaves to others is added to
// them before the first message can arrive.
function serveTransport(
  transport: StdioServerTransport,
  { createServer, listenToResources, onError, onFirstAnswer, takeMessage }: ConnectionOptions,
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
  const { onclose: resolveDisconnection } = transport
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
    resolveDisconnection?.()
  }
}

type Send = (message: object) => void

// The SDK drops a line that is no message without an answer.
function acceptLine(line: Buffer, send: Send): boolean {
  const text = line.toString('utf8')
  if (text.trim() === '') return true
  const message = attempt(() => JSON.parse(text) as unknown)
  const refusal =
    message === undefined
      ? refusalOf(null, PARSE_ERROR, 'this line is not JSON; a message is one line of JSON')
      : line.length >= SHORT_MESSAGE_BYTES
        ? refuseTooManyValues(message)
        : undefined
  const isMessage = refusal === undefined && attempt(() => parseJSONRPCMessage(message)) !== undefined
  if (!isMessage)
    send(refusal ?? refusalOf(idOf(message), INVALID_REQUEST, 'this line is not a JSON-RPC 2.0 message'))
  return isMessage
}

function attempt<T>(parse: () => T): T | undefined {
  try {
    return parse()
  } catch {
    return undefined
  }
}

function idOf(message: unknown): RequestId | null {
  const { id } = (message ?? {}) as { readonly id?: unknown }
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

const rejectLongMessage = (send: Send): void =>
  send(
    refusalOf(
      null,
      INVALID_REQUEST,
      `the maximum message size is ${MESSAGE_LIMIT_BYTES} bytes; this message was dropped`,
    ),
  )

const refusalOf = (id: RequestId | null, code: number, message: string): object => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

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

// Splits a stream into whole lines of a maximum length. A longer line is skipped and reported, as is one that is not accepted; the lines after
// it are passed on.
const NEWLINE = 10

export function limitLines(
  limitBytes: number,
  onLongLine: () => void,
  isAccepted: (line: Buffer) => boolean,
): Transform {
  let parts: Buffer[] = []
  let size = 0
  let isSkipping = false
  return new Transform({
    transform(chunk: Buffer, _, done) {
      let from = 0
      for (;;) {
        const end = chunk.indexOf(NEWLINE, from)
        const part = chunk.subarray(from, end < 0 ? chunk.length : end + 1)
        size += part.length
        if (!isSkipping && size > limitBytes) {
          isSkipping = true
          parts = []
          onLongLine()
        }
        if (!isSkipping) parts.push(part)
        if (end < 0) return done()
        const line = isSkipping ? undefined : Buffer.concat(parts)
        if (line && isAccepted(line)) this.push(line)
        parts = []
        size = 0
        isSkipping = false
        from = end + 1
      }
    },
  })
}

// A message with very many values is refused before the SDK copies and checks each of them, which would keep all sessions waiting.
/** What a call may have, with room for the rest of its message. */
const MESSAGE_LIMITS = { depth: Infinity, values: 101_000 }

/** The answer to a message with too many values; undefined for others. */
export function refuseTooManyValues(message: unknown): object | undefined {
  if (!exceedsJsonLimits(message, MESSAGE_LIMITS)) return undefined
  const { id = null } = message as { readonly id?: unknown }
  const text = `Invalid params: a message has at most ${MESSAGE_LIMITS.values} values. Send less at once.`
  return { jsonrpc: '2.0', id, error: { code: INVALID_PARAMS, message: text } }
}
