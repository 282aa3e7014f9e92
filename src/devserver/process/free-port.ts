// Free ports for dev servers, below the ephemeral range of common systems: a server may need seconds until it listens, and until then an
// outgoing connection could take an ephemeral port.

import { randomInt } from 'node:crypto'
import { createServer, type AddressInfo } from 'node:net'
import { hasNoListener } from './process-activity.ts'
import { isWebPort } from '../../core/network/host-rule.ts'

/** Resolves to a port of loopback on which nothing listens. */
export type FindFreePort = () => Promise<number>

const FIRST_PORT = 25_000
const LAST_PORT = 31_999
const ATTEMPTS = 100

/** Servers that start at the same time get different ports; those of other processes most likely do. The first is after `lastPort`. */
export function createFreePortFinder(lastPort = randomInt(FIRST_PORT, LAST_PORT)): FindFreePort {
  let next = lastPort
  const takeNext = () => {
    next = next === LAST_PORT ? FIRST_PORT : next + 1
    return next
  }
  return async () => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const port = takeNext()
      if (isWebPort(port) && (await isPortFree(port))) return port
    }
    return findPortOfSystem()
  }
}

export function isPortFree(port: number): boolean | Promise<boolean> {
  const isFree = hasNoListener(port)
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
