import process from 'node:process'
import {
  INVALID_REQUEST,
  PARSE_ERROR,
  parseJSONRPCMessage,
  type RequestId,
  type Server,
  type JSONRPCMessage,
  INVALID_PARAMS,
} from '@modelcontextprotocol/server'
import { serveStdio as serveSdkStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { refuseUnknownRevision, withLegacyErrorCode, type Era } from './calls/era.ts'
import { createListenTable, type ListenToResources } from './subscriptions.ts'
import { Transform } from 'node:stream'
import { exceedsJsonLimits } from '../core/text/parse-url.ts'

const MESSAGE_LIMIT_BYTES = 64 * 1024 * 1024
/** A shorter message cannot have too many values. */
const SHORT_MESSAGE_BYTES = 200_000

interface StdioOptions {
  /** Called once the first request has shown the era of the client. */
  readonly createServer: (era: Era) => Server
  readonly listenToResources: ListenToResources
  readonly onError: (error: Error) => void
  /** Called as soon as the tools have been listed or one has been called. */
  readonly onFirstAnswer: () => void
}

/** Serves one connection over stdin and stdout. Resolves when the client has closed stdin, or when the SDK has closed the connection. */
export async function serveStdio(options: StdioOptions): Promise<void> {
  const lines = limitLines(MESSAGE_LIMIT_BYTES, rejectLongMessage, acceptLine)
  process.stdin.pipe(lines)
  const limits = { maxBufferSize: MESSAGE_LIMIT_BYTES + 1 }
  const transport = new StdioServerTransport(lines as unknown as NodeJS.ReadStream, process.stdout, limits)
  const disconnection = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve)
    process.stdin.once('close', resolve)
    process.stdout.once('error', () => resolve())
    transport.onclose = resolve
  })
  serveTransport(transport, options)
  await disconnection
}

// The SDK creates the server, answers `subscriptions/listen` and sets the callbacks of the transport; what it leaves to others is added to
// them before the first message can arrive.
function serveTransport(
  transport: StdioServerTransport,
  { createServer, listenToResources, onError, onFirstAnswer }: StdioOptions,
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

// The SDK drops a line that is no message without an answer.
function acceptLine(line: Buffer): boolean {
  const text = line.toString('utf8')
  if (text.trim() === '') return true
  const message = attempt(() => JSON.parse(text) as unknown)
  if (message === undefined)
    return refuse(null, PARSE_ERROR, 'this line is not JSON; a message is one line of JSON')
  const refusal = line.length < SHORT_MESSAGE_BYTES ? undefined : refuseTooManyValues(message)
  if (refusal) {
    process.stdout.write(`${JSON.stringify(refusal)}\n`)
    return false
  }
  return attempt(() => parseJSONRPCMessage(message)) === undefined
    ? refuse(idOf(message), INVALID_REQUEST, 'this line is not a JSON-RPC 2.0 message')
    : true
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

function rejectLongMessage(): void {
  refuse(
    null,
    INVALID_REQUEST,
    `the maximum message size is ${MESSAGE_LIMIT_BYTES} bytes; this message was dropped`,
  )
}

function refuse(id: RequestId | null, code: number, message: string): false {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`)
  return false
}

// --- internal ---

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
