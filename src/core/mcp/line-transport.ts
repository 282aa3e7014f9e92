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
      output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
    })
  const refuse = (refusal: object): void => void send(refusal).catch(() => {})
  const transport: Transport = {
    async start() {
      input.on(
        'data',
        splitLines(MESSAGE_LIMIT_BYTES, receive, () => refuse(LONG_MESSAGE_REFUSAL)),
      )
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

  function receive(line: Buffer): void {
    const text = isClosed ? '' : line.toString('utf8')
    if (text.trim() === '') return
    const reading = readMessage(text, line.length)
    if ('refusal' in reading) return refuse(reading.refusal)
    try {
      transport.onmessage?.(reading.message)
    } catch (error) {
      transport.onerror?.(error as Error)
    }
  }
}

const NEWLINE = 10

/** Returns a reader of chunks that passes on whole lines of at most this length; a longer one is skipped and reported. */
export function splitLines(
  limitBytes: number,
  onLine: (line: Buffer) => void,
  onLongLine: () => void,
): (chunk: Buffer) => void {
  let parts: Buffer[] = []
  let size = 0
  let isSkipping = false
  return (chunk) => {
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
      if (end < 0) return
      const line = isSkipping ? undefined : Buffer.concat(parts)
      parts = []
      size = 0
      isSkipping = false
      from = end + 1
      if (line) onLine(line)
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

function readMessage(text: string, size: number): Reading {
  const value = attempt(() => JSON.parse(text) as unknown)
  if (value === undefined)
    return { refusal: refusalOf(null, PARSE_ERROR, 'this line is not JSON; a message is one line of JSON') }
  const refusal = size >= SHORT_MESSAGE_BYTES ? refuseTooManyValues(value) : undefined
  if (refusal) return { refusal }
  const message = attempt(() => parseJSONRPCMessage(value))
  return message
    ? { message }
    : { refusal: refusalOf(idOf(value), INVALID_REQUEST, 'this line is not a JSON-RPC 2.0 message') }
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

const refusalOf = (id: RequestId | null, code: number, message: string): object => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

const LONG_MESSAGE_REFUSAL = refusalOf(
  null,
  INVALID_REQUEST,
  `the maximum message size is ${MESSAGE_LIMIT_BYTES} bytes; this message was dropped`,
)
