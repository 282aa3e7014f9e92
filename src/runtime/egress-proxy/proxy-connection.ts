// One connection of a page: its request is read, judged, and joined with what it asked for. Nothing is read twice and nothing reused.

import type { Socket } from 'node:net'
import type { Dialled } from './dial.ts'
import type { Denial, Origin } from '../../core/network/host-rules.ts'
import {
  HEAD_END,
  parseRequestHead,
  createRefusalResponse,
  rewriteResponseHead,
  type RequestHead,
} from '../../core/network/http-head.ts'

export interface Connection {
  dial(origin: Origin): Promise<Dialled>
  denied(url: string, denial: Denial): void
  unreachable(origin: Origin, text: string): void
}

const LONGEST_HEAD = 65_536
const IDLE = 300_000

export async function serveConnection(
  client: Socket,
  { dial, denied, unreachable }: Connection,
): Promise<void> {
  client.on('error', () => client.destroy())
  client.setTimeout(IDLE, () => client.destroy())
  const read = await readHead(client)
  const request = read && parseRequestHead(read.head)
  if (!read || !request)
    return void client.end(createRefusalResponse(502, 'not a request that is served here'))
  const dialled = await dial(request.origin)
  if ('denial' in dialled) {
    denied(request.url, dialled.denial)
    return void client.end(
      createRefusalResponse(403, `${request.url} is not allowed: ${dialled.denial.rule}`),
    )
  }
  if ('unreachable' in dialled) {
    unreachable(request.origin, dialled.unreachable)
    return void client.end(createRefusalResponse(502, dialled.unreachable))
  }
  join(client, dialled.socket, request, read.rest)
}

function join(client: Socket, server: Socket, request: RequestHead, rest: Buffer): void {
  const end = () => {
    client.destroy()
    server.destroy()
  }
  server.on('error', end)
  client.on('close', () => server.destroy())
  server.on('close', () => client.end())
  server.setTimeout(IDLE, end)
  if (request.isTunnel) client.write('HTTP/1.1 200 Connection established\r\n\r\n')
  else server.write(request.forwardedHead)
  if (rest.length > 0) server.write(rest)
  client.pipe(server)
  if (request.isTunnel) server.pipe(client)
  else void passResponse(server, client, end)
}

async function passResponse(server: Socket, client: Socket, fail: () => void): Promise<void> {
  let before: Buffer | undefined
  for (;;) {
    const read = await readHead(server, before)
    if (!read) return fail()
    const { text, interim } = rewriteResponseHead(read.head)
    client.write(text, 'latin1')
    before = read.rest
    if (interim) continue
    if (before.length > 0) client.write(before)
    server.pipe(client)
    return
  }
}

// Bytes up to the empty line, as latin1, and what came after it. Undefined where it ends or grows too long before.
function readHead(
  socket: Socket,
  before: Buffer = Buffer.alloc(0),
): Promise<{ head: string; rest: Buffer } | undefined> {
  return new Promise((done) => {
    let got = before
    const give = (result: { head: string; rest: Buffer } | undefined) => {
      socket.off('data', more)
      socket.off('close', ended)
      socket.pause()
      done(result)
    }
    const look = () => {
      const end = got.indexOf(HEAD_END)
      if (end >= 0) give({ head: got.toString('latin1', 0, end), rest: got.subarray(end + HEAD_END.length) })
      else if (got.length > LONGEST_HEAD) give(undefined)
      return end >= 0
    }
    const more = (chunk: Buffer) => {
      got = Buffer.concat([got, chunk])
      look()
    }
    const ended = () => give(undefined)
    if (look()) return
    socket.on('data', more)
    socket.on('close', ended)
    socket.resume()
  })
}
