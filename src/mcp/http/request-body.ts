// The body is read before the SDK gets the request, so that its messages can be counted for the rate limit.

import type { IncomingMessage } from 'node:http'

export interface RpcBody {
  readonly value: unknown
  /** One message, or those of a batch. */
  readonly messages: readonly unknown[]
}

/** Reads at most `limitBytes`; a string is the reason why there is no body. */
export async function readBody(
  request: IncomingMessage,
  limitBytes: number,
): Promise<RpcBody | 'too large' | 'not JSON' | 'aborted'> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) return 'too large'
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > limitBytes) return 'too large'
      chunks.push(chunk)
    }
  } catch {
    return 'aborted'
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
