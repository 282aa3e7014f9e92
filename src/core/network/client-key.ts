// Who limits are counted for: the subject of a token, else the address that a request comes from. A new connection changes neither.

import { parseAddress } from './ip-address.ts'

/** The key of a client. `address` is that of the connection: what a header says of it could be made up. */
export const clientKeyOf = (subject: string | undefined, address: string | undefined): string =>
  subject === undefined ? `address:${addressKeyOf(address ?? '')}` : `user:${subject}`

// Whoever has one IPv6 address has the 2^64 beside it.
function addressKeyOf(address: string): string {
  const bytes = parseAddress(address)
  if (bytes === undefined) return address
  const isMappedIpv4 =
    bytes.length === 16 && bytes.every((byte, index) => byte === (index < 10 ? 0 : 255) || index > 11)
  if (bytes.length === 4 || isMappedIpv4) return bytes.slice(-4).join('.')
  const hex = bytes.slice(0, 8).map((byte) => byte.toString(16).padStart(2, '0'))
  return `${hex.join('')}/64`
}
