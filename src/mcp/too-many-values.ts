// A message with very many values is refused before the SDK copies and checks each of them, which would keep all sessions waiting.

import { INVALID_PARAMS } from '@modelcontextprotocol/server'
import { exceedsJsonLimits } from '../core/text/json-depth.ts'

/** What a call may have, with room for the rest of its message. */
const MESSAGE_LIMITS = { depth: Infinity, values: 101_000 }

/** The answer to a message with too many values; undefined for others. */
export function refuseTooManyValues(message: unknown): object | undefined {
  if (!exceedsJsonLimits(message, MESSAGE_LIMITS)) return undefined
  const { id = null } = message as { readonly id?: unknown }
  const text = `Invalid params: a message has at most ${MESSAGE_LIMITS.values} values. Send less at once.`
  return { jsonrpc: '2.0', id, error: { code: INVALID_PARAMS, message: text } }
}
