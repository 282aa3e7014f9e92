// The proxy of one session: checks each request of its pages against the host rules, the grants and the resolved addresses.

import { type AddressInfo, createServer, type Socket } from 'node:net'
import {
  checkOrigin,
  type Denial,
  type Grant,
  type Origin,
  originOf,
} from '../../core/base/network/host-rules.ts'
import type { EgressProxy, EgressProxyHooks, LimitTransfer } from '../../core/sessions/types/egress-proxy.ts'
import { dial, type DialResult, resolveBySystem, type ResolveHost } from './dial.ts'
import { createPolicy, type OwnPorts, type PolicyBase } from './host-policy.ts'
import {
  createRefusalResponse,
  HEAD_END,
  parseRequestHead,
  type RequestHead,
  rewriteResponseHead,
} from './http-head.ts'
import { inspectOrigin } from './inspect-origin.ts'

const CONNECTION_LIMIT = 256
const CONNECT_ERROR_LIMIT = 100

export async function openEgressProxy(
  base: PolicyBase,
  { reserve }: Pick<OwnPorts, 'reserve'>,
  resolve: ResolveHost = resolveBySystem,
  hooks: EgressProxyHooks,
): Promise<EgressProxy> {
  const grants = createGrants()
  const denials: Denial[] = []
  const sockets = new Set<Socket>()
  const transferLimits = createTransferLimits()
  const connectErrors = createConnectErrors()
  const createCurrentPolicy = ({ port }: Origin) => createPolicy(base, grants.listFor(port))
  const recordDenial = (url: string, denial: Denial) => {
    denials.push(denial)
    hooks.onDenied(url, denial)
  }
  const server = createServer({ noDelay: true }, (client) => {
    if (sockets.size >= CONNECTION_LIMIT) return void client.destroy()
    sockets.add(client)
    client.once('close', () => sockets.delete(client))
    const serve = serveConnection(client, {
      async dial(origin, isTunnel) {
        const result = await dial(origin, createCurrentPolicy(origin), resolve)
        if ('socket' in result) transferLimits.add(origin, result.socket, isTunnel)
        return result
      },
      onDenied: recordDenial,
      onConnectError: connectErrors.add,
    })
    serve.catch(() => client.destroy())
  })
  await new Promise<void>((onListening) => server.listen(0, '127.0.0.1', onListening))
  const { port } = server.address() as AddressInfo
  const release = reserve(port)
  return {
    address: `http://127.0.0.1:${port}`,
    check: (url) => checkOrigin(originOf(new URL(url)), createCurrentPolicy(originOf(new URL(url)))),
    findDenial: (origin, since) =>
      denials.slice(since).findLast((entry) => entry.host === origin.host && entry.port === origin.port),
    findConnectError: connectErrors.find,
    denialCount: () => denials.length,
    inspect(url) {
      const origin = originOf(new URL(url))
      return inspectOrigin(origin, () => createCurrentPolicy(origin), resolve)
    },
    grant: grants.add,
    limitTransfer: transferLimits.limit,
    close() {
      release()
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

// --- internal ---

function createGrants() {
  const grants: (Grant & { readonly expiresAt: number; readonly isValid: () => boolean })[] = []
  return {
    add: (grant: Grant, ms = Infinity, isValid = () => true) =>
      void grants.push({ ...grant, expiresAt: performance.now() + ms, isValid }),
    // Only the grants of this port are checked, because the check of one may be slow.
    listFor: (port: number): readonly Grant[] =>
      grants.filter((grant) => grant.port === port && grant.expiresAt > performance.now() && grant.isValid()),
  }
}

function createConnectErrors() {
  const errors: (Origin & { text: string })[] = []
  return {
    add(origin: Origin, text: string): void {
      errors.unshift({ ...origin, text })
      errors.splice(CONNECT_ERROR_LIMIT)
    },
    find: ({ host, port }: Origin): string | undefined =>
      errors.find((entry) => entry.host === host && entry.port === port)?.text,
  }
}

// One connection of a page: reads its request, checks it, and connects it to the server. A connection serves one request.
interface ConnectionHandlers {
  /** Through a tunnel, the bytes of several requests may pass. */
  dial(origin: Origin, isTunnel: boolean): Promise<DialResult>
  onDenied(url: string, denial: Denial): void
  onConnectError(origin: Origin, text: string): void
}

const HEAD_LIMIT_BYTES = 65_536
const IDLE_TIMEOUT_MS = 300_000

async function serveConnection(
  client: Socket,
  { dial, onDenied, onConnectError }: ConnectionHandlers,
): Promise<void> {
  client.on('error', () => client.destroy())
  client.setTimeout(IDLE_TIMEOUT_MS, () => client.destroy())
  const read = await readHead(client)
  const request = read && parseRequestHead(read.head)
  if (!read || !request)
    return void client.end(createRefusalResponse(502, 'not a request that is served here'))
  const connection = await dial(request.origin, request.isTunnel)
  if ('denial' in connection) {
    onDenied(request.url, connection.denial)
    return void client.end(
      createRefusalResponse(403, `${request.url} is not allowed: ${connection.denial.rule}`),
    )
  }
  if ('unreachable' in connection) {
    onConnectError(request.origin, connection.unreachable)
    return void client.end(createRefusalResponse(502, connection.unreachable))
  }
  connectSockets(client, connection.socket, request, read.rest)
}

function connectSockets(client: Socket, server: Socket, request: RequestHead, rest: Buffer): void {
  const destroyBoth = () => {
    client.destroy()
    server.destroy()
  }
  server.on('error', destroyBoth)
  client.on('close', () => server.destroy())
  server.on('close', () => client.end())
  server.setTimeout(IDLE_TIMEOUT_MS, destroyBoth)
  if (request.isTunnel) client.write('HTTP/1.1 200 Connection established\r\n\r\n')
  else server.write(request.forwardedHead)
  if (rest.length > 0) server.write(rest)
  client.pipe(server)
  if (request.isTunnel) server.pipe(client)
  else void forwardResponse(server, client, destroyBoth)
}

async function forwardResponse(server: Socket, client: Socket, fail: () => void): Promise<void> {
  let buffered: Buffer | undefined
  for (;;) {
    const read = await readHead(server, buffered)
    if (!read) return fail()
    const { text, interim } = rewriteResponseHead(read.head)
    client.write(text, 'latin1')
    buffered = read.rest
    if (interim) continue
    if (buffered.length > 0) client.write(buffered)
    server.pipe(client)
    return
  }
}

// The bytes up to the empty line, as latin1, and those after it; undefined if the socket closes or the head exceeds its limit before.
function readHead(
  socket: Socket,
  buffered: Buffer = Buffer.alloc(0),
): Promise<{ head: string; rest: Buffer } | undefined> {
  return new Promise((resolve) => {
    let received = buffered
    const settle = (result: { head: string; rest: Buffer } | undefined) => {
      socket.off('data', onData)
      socket.off('close', onClose)
      socket.pause()
      resolve(result)
    }
    const parse = () => {
      const end = received.indexOf(HEAD_END)
      if (end >= 0)
        settle({ head: received.toString('latin1', 0, end), rest: received.subarray(end + HEAD_END.length) })
      else if (received.length > HEAD_LIMIT_BYTES) settle(undefined)
      return end >= 0
    }
    const onData = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      parse()
    }
    const onClose = () => settle(undefined)
    if (parse()) return
    socket.on('data', onData)
    socket.on('close', onClose)
    socket.resume()
  })
}

// Ends connections that bring more than they may, for downloads in a browser that cannot cancel them.
interface TransferLimits {
  /** Registers an open connection; one that is no tunnel brings one response. */
  add(origin: Origin, socket: Socket, isTunnel: boolean): void
  readonly limit: LimitTransfer
}

interface Connection {
  readonly origin: Origin
  readonly socket: Socket
  readonly isTunnel: boolean
}

function createTransferLimits(): TransferLimits {
  const connections = new Set<Connection>()
  const limits = new Set<(connection: Connection) => void>()
  return {
    add(origin, socket, isTunnel) {
      const connection = { origin, socket, isTunnel }
      connections.add(connection)
      socket.once('close', () => connections.delete(connection))
      for (const apply of limits) apply(connection)
    },
    limit(url, maximumBytes, onExceeded) {
      const limited = originOf(new URL(url))
      let isActive = true
      const apply = ({ origin, socket, isTunnel }: Connection) => {
        if (origin.host !== limited.host || origin.port !== limited.port) return
        // A tunnel may have brought other responses before.
        const bytesBefore = isTunnel ? socket.bytesRead : 0
        const check = () => {
          const bytes = socket.bytesRead - bytesBefore
          if (!isActive || bytes <= maximumBytes) return
          onExceeded(bytes)
          socket.destroy()
        }
        // A listener would start a connection that nobody reads yet, and its first bytes would be lost.
        if (socket.readableFlowing) socket.on('data', check)
        else socket.once('resume', () => socket.on('data', check))
      }
      limits.add(apply)
      connections.forEach(apply)
      return () => {
        isActive = false
        limits.delete(apply)
      }
    },
  }
}
