// Proxies as companies have them: one that answers for every host itself, and one that speaks SOCKS 5. They say what they were asked for.

import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'

export interface Proxy {
  readonly port: number
  /** As `GET http://host/`, `CONNECT host:443` or `SOCKS host:80`. */
  readonly asked: readonly string[]
  close(): void
}

const PAGE = '<!doctype html><title>Through the proxy</title>'

export async function serveHttpProxy(): Promise<Proxy> {
  const asked: string[] = []
  const server = createHttpServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE)
  })
  server.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url}`)
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
  })
  return listen(server, asked)
}

export async function serveSocksProxy(): Promise<Proxy> {
  const asked: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', () => {
      socket.write(Buffer.from([5, 0]))
      socket.once('data', (request: Buffer) => {
        const isName = request[3] === 3
        const end = isName ? 5 + (request[4] ?? 0) : 8
        const host = isName ? request.subarray(5, end).toString() : [...request.subarray(4, end)].join('.')
        asked.push(`SOCKS ${host}:${request.readUInt16BE(end)}`)
        socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
        const head = `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: ${PAGE.length}`
        socket.once('data', () => socket.end(`${head}\r\nconnection: close\r\n\r\n${PAGE}`))
      })
    })
  })
  return listen(server, asked)
}

async function listen(server: Server, asked: readonly string[]): Promise<Proxy> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, asked, close: () => void server.close() }
}
