// The body of a request, read here so that what it asks for can be counted before it is served.

import type { IncomingMessage } from 'node:http'

export interface Messages {
  readonly value: unknown
  /** One, or those of a batch. */
  readonly messages: readonly unknown[]
}

/** Reads the whole body, at most `limit` bytes of it. */
export async function readBody(
  request: IncomingMessage,
  limit: number,
): Promise<Messages | 'too large' | 'no JSON' | 'broken off'> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return 'too large'
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > limit) return 'too large'
      chunks.push(chunk)
    }
  } catch {
    return 'broken off'
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    return { value, messages: Array.isArray(value) ? value : [value] }
  } catch {
    return 'no JSON'
  }
}

export const methodOf = (message: unknown): string | undefined => {
  const { method } = (message ?? {}) as { method?: unknown }
  return typeof method === 'string' ? method : undefined
}
