// Requests of the modern era, which have no MCP session: each gets a server object of its own. Without authentication a session is found by
// its id only, because nothing else tells whose request it is.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node'
import {
  classifyInboundRequest,
  createMcpHandler,
  INVALID_PARAMS,
  type McpHttpHandler,
  type Server,
  type SubscriptionFilter,
} from '@modelcontextprotocol/server'
import { isFilter } from '../../core/mcp/subscriptions.ts'
import { type RpcBody, rpcMethodOf, sendRpcError } from '../lib/request-body.ts'
import { type HttpCaller, KEEP_ALIVE_INTERVAL_MS, REQUEST_BODY_LIMIT_BYTES } from './connections.ts'
import type { HttpOptions } from './http-options.ts'

export interface StatelessRequests {
  /** Serves one request, whose body has been read. */
  serve(request: IncomingMessage, response: ServerResponse, caller: HttpCaller, body: RpcBody): Promise<void>
  end(): Promise<void>
}

const LISTEN_LIMIT = { total: 1000, perClient: 100, uris: 100 } as const
const RETRY_AFTER_S = 60

/** Whether a request belongs to the modern era, valid or not. One that names an MCP session is of the legacy era unless it says more. */
export function isModernRequest(
  { method = '', headers }: IncomingMessage,
  { value }: Pick<RpcBody, 'value'>,
): boolean {
  const header = (name: string) => {
    const text = headers[name]
    return typeof text === 'string' ? text : undefined
  }
  const protocolVersionHeader = header('mcp-protocol-version')
  const mcpMethodHeader = header('mcp-method')
  const mcpNameHeader = header('mcp-name')
  const { kind } = classifyInboundRequest({
    httpMethod: method,
    protocolVersionHeader,
    mcpMethodHeader,
    mcpNameHeader,
    body: value,
  })
  return kind === 'modern' || (kind === 'reject' && headers['mcp-session-id'] === undefined)
}

type StatelessOptions = Pick<HttpOptions, 'createServer' | 'listenToResources' | 'onError'>

export function createStatelessRequests(options: StatelessOptions): StatelessRequests {
  const clientByHandler = new Map<McpHttpHandler, string>()
  return {
    async serve(request, response, { subject, client }, { value }) {
      const owner = subject === undefined ? `request:${randomUUID()}` : `user:${subject}`
      const handler = createHandler(options, owner, client)
      const filter = rpcMethodOf(value) === 'subscriptions/listen' ? filterOf(value) : undefined
      if (filter) {
        if (refuseListen(response, [...clientByHandler.values()], client, filter)) return
        // A response that has been closed meanwhile emits no further event.
        if (response.destroyed) return
        clientByHandler.set(handler, client)
        const stop = listen(options, handler, owner, filter)
        response.once('close', () => {
          clientByHandler.delete(handler)
          stop()
        })
      }
      // Node's type allows a request without a method, which a server does not get.
      await toNodeHandler(handler)(request as NodeIncomingMessageLike, response, value)
    },
    async end() {
      await Promise.all([...clientByHandler.keys()].map((handler) => handler.close()))
    },
  }
}

// --- internal ---

// Each request has a handler of its own, so that the notifications of a stream reach no other client.
function createHandler(
  { createServer, onError }: StatelessOptions,
  owner: string,
  client: string,
): McpHttpHandler {
  const createModernServer = (): Server => createServer(owner, client, 'modern')
  return createMcpHandler(createModernServer, {
    legacy: 'reject',
    onerror: onError,
    keepAliveMs: KEEP_ALIVE_INTERVAL_MS,
    maxRequestBodySize: REQUEST_BODY_LIMIT_BYTES,
  })
}

const listen = (
  { listenToResources }: StatelessOptions,
  { notify }: McpHttpHandler,
  owner: string,
  filter: SubscriptionFilter,
): (() => void) =>
  listenToResources(owner, filter, {
    update: (uri) => notify.resourceUpdated(uri),
    changeList: () => notify.resourcesChanged(),
  })

// True after it has answered. `clients` are those of the open subscriptions.
function refuseListen(
  response: ServerResponse,
  clients: readonly string[],
  client: string,
  { resourceSubscriptions: uris = [] }: SubscriptionFilter,
): boolean {
  if (uris.length > LISTEN_LIMIT.uris) {
    sendRpcError(response, 400, INVALID_PARAMS, `Name at most ${LISTEN_LIMIT.uris} resources.`)
    return true
  }
  const isFull = clients.length >= LISTEN_LIMIT.total
  const isClientFull = clients.filter((other) => other === client).length >= LISTEN_LIMIT.perClient
  if (!isFull && !isClientFull) return false
  response.setHeader('Retry-After', String(RETRY_AFTER_S))
  const message = isClientFull
    ? `All ${LISTEN_LIMIT.perClient} subscriptions allowed for one client are in use: close one.`
    : `All ${LISTEN_LIMIT.total} subscriptions of this server are in use: try again later.`
  sendRpcError(response, 503, -32_000, message)
  return true
}

function filterOf(value: unknown): SubscriptionFilter | undefined {
  const { params } = value as { params?: { notifications?: unknown } }
  return isFilter(params?.notifications) ? params.notifications : undefined
}
