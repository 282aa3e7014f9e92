import process from 'node:process'
import {
  INVALID_REQUEST,
  PARSE_ERROR,
  parseJSONRPCMessage,
  type RequestId,
  type Server,
} from '@modelcontextprotocol/server'
import { serveStdio as serveSdkStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { refuseUnknownRevision, withLegacyErrorCode, type Era } from './era.ts'
import { createFirstAnswer } from './first-answer.ts'
import { limitLines } from './line-limit.ts'
import { createListenTable } from './resources/listen-table.ts'
import type { ListenToResources } from './resources/subscriptions.ts'
import { refuseTooManyValues } from './too-many-values.ts'

const MESSAGE_LIMIT_BYTES = 64 * 1024 * 1024
/** A shorter message cannot have too many values. */
const SHORT_MESSAGE_BYTES = 200_000

export interface StdioOptions {
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
