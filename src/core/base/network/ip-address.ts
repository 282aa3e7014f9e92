// Network addresses as bytes, and their kinds. Nothing is matched on text prefixes, because an address has many spellings; an IPv4
// address embedded in an IPv6 one (mapped, compatible, NAT64, 6to4, Teredo) is extracted first.

export type AddressKind = 'public' | 'loopback' | 'private' | 'link-local' | 'metadata' | 'special'

/** The kind of an address in its text form, as returned by `new URL` or a resolver; undefined if it is not an address. */
export function addressKindOf(text: string): AddressKind | undefined {
  const bytes = parseAddress(text)
  return bytes && (bytes.length === 4 ? kindOfIpv4(bytes) : kindOfIpv6(bytes))
}

/** The four or sixteen bytes of an address, or undefined. */
export function parseAddress(text: string): readonly number[] | undefined {
  const unbracketed = text.replace(/^\[|\]$/g, '')
  return unbracketed.includes(':') ? parseIpv6(unbracketed) : parseIpv4(unbracketed)
}

/** A canonical spelling for comparison; an IPv4 address mapped into IPv6 equals itself. */
export function canonicalizeAddress(text: string): string {
  const bytes = parseAddress(text) ?? []
  const isMappedIpv4 = bytes.length === 16 && isInRange(bytes, '::ffff:0:0', 96)
  return (isMappedIpv4 ? bytes.slice(12) : bytes).join('.')
}

// --- internal ---

function parseIpv4(text: string): readonly number[] | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256))
    return undefined
  return parts.map(Number)
}

function parseIpv6(text: string): readonly number[] | undefined {
  const [withoutZone = ''] = text.split('%')
  const embeddedIpv4 = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(withoutZone)
  const ipv4Bytes = embeddedIpv4 ? parseIpv4(embeddedIpv4[2] ?? '') : undefined
  if (embeddedIpv4 && !ipv4Bytes) return undefined
  const hexText = ipv4Bytes
    ? `${embeddedIpv4?.[1] ?? ''}${(((ipv4Bytes[0] ?? 0) << 8) | (ipv4Bytes[1] ?? 0)).toString(16)}:${(((ipv4Bytes[2] ?? 0) << 8) | (ipv4Bytes[3] ?? 0)).toString(16)}`
    : withoutZone
  const halves = hexText.split('::')
  if (halves.length > 2) return undefined
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')))
  const [head = [], tail = []] = groups
  const zeroGroupCount = 8 - head.length - tail.length
  if (halves.length === 1 ? head.length !== 8 : zeroGroupCount < 1) return undefined
  const expandedGroups = [
    ...head,
    ...(halves.length === 2 ? Array<string>(zeroGroupCount).fill('0') : []),
    ...tail,
  ]
  if (!expandedGroups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined
  return expandedGroups.flatMap((group) => [
    Number.parseInt(group, 16) >> 8,
    Number.parseInt(group, 16) & 255,
  ])
}

type AddressRange = readonly [network: string, bits: number, kind: AddressKind]

// The IANA registries of special addresses, and the addresses of the metadata services of clouds.
const IPV4_RANGES: readonly AddressRange[] = [
  // AWS, GCP, Azure and most others, at .169.254; AWS at .170.2 and .170.23, Tencent at .0.23, Scaleway at .42.42.
  ['169.254.0.0', 16, 'metadata'],
  // Alibaba, Azure; Oracle is below.
  ['100.100.100.200', 32, 'metadata'],
  ['168.63.129.16', 32, 'metadata'],
  ['127.0.0.0', 8, 'loopback'],
  ['0.0.0.0', 8, 'loopback'],
  ['10.0.0.0', 8, 'private'],
  ['172.16.0.0', 12, 'private'],
  ['192.168.0.0', 16, 'private'],
  ['100.64.0.0', 10, 'private'],
  ['192.0.0.192', 32, 'metadata'],
  ['192.0.0.0', 24, 'special'],
  ['192.0.2.0', 24, 'special'],
  ['192.88.99.0', 24, 'special'],
  ['198.18.0.0', 15, 'special'],
  ['198.51.100.0', 24, 'special'],
  ['203.0.113.0', 24, 'special'],
  ['224.0.0.0', 3, 'special'],
]

const IPV6_RANGES: readonly AddressRange[] = [
  // AWS, GCP, Scaleway. Oracle, OpenStack and Vultr end in the IPv4 address.
  ['fd00:ec2::', 32, 'metadata'],
  ['fd20:ce::254', 128, 'metadata'],
  ['fd00:42::42', 128, 'metadata'],
  ['::1', 128, 'loopback'],
  ['::', 128, 'loopback'],
  ['fe80::', 10, 'link-local'],
  ['fc00::', 7, 'private'],
  ['fec0::', 10, 'private'],
  ['ff00::', 8, 'special'],
  ['100::', 64, 'special'],
  ['2001:2::', 48, 'special'],
  ['2001:db8::', 32, 'special'],
  ['3fff::', 20, 'special'],
  ['5f00::', 16, 'special'],
]

/** Ranges of IPv6 addresses that embed an IPv4 address, and its first byte. They are refused unless the embedded address is public. */
const EMBEDDED_IPV4_RANGES: readonly (readonly [network: string, bits: number, at: number])[] = [
  ['::ffff:0:0', 96, 12],
  ['::ffff:0:0:0', 96, 12],
  ['64:ff9b::', 96, 12],
  ['64:ff9b:1::', 48, 12],
  ['2002::', 16, 2],
  ['::', 96, 12],
]

const isInRange = (bytes: readonly number[], network: string, bits: number): boolean => {
  const networkBytes = parseAddress(network) ?? []
  return bytes.every((byte, index) => {
    const bitCount = Math.min(8, Math.max(0, bits - index * 8))
    const mask = (255 << (8 - bitCount)) & 255
    return (byte & mask) === ((networkBytes[index] ?? 0) & mask)
  })
}

const kindInRanges = (bytes: readonly number[], ranges: readonly AddressRange[]): AddressKind =>
  ranges.find(([network, bits]) => isInRange(bytes, network, bits))?.[2] ?? 'public'

const kindOfIpv4 = (bytes: readonly number[]): AddressKind => kindInRanges(bytes, IPV4_RANGES)

function kindOfIpv6(bytes: readonly number[]): AddressKind {
  // In any network an address that ends in 169.254.169.254 is metadata.
  if (isInRange(bytes.slice(12), '169.254.169.254', 32)) return 'metadata'
  const kind = kindInRanges(bytes, IPV6_RANGES)
  if (kind !== 'public') return kind
  // Teredo embeds the address of a server and, inverted, of a client; it has no legitimate use here.
  if (isInRange(bytes, '2001::', 32)) return 'special'
  const embedding = EMBEDDED_IPV4_RANGES.find(([network, bits]) => isInRange(bytes, network, bits))
  return embedding ? kindOfIpv4(bytes.slice(embedding[2], embedding[2] + 4)) : 'public'
}
