// Streamable HTTP. The order of what is asked of a request is fixed: who is named as host and origin, then who sends it, then what it
// wants.

import { randomUUID } from 'node:crypto'
import { createServer as createWebServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { sendJson, plainText, rpcError } from './http-answers.ts'
import { SCOPE, type Authenticate } from './authentication.ts'
import { createConnections, LARGEST_BODY } from './connections.ts'
import type { Limiter } from '../calls/rate-limiter.ts'
import { methodOf, readBody } from './request-body.ts'
import { refuseTooMany } from './too-many-requests.ts'
import { clientKeyOf } from '../../core/network/client-key.ts'
import {
  loopbackNames,
  isLoopbackHost,
  findRefusal,
  type AllowedHosts,
} from '../../core/network/http-guard.ts'

export interface HttpOptions {
  readonly host: string
  readonly port: number
  /** Undefined: everyone on this machine may use it, each with sessions of their own. */
  readonly authenticate: Authenticate | undefined
  readonly issuer?: string | undefined
  /** How clients reach this server, where that is not its own address. */
  readonly publicUrl?: string | undefined
  readonly origins: readonly string[]
  /** A server for one MCP session of this owner; what is asked of it counts for the client. */
  readonly create: (owner: string, client: string) => Server
  /** Counts what is no call of a tool; those are counted where they run. */
  readonly limiter?: Pick<Limiter, 'checkRequests'>
  readonly health: () => { readonly ok: boolean; readonly body: object }
  readonly metrics: () => string
  readonly onRequest: (event: {
    requestId: string
    method: string
    path: string
    status: number
    ms: number
  }) => void
  readonly onError: (error: Error) => void
}

export interface HttpServer {
  readonly url: string
  /** The one that it listens on, which is not always that of its url. */
  readonly port: number
  /** Takes no new connections and ends the ones that there are. */
  close(): Promise<void>
}

const paths = ['/mcp', '/message']
const METADATA = '/.well-known/oauth-protected-resource'
const CALL = 'tools/call'
const MOST_SOCKETS = 4000

export async function serveHttp(options: HttpOptions): Promise<HttpServer> {
  const { host, authenticate, onRequest, onError } = options
  const connections = createConnections(options.create, onError)
  const sockets = new Set<Socket>()
  let allowed: AllowedHosts = { hosts: [], origins: [] }
  let address = ''

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refused = findRefusal(
      { hosts: headersOf(request, 'host'), origins: headersOf(request, 'origin'), target: request.url ?? '' },
      allowed,
    )
    if (refused !== undefined) return sendJson(response, 403, { error: refused })
    const path = (request.url ?? '').split('?')[0] ?? ''
    if (path === '/health') return health(response)
    if (path.startsWith(METADATA)) return metadata(response)
    const subject = await identify(request, response)
    if (subject === undefined) return
    const caller = { subject: authenticate ? subject : undefined, client: clientFor(request, subject) }
    const posted = request.method === 'POST' && paths.includes(path)
    if (!posted && isTooMany(response, caller.client, 1)) return
    if (path === '/metrics') return plainText(response, options.metrics())
    if (!paths.includes(path))
      return sendJson(response, 404, {
        error: `not found: ${path.slice(0, 100)}; MCP clients use /mcp`,
      })
    if (!posted) return connections.serve(request, response, caller)
    const body = await readBody(request, LARGEST_BODY)
    const others = typeof body === 'string' ? 1 : body.messages.filter((one) => methodOf(one) !== CALL).length
    if (isTooMany(response, caller.client, others) || body === 'broken off') return
    if (body === 'too large')
      return sendJson(response, 413, { error: `the maximum request size is ${LARGEST_BODY} bytes` })
    if (body === 'no JSON') return rpcError(response, 400, -32_700, 'Parse error: the body is not JSON.')
    await connections.serve(request, response, caller, body)
  }

  const clientFor = (request: IncomingMessage, subject?: string): string =>
    clientKeyOf(authenticate ? subject : undefined, request.socket.remoteAddress)

  const isTooMany = (response: ServerResponse, client: string, requests: number): boolean =>
    options.limiter !== undefined && refuseTooMany(response, options.limiter, client, requests)

  // The subject, or undefined where the refusal has been sent. Guesses count for the address that they come from.
  async function identify(request: IncomingMessage, response: ServerResponse): Promise<string | undefined> {
    if (!authenticate) return ''
    const identity = await authenticate(request.headers.authorization)
    if ('subject' in identity) return identity.subject
    if (isTooMany(response, clientFor(request), 1)) return undefined
    const { status, error, text: told } = identity
    const known = options.issuer === undefined ? '' : `, resource_metadata="${address}${METADATA}"`
    response.setHeader(
      'WWW-Authenticate',
      `Bearer error="${error}", error_description="${told}", scope="${SCOPE}"${known}`,
    )
    sendJson(response, status, { error, error_description: told })
    return undefined
  }

  function health(response: ServerResponse): void {
    const { ok, body } = options.health()
    sendJson(response, ok ? 200 : 503, body)
  }

  function metadata(response: ServerResponse): void {
    if (options.issuer === undefined)
      return sendJson(response, 404, { error: 'no authorization server is configured' })
    sendJson(response, 200, {
      resource: `${address}/mcp`,
      authorization_servers: [options.issuer],
      scopes_supported: [SCOPE],
      bearer_methods_supported: ['header'],
      resource_name: 'Footlight',
    })
  }

  const web = createWebServer(
    {
      maxHeaderSize: 32_768,
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 1000,
    },
    (request, response) => {
      const since = performance.now()
      const requestId = randomUUID()
      response.setHeader('X-Request-Id', requestId)
      response.once('close', () => {
        const path = (request.url ?? '').split('?')[0]?.slice(0, 100) ?? ''
        onRequest({
          requestId,
          method: request.method ?? '',
          path,
          status: response.statusCode,
          ms: Math.round(performance.now() - since),
        })
      })
      handle(request, response).catch((error: Error) => {
        onError(error)
        if (!response.headersSent)
          rpcError(response, 500, -32_603, `Internal error in Footlight (${requestId}); see its log.`)
        else response.end()
      })
    },
  )
  web.on('connection', (socket: Socket) => {
    if (sockets.size >= MOST_SOCKETS) return void socket.destroy()
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    web.once('error', reject)
    web.listen(options.port, host, resolve)
  })
  const { port } = web.address() as AddressInfo
  const own = loopbackNames(port)
  address =
    options.publicUrl?.replace(/\/$/, '') ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const named = options.publicUrl === undefined ? [] : [new URL(options.publicUrl).host.toLowerCase()]
  const everywhere = !isLoopbackHost(host) && named.length === 0
  allowed = {
    hosts: everywhere ? undefined : [...own.hosts, ...named],
    origins: [...own.origins, ...options.origins],
  }

  return {
    url: address,
    port,
    async close() {
      const closed = new Promise<void>((resolve) => web.close(() => resolve()))
      await connections.end()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

// --- internal ---

function headersOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.flatMap((header, index) =>
    index % 2 === 0 && header.toLowerCase() === name ? [rawHeaders[index + 1] ?? ''] : [],
  )
}
