// Messages of JSON-RPC as lines of a stream, each decoded once. A line that is no message is answered: the SDK would drop it.

import type { Readable, Writable } from 'node:stream'
import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  type JSONRPCMessage,
  PARSE_ERROR,
  parseJSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server'
import { formatJsonLine, type JsonLine, readJsonLines } from '../base/system/json-lines.ts'
import { exceedsJsonLimits } from '../base/text/parse-url.ts'

const MESSAGE_LIMIT_BYTES = 64 * 1024 * 1024
/** A shorter message cannot have too many values. */
const SHORT_MESSAGE_BYTES = 200_000

/** The transport of a connection; it closes with its input, and when its output fails. */
export function createLineTransport(input: Readable, output: Writable): Transport {
  let isClosed = false
  const send = (message: object): Promise<void> =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(new Error('the connection is closed'))
      output.write(formatJsonLine(message), (error) => (error ? reject(error) : resolve()))
    })
  const refuse = (refusal: object): void => void send(refusal).catch(() => {})
  const transport: Transport = {
    async start() {
      readJsonLines(input, { bytes: MESSAGE_LIMIT_BYTES }, receive)
      // It may have been paused while its first bytes were read.
      input.resume()
      input.on('error', (error) => transport.onerror?.(error))
      for (const event of ['end', 'close']) input.once(event, () => void transport.close())
      if (input.readableEnded || input.destroyed) setImmediate(() => void transport.close())
    },
    send,
    async close() {
      if (isClosed) return
      isClosed = true
      transport.onclose?.()
    },
  }
  // A write may still fail after the end.
  output.on('error', (error) => {
    if (!isClosed) transport.onerror?.(error)
    void transport.close()
  })
  return transport

  function receive(line: JsonLine): void {
    if (isClosed) return
    const reading = readMessage(line)
    if ('refusal' in reading) return refuse(reading.refusal)
    try {
      transport.onmessage?.(reading.message)
    } catch (error) {
      transport.onerror?.(error as Error)
    }
  }
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

// --- internal ---

type Reading = { readonly message: JSONRPCMessage } | { readonly refusal: object }

function readMessage(line: JsonLine): Reading {
  if ('problem' in line) return { refusal: REFUSALS[line.problem] }
  const refusal = line.size >= SHORT_MESSAGE_BYTES ? refuseTooManyValues(line.value) : undefined
  if (refusal) return { refusal }
  try {
    return { message: parseJSONRPCMessage(line.value) }
  } catch {
    return {
      refusal: refusalOf(idOf(line.value), INVALID_REQUEST, 'this line is not a JSON-RPC 2.0 message'),
    }
  }
}

function idOf(message: unknown): RequestId | null {
  const { id } = (message ?? {}) as { readonly id?: unknown }
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

const refusalOf = (id: RequestId | null, code: number, message: string): object => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

const REFUSALS = {
  'not JSON': refusalOf(null, PARSE_ERROR, 'this line is not JSON; a message is one line of JSON'),
  'too long': refusalOf(
    null,
    INVALID_REQUEST,
    `the maximum message size is ${MESSAGE_LIMIT_BYTES} bytes; this message was dropped`,
  ),
} as const
