// Protection of an HTTP server against DNS rebinding. A page in a browser can send requests to this machine, but it cannot forge the
// headers Host and Origin. So both must match exactly, before anything else is read.

import { parseAddress } from './ip-address.ts'

interface IncomingRequest {
  /** Every Host header; there must be one. */
  readonly hosts: readonly string[]
  readonly origins: readonly string[]
  /** The target of the request line. */
  readonly target: string
}

export interface AllowedHosts {
  /** host:port as clients address the server; undefined if any host is accepted because every request is authenticated. */
  readonly hosts: readonly string[] | undefined
  readonly origins: readonly string[]
}

/** Why a request is refused before its body is read, or undefined. */
export function findRefusal(
  { hosts, origins, target }: IncomingRequest,
  allowed: AllowedHosts,
): string | undefined {
  const [host = ''] = hosts
  if (hosts.length !== 1 || host === '') return 'exactly one Host header is expected'
  if (!target.startsWith('/') || target.startsWith('//')) return 'a path is expected'
  if (allowed.hosts && !allowed.hosts.includes(host.toLowerCase()))
    return `the host ${JSON.stringify(host.slice(0, 100))} is not allowed`
  if (origins.length > 1) return 'at most one Origin header is expected'
  const [origin] = origins
  if (origin !== undefined && !allowed.origins.includes(origin))
    return `the origin ${JSON.stringify(origin.slice(0, 100))} is not allowed`
  return undefined
}

/** The Host headers of a server on a loopback port, and the origins of its own pages. */
export function loopbackNamesOf(port: number): { hosts: string[]; origins: string[] } {
  const hosts = ['localhost', '127.0.0.1', '[::1]'].map((name) => `${name}:${port}`)
  return { hosts, origins: hosts.map((host) => `http://${host}`) }
}

export const isLoopbackHost = (host: string): boolean => /^(localhost|127(\.\d+){3}|::1|\[::1\])$/i.test(host)

/** The key of a client. `address` is the address of the connection, because a header could be forged. */
export const clientKeyOf = (subject: string | undefined, address: string | undefined): string =>
  subject === undefined ? `address:${addressKeyOf(address ?? '')}` : `user:${subject}`

// A client with one IPv6 address usually has the whole /64.
function addressKeyOf(address: string): string {
  const bytes = parseAddress(address)
  if (bytes === undefined) return address
  const isMappedIpv4 =
    bytes.length === 16 && bytes.every((byte, index) => byte === (index < 10 ? 0 : 255) || index > 11)
  if (bytes.length === 4 || isMappedIpv4) return bytes.slice(-4).join('.')
  const hex = bytes.slice(0, 8).map((byte) => byte.toString(16).padStart(2, '0'))
  return `${hex.join('')}/64`
}
