// Ports for servers that are told where to listen. They are below those that the kernel gives to others, so no connection and no server at
// port 0 takes one between its reservation and its use, and below those that Footlight gives to dev servers.

import { createServer } from 'node:net'

const FIRST_PORT = 20_000
const BLOCK_PORTS = 20
const BLOCKS = 250

const claim = { nextPort: 0, endPort: 0 }

/** A port of 127.0.0.1 where nothing listens, and that no other test gets, in this process or in another one. */
export async function reservePort(): Promise<number> {
  for (;;) {
    if (claim.nextPort === claim.endPort) await claimBlock()
    const port = claim.nextPort
    claim.nextPort += 1
    if (await listenOnce(port)) return port
  }
}

// --- internal ---

// A process has a block for itself as long as it listens on the first port of it.
async function claimBlock(): Promise<void> {
  const start = Math.floor(Math.random() * BLOCKS)
  for (let offset = 0; offset < BLOCKS; offset += 1) {
    const guardPort = FIRST_PORT + ((start + offset) % BLOCKS) * BLOCK_PORTS
    if (!(await listen(guardPort))) continue
    claim.nextPort = guardPort + 1
    claim.endPort = guardPort + BLOCK_PORTS
    return
  }
  throw new Error(`no free ports from ${FIRST_PORT} on`)
}

async function listenOnce(port: number): Promise<boolean> {
  const server = await listen(port)
  if (server) await new Promise((resolve) => server.close(resolve))
  return server !== undefined
}

function listen(port: number) {
  const server = createServer().unref()
  return new Promise<typeof server | undefined>((resolve) => {
    server.once('error', () => resolve(undefined))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(server))
  })
}
