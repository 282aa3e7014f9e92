// Streamable HTTP on a node:http server.

import { randomUUID } from 'node:crypto'
import {
  createServer as createNodeServer,
  type IncomingMessage,
  type Server as NodeServer,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Failure } from '../../core/base/failure.ts'
import {
  type AllowedHosts,
  clientKeyOf,
  findRefusal,
  isLoopbackHost,
  loopbackNamesOf,
} from '../../core/base/network/http-guard.ts'
import { failureRecordOf, failureText } from '../../core/mcp/answers/failure-text.ts'
import { failureResult } from '../../core/mcp/answers/format-result.ts'
import type { RateLimiter } from '../../core/mcp/calls/rate-limiter.ts'
import { refuseTooManyValues } from '../../core/mcp/line-transport.ts'
import {
  readBody,
  type RpcBody,
  rpcMethodOf,
  sendJson,
  sendPlainText,
  sendRpcError,
} from '../lib/request-body.ts'
import { SCOPE } from './authentication.ts'
import { type Connections, createConnections, REQUEST_BODY_LIMIT_BYTES } from './connections.ts'
import type { HttpOptions, HttpServer } from './http-options.ts'
import { createStatelessRequests, isModernRequest, type StatelessRequests } from './stateless-requests.ts'

const SOCKET_LIMIT = 4000
const LOGGED_PATH_LIMIT_CHARS = 100
const serverOptions = {
  maxHeaderSize: 32_768,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1000,
}

/** Rejects if it cannot listen on the address. */
export async function serveHttp(options: HttpOptions): Promise<HttpServer> {
  const connections = createConnections(
    (owner, client) => options.createServer(owner, client, 'legacy'),
    options.onError,
  )
  const statelessRequests = createStatelessRequests(options)
  let endpoint: Endpoint = { url: '', allowed: { hosts: [], origins: [] } }
  const calls = new Set<Promise<void>>()
  const context: HandlerContext = { options, connections, statelessRequests, calls, endpoint: () => endpoint }
  const server = createNodeServer(serverOptions, (request, response) =>
    answerRequest(context, request, response),
  )
  const sockets = trackSockets(server)
  await listen(server, options)
  const { port } = server.address() as AddressInfo
  endpoint = endpointOf(options, port)
  return {
    url: endpoint.url,
    port,
    waitForAnswers: () => Promise.all(calls),
    async close() {
      const serverClosed = new Promise<void>((resolve) => server.close(() => resolve()))
      await Promise.all([connections.end(), statelessRequests.end()])
      for (const socket of sockets) socket.destroy()
      await serverClosed
    },
  }
}

// --- internal ---

function answerRequest(context: HandlerContext, request: IncomingMessage, response: ServerResponse): void {
  const { onRequest, onError } = context.options
  const startedAt = performance.now()
  const requestId = randomUUID()
  response.setHeader('X-Request-Id', requestId)
  response.once('close', () =>
    onRequest({
      requestId,
      method: request.method ?? '',
      path: pathOf(request).slice(0, LOGGED_PATH_LIMIT_CHARS),
      status: response.statusCode,
      ms: Math.round(performance.now() - startedAt),
    }),
  )
  handleRequest(context, request, response).catch((error: Error) => {
    onError(error)
    if (!response.headersSent)
      sendRpcError(response, 500, -32_603, `Internal error in Footlight (${requestId}); see its log.`)
    else response.end()
  })
}

function trackSockets(server: NodeServer): ReadonlySet<Socket> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    if (sockets.size >= SOCKET_LIMIT) return void socket.destroy()
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return sockets
}

const listen = (server: NodeServer, { host, port }: HttpOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })

