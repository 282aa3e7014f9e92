// Which hosts a page may reach. A rule is a host, `*.host` or an address, with or without `:port`. Decisions are made on the
// canonical host that `new URL` gives, never on what was written, and again on each address that a name resolves to.

import { canonicalizeAddress, addressKindOf, type AddressKind } from './ip-address.ts'
import { isMetadataHost } from './cloud-metadata.ts'
import { isWebPort } from './web-ports.ts'
import { canonicalizeHost, type HostRule } from './host-rule.ts'

export interface HostPolicy {
  /** One list for each who has a say, the process and the session; a host must be on all of them. Without a list every public host is allowed. */
  readonly lists: readonly (readonly HostRule[])[]
  /** Whether private places are refused that no rule names. */
  readonly blocksPrivate: boolean
  /** Always allowed: the session's dev server, and what the user has granted. */
  readonly grants: readonly Grant[]
  /** Ports of ours, which no page may reach at any address of this machine. */
  readonly ownPorts: readonly number[]
  /** The addresses of this machine, beside loopback. */
  readonly machineAddresses: readonly string[]
  /** The places about which the user may be asked. */
  readonly promptableKinds: readonly AddressKind[]
}

export interface Origin {
  readonly host: string
  readonly port: number
}

/** With addresses it holds for this very host, and only while its name leads to these. */
export interface Grant extends Origin {
  readonly addresses?: readonly string[]
}

/** Why not, in words for the caller. A user may be asked about it where `promptable` says so. */
export interface Denial extends Origin {
  readonly rule: string
  readonly promptable: boolean
}

/** What an origin is before its name is resolved: a denial, or undefined where nothing speaks against it yet. */
export function checkOrigin(origin: Origin, policy: HostPolicy): Denial | undefined {
  const { host, port } = origin
  const deny = (rule: string, promptable = false): Denial => ({ host, port, rule, promptable })
  const kind = hostKindOf(host)
  if (isOwnPort(port, host, policy)) return deny(OWN_PORT_RULE)
  if (kind === 'metadata') return deny(REFUSAL_REASONS.metadata)
  if (policy.grants.some((grant) => coversOrigin(grant, origin))) return undefined
  if (kind && kind !== 'public') {
    const isNamed = policy.lists.length > 0 && policy.lists.every((list) => namesHost(list, host, port))
    if (!isNamed && policy.blocksPrivate)
      return deny(REFUSAL_REASONS[kind], policy.promptableKinds.includes(kind))
  }
  const refusingList = policy.lists.find((list) => !allowsHost(list, host, port))
  if (!refusingList)
    return policy.lists.length > 0 || isWebPort(port)
      ? undefined
      : deny(`port ${port} is not allowed for web pages`)
  const rules = refusingList.filter((rule) => matchesHost(rule, host))
  if (rules.length > 0) return deny(`port ${port} is not allowed for this host`)
  return deny('the host is not in the allow-list', policy.promptableKinds.includes(kind ?? 'public'))
}

/** Whether an address may be dialled for this host: none that lies in a guarded place, unless the host was named or granted. */
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

/** What holds whatever was listed or granted. */
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

/** Whether the user may be asked about a host that leads to this address. */
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

/** What a host is by itself: undefined for a name that has to be resolved. */
export const hostKindOf = (host: string): AddressKind | undefined => {
  if (isMetadataHost(host)) return 'metadata'
  return isLocalhostName(host) ? 'loopback' : addressKindOf(host)
}

/** Whether an address is one of this machine. */
export const isMachineAddress = (
  address: string,
  { machineAddresses }: Pick<HostPolicy, 'machineAddresses'>,
): boolean => addressKindOf(address) === 'loopback' || includesAddress(machineAddresses, address)

/** What grants an origin while its name leads to these addresses; the usual names of this machine stand for each other. */
export const createGrant = (origin: Origin, addresses: readonly string[]): Grant =>
  LOOPBACK_HOSTS.includes(origin.host) ? origin : { ...origin, addresses }

/** Whether an origin is granted at certain addresses only. */
export const isGrantedByAddress = (origin: Origin, { grants }: HostPolicy): boolean =>
  grants.some((grant) => grant.addresses !== undefined && coversOrigin(grant, origin))

/** The origin that a URL's request goes to; ports that a scheme implies are filled in. */
export function originOf(url: URL): Origin {
  const defaultPort = url.protocol === 'https:' || url.protocol === 'wss:' ? 443 : 80
  return { host: canonicalizeHost(url.hostname), port: url.port === '' ? defaultPort : Number(url.port) }
}

// --- internal ---

const REFUSAL_REASONS: Record<Exclude<AddressKind, 'public'>, string> = {
  loopback: 'a loopback address of this machine',
  private: 'a private network',
  metadata: "a cloud's metadata service",
  special: 'a special-purpose address',
}

const OWN_PORT_RULE = 'a port of Footlight itself'

const isOwnPort = (port: number, host: string, policy: HostPolicy): boolean =>
  policy.ownPorts.includes(port) && (hostKindOf(host) === 'loopback' || isMachineAddress(host, policy))

const includesAddress = (addresses: readonly string[], address: string): boolean =>
  addresses.some((candidate) => canonicalizeAddress(candidate) === canonicalizeAddress(address))

/** Whether a host is this machine by its name. */
export const isLocalhostName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost')

/** Where such a name leads, whatever the machine's own table says (RFC 6761). */
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

// A private place is allowed only by a rule that names it as it is, not by a wildcard.
const namesHost = (list: readonly HostRule[], host: string, port: number): boolean =>
  list.some(
    (rule) =>
      !rule.isWildcard &&
      rule.host === host &&
      (rule.port === undefined ? isWebPort(port) : rule.port === port),
  )
