// Which hosts a page may reach. A rule is a host, `*.host` or an address, with or without `:port`. Decisions are made on the
// canonical host of `new URL`, never on the original spelling, and again on each address that a name resolves to.

import { canonicalizeHost, type HostRule, isWebPort } from './host-rule.ts'
import { type AddressKind, addressKindOf, canonicalizeAddress } from './ip-address.ts'

export interface HostPolicy {
  /** The lists of the process and of the session; a host must be on all of them. Without a list every public host is allowed. */
  readonly lists: readonly (readonly HostRule[])[]
  /** Whether private addresses are refused unless a rule names them. */
  readonly blocksPrivate: boolean
  /** Always allowed: the session's dev server, and what the user has granted. */
  readonly grants: readonly Grant[]
  /** Ports of Footlight itself, which no page may reach at any address of this machine. */
  readonly ownPorts: readonly number[]
  /** The addresses of this machine, except loopback. */
  readonly machineAddresses: readonly string[]
  /** The kinds of addresses for which the user may be asked. */
  readonly promptableKinds: readonly AddressKind[]
}

export interface Origin {
  readonly host: string
  readonly port: number
}

/** With `addresses` it applies to exactly this host, and only while its name resolves to these. */
export interface Grant extends Origin {
  readonly addresses?: readonly string[]
}

/** Why an origin is refused, as a phrase for the caller. `promptable`: the user may be asked for permission; `list`: the rules that it is not
 * in. */
export interface Denial extends Origin {
  readonly rule: string
  readonly promptable: boolean
  readonly list?: readonly HostRule[]
}

/** Checks an origin before its name is resolved; returns a denial, or undefined if its addresses may be checked. */
export function checkOrigin(origin: Origin, policy: HostPolicy): Denial | undefined {
  const { host, port } = origin
  const deny = (rule: string, promptable = false): Denial => ({ host, port, rule, promptable })
  const kind = hostKindOf(host)
  if (isOwnPort(port, host, policy)) return deny(OWN_PORT_RULE)
  if (kind === 'metadata') return deny(REFUSAL_REASONS.metadata)
  if (policy.grants.some((grant) => coversOrigin(grant, origin))) return undefined
  if (kind && kind !== 'public') {
    const list = policy.lists.find((rules) => !namesHost(rules, host, port))
    const isNamed = policy.lists.length > 0 && !list
    if (!isNamed && policy.blocksPrivate) {
      const denial = deny(REFUSAL_REASONS[kind], policy.promptableKinds.includes(kind))
      return list ? { ...denial, list } : denial
    }
  }
  const refusingList = policy.lists.find((list) => !allowsHost(list, host, port))
  if (!refusingList)
    return policy.lists.length > 0 || !policy.blocksPrivate || isWebPort(port)
      ? undefined
      : deny(`port ${port} is not allowed for web pages`)
  const rules = refusingList.filter((rule) => matchesHost(rule, host))
  if (rules.length > 0) return { ...deny(`port ${port} is not allowed for this host`), list: refusingList }
  const isPromptable = policy.promptableKinds.includes(kind ?? 'public')
  return { ...deny('the host is not in the allow-list', isPromptable), list: refusingList }
}

/** Checks an address before a connection: private ones are refused unless the host was named or granted. */
export function checkAddress(origin: Origin, address: string, policy: HostPolicy): Denial | undefined {
  const denial = checkForbiddenAddress(origin, address, policy)
  if (denial) return denial
  const deny = (rule: string, promptable = false): Denial => ({ ...origin, rule, promptable })
  const grants = policy.grants.filter((grant) => coversOrigin(grant, origin))
  if (grants.some(({ addresses }) => !addresses || includesAddress(addresses, address))) return undefined
  if (grants.length > 0) return deny(`it resolves to ${address}, not to an address that was allowed`, true)
  const kind = addressKindOf(address) ?? 'special'
  if (kind === 'public' || !policy.blocksPrivate) return undefined
  if (addressKindOf(origin.host) || (isLocalhostName(origin.host) && kind === 'loopback')) return undefined
  return deny(`it resolves to ${address}, ${REFUSAL_REASONS[kind]}`)
}

/** The checks that no list and no grant overrides. */
export function checkForbiddenAddress(
  origin: Origin,
  address: string,
  policy: HostPolicy,
): Denial | undefined {
  const deny = (rule: string): Denial => ({ ...origin, rule, promptable: false })
  const kind = addressKindOf(address)
  if (kind === undefined) return deny('its address cannot be parsed')
  if (isOwnPort(origin.port, address, policy)) return deny(OWN_PORT_RULE)
  return kind === 'metadata' ? deny(`it resolves to ${address}, ${REFUSAL_REASONS.metadata}`) : undefined
}

