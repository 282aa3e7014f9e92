// Free ports for dev servers, below the ephemeral range of common systems: a server may need seconds until it listens, and until then an
// outgoing connection could take an ephemeral port.

import { randomInt } from 'node:crypto'
import { type AddressInfo, createServer } from 'node:net'
import { isWebPort } from '../../base/network/host-rule.ts'
import { hasNoListener } from './process-activity.ts'

/** Resolves to a port of loopback on which nothing listens. */
export type FindFreePort = () => Promise<number>

const FIRST_PORT = 25_000
const LAST_PORT = 31_999
const ATTEMPTS = 100
/** Some commands have further servers at PORT + 1 and after it. */
const GAP = 10

/** Servers that start at the same time get different ports with a gap between them; those of other processes most likely do. The first is
 * after `lastPort`. */
export function createFreePortFinder(lastPort = randomInt(FIRST_PORT, LAST_PORT)): FindFreePort {
  let next = lastPort
  const takeNext = () => {
    next = next + GAP > LAST_PORT ? FIRST_PORT + (next % GAP) : next + GAP
    return next
  }
  return async () => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const port = takeNext()
      if (isWebPort(port) && (await isPortFree(port, port + 1))) return port
    }
    return findPortOfSystem()
  }
}

/** Whether nothing listens on this port; on `next` neither, where that can be read. */
export function isPortFree(port: number, ...next: readonly number[]): boolean | Promise<boolean> {
  const isFree = hasNoListener(port, ...next)
  if (isFree !== undefined) return isFree
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

// --- internal ---

function findPortOfSystem(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
