// Streamable HTTP on a node:http server.

import { randomUUID } from 'node:crypto'
import {
  createServer as createNodeServer,
  type IncomingMessage,
  type Server as NodeServer,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createConnections } from './connections.ts'
import { sendRpcError } from './http-answers.ts'
import type { HttpOptions, HttpServer } from './http-options.ts'
import { handleRequest, pathOf, type Endpoint, type HandlerContext } from './request-handler.ts'
import { createStatelessRequests } from './stateless-requests.ts'
import { isLoopbackHost, loopbackNamesOf } from '../../core/network/http-guard.ts'

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
  const context: HandlerContext = { options, connections, statelessRequests, endpoint: () => endpoint }
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
