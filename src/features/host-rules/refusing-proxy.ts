// The proxy of the browser process itself. It denies requests outside of a session's context, such as the beacon of a page whose context
// is closed.

import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createRefusalResponse } from './http-head.ts'

const IDLE_TIMEOUT_MS = 5000

export interface RefusingProxy {
  readonly port: number
  close(): void
}

export async function openRefusingProxy(): Promise<RefusingProxy> {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    sockets.add(client)
    client.once('close', () => sockets.delete(client))
    client.on('error', () => client.destroy())
    client.setTimeout(IDLE_TIMEOUT_MS, () => client.destroy())
    client.once('data', () => client.end(createRefusalResponse(403, 'this connection belongs to no session')))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
