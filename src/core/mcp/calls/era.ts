// The two eras of the protocol. Until 2025-11-25 a connection begins with `initialize`; since 2026-07-28 every request carries its version,
// its client and what that client can do.

import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type Implementation,
  INVALID_PARAMS,
  isJSONRPCRequest,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  type Server,
  type ServerContext,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server'
import { APP_EXTENSION } from './mcp-app.ts'

export type Era = 'legacy' | 'modern'

export interface ClientFacts {
  readonly name: string | undefined
  /** Whether it can ask its user by a form. */
  readonly canElicit: boolean
  readonly rendersApps: boolean
}

interface Envelope {
  readonly [CLIENT_INFO_META_KEY]?: Implementation
  readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities
}

/** What is known of the client that sent a request. */
export function clientOf(server: Server, { mcpReq: { envelope } }: ServerContext): ClientFacts {
  // The SDK's type of the envelope omits its keys.
  const { [CLIENT_INFO_META_KEY]: info, [CLIENT_CAPABILITIES_META_KEY]: capabilities } = (envelope ?? {
    [CLIENT_INFO_META_KEY]: server.getClientVersion(),
    [CLIENT_CAPABILITIES_META_KEY]: server.getClientCapabilities(),
  }) as Envelope
  return {
    name: info?.name,
    canElicit: capabilities?.elicitation?.form !== undefined,
    rendersApps: capabilities?.extensions?.[APP_EXTENSION] !== undefined,
  }
}

/** A resource that does not exist. Its data tells it from other wrong parameters. */
export const createResourceError = (message: string, uri: string): Error =>
  Object.assign(new Error(message), { code: INVALID_PARAMS, data: { uri } })

const LEGACY_RESOURCE_NOT_FOUND = -32_002

/** The message with the error codes of the legacy era; the SDK sends those of the modern one to both. */
export function withLegacyErrorCode(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message) || message.error.code !== INVALID_PARAMS) return message
  const { data } = message.error
  if (typeof data !== 'object' || data === null || !('uri' in data)) return message
  return { ...message, error: { ...message.error, code: LEGACY_RESOURCE_NOT_FOUND } }
}

// The SDK exports only those of the legacy era.
const MODERN_REVISIONS = ['2026-07-28']

/** The answer to a request of the modern era that has another revision. */
export function refuseUnknownRevision(message: JSONRPCMessage): JSONRPCErrorResponse | undefined {
  if (!isJSONRPCRequest(message)) return undefined
  const requested = message.params?._meta?.[PROTOCOL_VERSION_META_KEY]
  if (typeof requested !== 'string' || MODERN_REVISIONS.includes(requested)) return undefined
  const {
    code,
    message: text,
    data,
  } = new UnsupportedProtocolVersionError({ supported: MODERN_REVISIONS, requested })
  return { jsonrpc: '2.0', id: message.id, error: { code, message: text, data } }
}
