// From a host to a connection: its name is resolved once, every address is judged, and only what was judged is dialled, so that a name
// cannot lead elsewhere a moment later.

import { lookup } from 'node:dns/promises'
import { connect, type Socket } from 'node:net'
import { addressKindOf } from '../../core/network/ip-address.ts'
import {
  isLocalhostName,
  checkOrigin,
  checkAddress,
  LOOPBACK_ADDRESSES,
  type Denial,
  type HostPolicy,
  type Origin,
} from '../../core/network/host-rules.ts'

export type Resolve = (host: string) => Promise<readonly string[]>

export type Dialled =
  { readonly socket: Socket } | { readonly denial: Denial } | { readonly unreachable: string }

const PATIENCE = 10_000

export const systemResolve: Resolve = async (host) => {
  if (addressKindOf(host) !== undefined) return [host]
  if (isLocalhostName(host)) return LOOPBACK_ADDRESSES
  const found = await lookup(host, { all: true })
  return found.map(({ address }) => address)
}

/** The addresses of a host; undefined where its name leads nowhere. */
export const addressesOf = async (host: string, resolve: Resolve): Promise<readonly string[] | undefined> => {
  const found = await resolve(host).catch(() => undefined)
  return found?.length ? found : undefined
}

export async function dial(origin: Origin, policy: HostPolicy, resolve: Resolve): Promise<Dialled> {
  const refused = checkOrigin(origin, policy)
  if (refused) return { denial: refused }
  const addresses = await addressesOf(origin.host, resolve)
  if (!addresses) return { unreachable: `${origin.host} was not found` }
  for (const address of addresses) {
    const denial = checkAddress(origin, address, policy)
    if (denial) return { denial }
  }
  for (const address of addresses) {
    const socket = await reach(address, origin.port)
    if (socket) return { socket }
  }
  return { unreachable: `${origin.host}:${origin.port} refused the connection` }
}

function reach(host: string, port: number): Promise<Socket | undefined> {
  return new Promise((done) => {
    const socket = connect({ host, port, noDelay: true })
    const give = (result: Socket | undefined) => {
      socket.removeAllListeners()
      if (!result) socket.destroy()
      done(result)
    }
    socket.setTimeout(PATIENCE, () => give(undefined))
    socket.once('error', () => give(undefined))
    socket.once('connect', () => {
      socket.setTimeout(0)
      give(socket)
    })
  })
}
