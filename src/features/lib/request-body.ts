// The body is read before the SDK gets the request, so that its messages can be counted for the rate limit.

import type { IncomingMessage, ServerResponse } from 'node:http'

export interface RpcBody {
  readonly value: unknown
  /** One message, or those of a batch. */
  readonly messages: readonly unknown[]
}

/** What the bodies of a client that have not arrived yet may have together. */
const UNFINISHED_LIMIT_BYTES = 40_000_000

const unfinishedBytes = new Map<string, number>()

/** Counts bytes of a client that wait for the rest of their body; false if there are too many. */
function countUnfinished(client: string, bytes: number): boolean {
  const sum = (unfinishedBytes.get(client) ?? 0) + bytes
  if (sum <= 0) unfinishedBytes.delete(client)
  else unfinishedBytes.set(client, sum)
  return sum <= UNFINISHED_LIMIT_BYTES
}

/** Reads at most `limitBytes`; a string is the reason why there is no body. */
export async function readBody(
  request: IncomingMessage,
  limitBytes: number,
  client = '',
): Promise<RpcBody | 'too large' | 'not JSON' | 'aborted'> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) return 'too large'
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length
      if (!countUnfinished(client, chunk.length) || size > limitBytes) return 'too large'
      chunks.push(chunk)
    }
  } catch {
    return 'aborted'
  } finally {
    countUnfinished(client, -size)
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    return { value, messages: Array.isArray(value) ? value : [value] }
  } catch {
    return 'not JSON'
  }
}

export const rpcMethodOf = (message: unknown): string | undefined => {
  const { method } = (message ?? {}) as { method?: unknown }
  return typeof method === 'string' ? method : undefined
}

// Responses outside MCP.
export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
  response.end(JSON.stringify(body))
}

export const sendRpcError = (response: ServerResponse, status: number, code: number, message: string): void =>
  sendJson(response, status, { jsonrpc: '2.0', error: { code, message }, id: null })

export function sendPlainText(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' })
  response.end(body)
}