function endpointOf({ host, publicUrl, origins }: HttpOptions, port: number): Endpoint {
  const loopback = loopbackNamesOf(port)
  const publicHosts = publicUrl === undefined ? [] : [new URL(publicUrl).host.toLowerCase()]
  // Every host name is accepted if every request is authenticated, which it is unless the host is loopback.
  const isAnyHostAllowed = !isLoopbackHost(host) && publicHosts.length === 0
  return {
    url: publicUrl?.replace(/\/$/, '') ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    allowed: {
      hosts: isAnyHostAllowed ? undefined : [...loopback.hosts, ...publicHosts],
      origins: [...loopback.origins, ...origins],
    },
  }
}

// The order of the checks is fixed: Host and Origin, then authentication, then rate limits, then the path.
/** Known once the server listens. */
interface Endpoint {
  readonly url: string
  readonly allowed: AllowedHosts
}

interface HandlerContext {
  readonly options: HttpOptions
  readonly connections: Connections
  readonly statelessRequests: StatelessRequests
  /** The tool calls that are not answered yet. */
  readonly calls: Set<Promise<void>>
  readonly endpoint: () => Endpoint
}

const mcpPaths = ['/mcp', '/message']
const METADATA_PATH = '/.well-known/oauth-protected-resource'
const PATH_LIMIT_CHARS = 100

