// Connects to a host: its name is resolved once, every address is checked, and the socket connects to a checked address, so that DNS
// rebinding has no effect.

import { lookup } from 'node:dns/promises'
import { connect, type Socket } from 'node:net'
import {
  checkAddress,
  checkOrigin,
  type Denial,
  type HostPolicy,
  isLocalhostName,
  LOOPBACK_ADDRESSES,
  type Origin,
} from '../../core/base/network/host-rules.ts'
import { addressKindOf } from '../../core/base/network/ip-address.ts'

export type ResolveHost = (host: string) => Promise<readonly string[]>

export type DialResult =
  { readonly socket: Socket } | { readonly denial: Denial } | { readonly unreachable: string }

const CONNECT_TIMEOUT_MS = 10_000

export const resolveBySystem: ResolveHost = async (host) => {
  if (addressKindOf(host) !== undefined) return [host]
  if (isLocalhostName(host)) return LOOPBACK_ADDRESSES
  const records = await lookup(host, { all: true })
  return records.map(({ address }) => address)
}

/** The addresses of a host; undefined if its name cannot be resolved. */
export const resolveAddresses = async (
  host: string,
  resolve: ResolveHost,
): Promise<readonly string[] | undefined> => {
  const addresses = await resolve(host).catch(() => undefined)
  return addresses?.length ? addresses : undefined
}

export async function dial(origin: Origin, policy: HostPolicy, resolve: ResolveHost): Promise<DialResult> {
  const originDenial = checkOrigin(origin, policy)
  if (originDenial) return { denial: originDenial }
  const addresses = await resolveAddresses(origin.host, resolve)
  if (!addresses) return { unreachable: `${origin.host} was not found` }
  for (const address of addresses) {
    const denial = checkAddress(origin, address, policy)
    if (denial) return { denial }
  }
  for (const address of addresses) {
    const socket = await connectTo(address, origin.port)
    if (socket) return { socket }
  }
  return { unreachable: `${origin.host}:${origin.port} refused the connection` }
}

function connectTo(host: string, port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, noDelay: true })
    const settle = (result: Socket | undefined) => {
      socket.removeAllListeners()
      if (!result) socket.destroy()
      resolve(result)
    }
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => settle(undefined))
    socket.once('error', () => settle(undefined))
    socket.once('connect', () => {
      socket.setTimeout(0)
      settle(socket)
    })
  })
}
