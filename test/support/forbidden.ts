// A server that no page may reach.

import { createSocket } from 'node:dgram'
import { type AddressInfo, createServer } from 'node:net'
import { until } from './leftovers.ts'

/** A server that notes every connection and packet, whatever is spoken. */
export async function forbidden() {
  const seen: string[] = []
  let open = 0
  const server = createServer((socket) => {
    seen.push('connection')
    open += 1
    socket.on('close', () => (open -= 1))
    socket.on('error', () => {})
    socket.on('data', (data) => {
      seen.push(String(data).split('\r\n')[0] ?? '')
      socket.end(
        'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nAccess-Control-Allow-Origin: *\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok',
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const packets = createSocket('udp4')
  packets.on('message', () => seen.push('packet'))
  await new Promise<void>((resolve) => packets.bind(port, '127.0.0.1', resolve))
  return {
    port,
    seen,
    url: `http://127.0.0.1:${port}`,
    /** Whether all that came is over. */
    quiet: () => until(() => open === 0),
    close() {
      server.close()
      packets.close()
    },
  }
}

export type Forbidden = Awaited<ReturnType<typeof forbidden>>