async function handleRequest(
  context: HandlerContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { options, connections, endpoint } = context
  const refusal = findRefusal(
    { hosts: headersOf(request, 'host'), origins: headersOf(request, 'origin'), target: request.url ?? '' },
    endpoint().allowed,
  )
  if (refusal !== undefined) return sendJson(response, 403, { error: refusal })
  const path = pathOf(request)
  if (path === '/health') return sendHealth(options, response, request.url?.endsWith('?live') === true)
  if (path.startsWith(METADATA_PATH)) return sendMetadata(context, response)
  const subject = await identify(context, request, response)
  if (subject === undefined) return
  const caller = {
    subject: options.authenticate ? subject : undefined,
    client: clientFor(options, request, subject),
  }
  const isMcpPath = mcpPaths.includes(path)
  if (request.method === 'POST' && isMcpPath) return servePost(context, request, response, caller)
  if (isRateLimited(options, response, caller.client)) return
  if (path === '/metrics') return sendPlainText(response, options.metrics())
  if (!isMcpPath)
    return sendJson(response, 404, {
      error: `not found: ${path.slice(0, PATH_LIMIT_CHARS)}; MCP clients use /mcp`,
    })
  return connections.serve(request, response, caller)
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?')[0] ?? ''

async function servePost(
  { options, connections, statelessRequests, calls }: HandlerContext,
  request: IncomingMessage,
  response: ServerResponse,
  caller: Parameters<Connections['serve']>[2],
): Promise<void> {
  const body = await readBody(request, REQUEST_BODY_LIMIT_BYTES, caller.client)
  const readableBody = typeof body === 'string' ? undefined : body
  if (isRateLimited(options, response, caller.client, readableBody) || body === 'aborted') return
  if (body === 'too large')
    return sendJson(response, 413, { error: `the maximum request size is ${REQUEST_BODY_LIMIT_BYTES} bytes` })
  if (body === 'not JSON') return sendRpcError(response, 400, -32_700, 'Parse error: the body is not JSON.')
  const refusal = refuseTooManyValues(body.value)
  if (refusal) return sendJson(response, 400, refusal)
  if (body.messages.some(isToolCall)) trackCall(calls, response)
  const { serve } = isModernRequest(request, body) ? statelessRequests : connections
  await serve(request, response, caller, body)
}

// The subject, or undefined where a refusal has been sent. Failed attempts count for the address that they come from.
async function identify(
  { options, endpoint }: HandlerContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<string | undefined> {
  const { authenticate, issuer } = options
  if (!authenticate) return ''
  const identity = await authenticate(request.headers.authorization)
  if ('subject' in identity) return identity.subject
  if (isRateLimited(options, response, clientFor(options, request))) return undefined
  const { status, error, text } = identity
  const metadata = issuer === undefined ? '' : `, resource_metadata="${endpoint().url}${METADATA_PATH}"`
  response.setHeader(
    'WWW-Authenticate',
    `Bearer error="${error}", error_description="${text}", scope="${SCOPE}"${metadata}`,
  )
  sendJson(response, status, { error, error_description: text })
  return undefined
}

const clientFor = ({ authenticate }: HttpOptions, request: IncomingMessage, subject?: string): string =>
  clientKeyOf(authenticate ? subject : undefined, request.socket.remoteAddress)

const isRateLimited = (
  { limiter }: HttpOptions,
  response: ServerResponse,
  client: string,
  body?: RpcBody,
): boolean => limiter !== undefined && refuseTooMany(response, limiter, client, body)

// A replica that drains or finds no browser gets no clients, and is not restarted either: it may have sessions.
function sendHealth(options: HttpOptions, response: ServerResponse, isLiveness: boolean): void {
  if (isLiveness) return sendJson(response, 200, { status: 'live' })
  const { ok, reason, body } = options.health()
  response.statusMessage = reason
  sendJson(response, ok ? 200 : 503, body)
}

function sendMetadata({ options, endpoint }: HandlerContext, response: ServerResponse): void {
  if (options.issuer === undefined)
    return sendJson(response, 404, { error: 'no authorization server is configured' })
  sendJson(response, 200, {
    resource: `${endpoint().url}/mcp`,
    authorization_servers: [options.issuer],
    scopes_supported: [SCOPE],
    bearer_methods_supported: ['header'],
    resource_name: 'Footlight',
  })
}

// `request.headers` joins repeated headers, but each one must be checked.
function headersOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.flatMap((header, index) =>
    index % 2 === 0 && header.toLowerCase() === name ? [rawHeaders[index + 1] ?? ''] : [],
  )
}

// The rate limits of HTTP clients: what a request asks for is counted here and nowhere else, before it is validated or routed.
const TOOL_CALL_METHOD = 'tools/call'

/** Counts a request of a client with all messages of its body. Returns true after it has answered because there were too many: a call of a
 * tool by a result, so that the model learns how long to wait, everything else by 429. */
function refuseTooMany(
  response: ServerResponse,
  limiter: Pick<RateLimiter, 'checkCalls' | 'checkRequests'>,
  client: string,
  { messages }: Pick<RpcBody, 'messages'> = { messages: [] },
): boolean {
  const calls = messages.filter(isToolCall)
  // A request without a message counts as one.
  const requestCount = messages.length === 0 ? 1 : messages.length - calls.length
  const requestCheck = limiter.checkRequests(client, requestCount)
  const check = requestCheck.ok ? limiter.checkCalls(client, calls.length) : requestCheck
  if (check.ok) return false
  const retryAfterMs = check.error.code === 'RATE_LIMITED' ? check.error.retryAfterMs : 1000
  response.setHeader('Retry-After', String(Math.ceil(retryAfterMs / 1000)))
  const id = messages.length === 1 ? idOfCall(calls[0]) : undefined
  if (id === undefined) sendRpcError(response, 429, -32_000, failureText(check.error))
  else sendJson(response, 200, { jsonrpc: '2.0', id, result: resultOf(check.error) })
  return true
}

// Clients of the legacy era ignore `resultType`, which those of the modern era require.
const resultOf = (failure: Failure) => ({
  resultType: 'complete',
  ...failureResult(failureRecordOf(failure, Date.now())),
})

const isToolCall = (message: unknown): boolean => rpcMethodOf(message) === TOOL_CALL_METHOD

function trackCall(calls: Set<Promise<void>>, response: ServerResponse): void {
  const call = new Promise<void>((resolve) => response.once('close', resolve)).then(
    () => void calls.delete(call),
  )
  calls.add(call)
}

// Undefined for what no client can read the result of.
function idOfCall(message: unknown): string | number | undefined {
  const { id, params } = (message ?? {}) as { id?: unknown; params?: { name?: unknown } }
  if (typeof params?.name !== 'string') return undefined
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}
