// One connection of a page: reads its request, checks it, and connects it to the server. A connection serves one request.

import type { Socket } from 'node:net'
import type { DialResult } from './dial.ts'
import type { Denial, Origin } from '../../core/network/host-rules.ts'
import {
  HEAD_END,
  parseRequestHead,
  createRefusalResponse,
  rewriteResponseHead,
  type RequestHead,
} from '../../core/network/http-head.ts'

export interface ConnectionHandlers {
  /** Through a tunnel, the bytes of several requests may pass. */
  dial(origin: Origin, isTunnel: boolean): Promise<DialResult>
  onDenied(url: string, denial: Denial): void
  onConnectError(origin: Origin, text: string): void
}

const HEAD_LIMIT_BYTES = 65_536
const IDLE_TIMEOUT_MS = 300_000

export async function serveConnection(
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