/** Returns undefined if the user may be asked about a host that resolves to this address, else a denial. */
export function checkPromptableAddress(
  origin: Origin,
  address: string,
  policy: HostPolicy,
): Denial | undefined {
  const denial = checkForbiddenAddress(origin, address, policy)
  const kind = addressKindOf(address) ?? 'special'
  if (denial || kind === 'public' || policy.promptableKinds.includes(kind)) return denial
  return { ...origin, rule: `it resolves to ${address}, ${REFUSAL_REASONS[kind]}`, promptable: false }
}

/** The kind of a host without resolving it; undefined for a name that has to be resolved. */
export const hostKindOf = (host: string): AddressKind | undefined => {
  if (isMetadataHost(host)) return 'metadata'
  return isLocalhostName(host) ? 'loopback' : addressKindOf(host)
}

export const isMachineAddress = (
  address: string,
  { machineAddresses }: Pick<HostPolicy, 'machineAddresses'>,
): boolean => addressKindOf(address) === 'loopback' || includesAddress(machineAddresses, address)

/** A grant for an origin while its name resolves to these addresses. The loopback names are interchangeable, so they need none. */
export const createGrant = (origin: Origin, addresses: readonly string[]): Grant =>
  LOOPBACK_HOSTS.includes(origin.host) ? origin : { ...origin, addresses }

/** Whether an origin is granted at certain addresses only. */
export const isGrantedByAddress = (origin: Origin, { grants }: HostPolicy): boolean =>
  grants.some((grant) => grant.addresses !== undefined && coversOrigin(grant, origin))

/** The host and port of a URL, with the default port of its scheme. */
export function originOf(url: URL): Origin {
  const defaultPort = url.protocol === 'https:' || url.protocol === 'wss:' ? 443 : 80
  return { host: canonicalizeHost(url.hostname), port: url.port === '' ? defaultPort : Number(url.port) }
}

const REFUSAL_REASONS: Record<Exclude<AddressKind, 'public'>, string> = {
  loopback: 'a loopback address of this machine',
  private: 'a private network',
  'link-local': 'a link-local address',
  metadata: "a cloud's metadata service",
  special: 'a special-purpose address',
}

const OWN_PORT_RULE = 'a port of Footlight itself'

const isOwnPort = (port: number, host: string, policy: HostPolicy): boolean =>
  policy.ownPorts.includes(port) && (hostKindOf(host) === 'loopback' || isMachineAddress(host, policy))

const includesAddress = (addresses: readonly string[], address: string): boolean =>
  addresses.some((candidate) => canonicalizeAddress(candidate) === canonicalizeAddress(address))

export const isLocalhostName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost')

/** The addresses of such a name, whatever the hosts file says (RFC 6761). */
export const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1'] as const

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '::1']

const isSameOrigin = (a: Origin, b: Origin): boolean =>
  a.port === b.port &&
  (a.host === b.host || (LOOPBACK_HOSTS.includes(a.host) && LOOPBACK_HOSTS.includes(b.host)))

const coversOrigin = (grant: Grant, origin: Origin): boolean =>
  grant.addresses ? grant.host === origin.host && grant.port === origin.port : isSameOrigin(grant, origin)

const matchesHost = (rule: HostRule, host: string): boolean =>
  rule.isWildcard ? host.endsWith(`.${rule.host}`) : host === rule.host

const allowsHost = (list: readonly HostRule[], host: string, port: number): boolean =>
  list.some(
    (rule) => matchesHost(rule, host) && (rule.port === undefined ? isWebPort(port) : rule.port === port),
  )

// A private address is allowed only by a rule without a wildcard.
const namesHost = (list: readonly HostRule[], host: string, port: number): boolean =>
  list.some(
    (rule) =>
      !rule.isWildcard &&
      rule.host === host &&
      (rule.port === undefined ? isWebPort(port) : rule.port === port),
  )

// Host names of the metadata services of clouds, which serve credentials. They are refused before they are resolved; other names are
// refused by their addresses.
const METADATA_HOSTS = [
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
  'metadata.azure.com',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
  'metadata.oraclecloud.com',
  'metadata.packet.net',
  'metadata.platformequinix.com',
  'metadata.digitalocean.com',
  'metadata.scaleway.com',
  'metadata.cloud.ibm.com',
  'rancher-metadata',
]

/** Whether a canonical host is one of these names or a subdomain of one. */
const isMetadataHost = (host: string): boolean =>
  METADATA_HOSTS.some((name) => host === name || host.endsWith(`.${name}`))
