// The key under which rate limits are counted: the subject of a token, else the remote address. A new connection does not change it.

import { parseAddress } from './ip-address.ts'

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
