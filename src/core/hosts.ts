// Which hosts a page may reach. A rule is a host, `*.host` or an address, with or without `:port`. Decisions are made on the
// canonical host that `new URL` gives, never on what was written, and again on each address that a name resolves to.

import { placeOf, type Place } from './address.ts'
import { err, ok, type Result } from './result.ts'

export interface Rule {
  readonly host: string
  /** Whether it stands for the hosts below it. */
  readonly wild: boolean
  readonly port?: number
}

export interface HostPolicy {
  /** One list for each who has a say, the process and the session; a host must be on all of them. Without a list every public host is allowed. */
  readonly lists: readonly (readonly Rule[])[]
  /** Whether private places are refused that no rule names. */
  readonly guarded: boolean
  /** Always allowed: the session's dev server, and what the user has granted. */
  readonly granted: readonly Origin[]
  /** Ports of ours, which no page may reach. */
  readonly own: readonly number[]
}

export interface Origin {
  readonly host: string
  readonly port: number
}

/** Why not, in words for the caller. A user may be asked about it where `promptable` says so. */
export interface Denial extends Origin {
  readonly rule: string
  readonly promptable: boolean
}

/** The host of a URL as rules see it: lower case, punycode, no brackets, no last dot. */
export const canonicalHost = (hostname: string): string =>
  hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')

export function parseRule(text: string): Result<Rule, string> {
  const given = text.trim()
  const wild = given.startsWith('*.')
  const rest = wild ? given.slice(2) : given
  const bare = rest.includes(':') && !rest.includes('[') && rest.split(':').length > 2 ? `[${rest}]` : rest
  const url =
    /^[^/\s?#@*]+$/.test(bare) && URL.canParse(`http://${bare}/`) ? new URL(`http://${bare}/`) : undefined
  if (!url)
    return err(
      `expected a host, *.host or an address, with or without :port; received ${JSON.stringify(text)}`,
    )
  const port = /:(\d+)$/.exec(bare.replace(/^\[.*\]/, ''))?.[1]
  const host = canonicalHost(url.hostname)
  return ok({ host, wild, ...(port !== undefined && { port: Number(port) }) })
}

/** The rules of a text, with commas or spaces between them. */
export function parseRules(text: string): Result<readonly Rule[], string> {
  const rules = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(parseRule)
  const wrong = rules.find((rule) => !rule.ok)
  return wrong && !wrong.ok ? wrong : ok(rules.flatMap((rule) => (rule.ok ? [rule.value] : [])))
}

/** What an origin is before its name is resolved: a denial, or undefined where nothing speaks against it yet. */
export function judge({ host, port }: Origin, policy: HostPolicy): Denial | undefined {
  const deny = (rule: string, promptable = false): Denial => ({ host, port, rule, promptable })
  if (policy.granted.some((one) => sameOrigin(one, { host, port }))) return undefined
  const place = isLocalName(host) ? 'loopback' : placeOf(host)
  if (policy.own.includes(port) && place === 'loopback') return deny('a port of Footlight itself')
  if (place && place !== 'public') {
    const named =
      place !== 'metadata' && policy.lists.length > 0 && policy.lists.every((list) => names(list, host, port))
    if (!named && policy.guarded) return deny(refusal[place], place === 'private')
  }
  const missing = policy.lists.find((list) => !allows(list, host, port))
  if (!missing)
    return policy.lists.length > 0 || usualPort(port) ? undefined : deny(`port ${port} is not for web pages`)
  const rules = missing.filter((rule) => matches(rule, host))
  if (rules.length > 0) return deny(`port ${port} is not allowed for this host`)
  return deny('the host is not on the list', true)
}

/** Whether an address may be dialled for this host: none that lies in a guarded place, unless the host was named or granted. */
export function judgeAddress(origin: Origin, address: string, policy: HostPolicy): Denial | undefined {
  const place = placeOf(address)
  if (place === 'public' || !policy.guarded)
    return place === 'metadata' ? { ...origin, rule: refusal.metadata, promptable: false } : undefined
  if (place === undefined) return { ...origin, rule: 'its address cannot be read', promptable: false }
  const known =
    policy.granted.some((one) => sameOrigin(one, origin)) || isLocalName(origin.host) || placeOf(origin.host)
  if (known && place !== 'metadata') return undefined
  return { ...origin, rule: `it resolves to ${address}, ${refusal[place]}`, promptable: false }
}

/** The origin that a URL's request goes to; ports that a scheme implies are filled in. */
export function originOf(url: URL): Origin {
  const usual = url.protocol === 'https:' || url.protocol === 'wss:' ? 443 : 80
  return { host: canonicalHost(url.hostname), port: url.port === '' ? usual : Number(url.port) }
}

// --- internal ---

const refusal: Record<Exclude<Place, 'public'>, string> = {
  loopback: 'this machine itself',
  private: 'a private network',
  metadata: "a cloud's metadata service",
  special: 'an address that is no host',
}

const isLocalName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost')

const localNames = ['localhost', '127.0.0.1', '::1']

const sameOrigin = (a: Origin, b: Origin): boolean =>
  a.port === b.port && (a.host === b.host || (localNames.includes(a.host) && localNames.includes(b.host)))

const matches = (rule: Rule, host: string): boolean =>
  rule.wild ? host.endsWith(`.${rule.host}`) : host === rule.host

const allows = (list: readonly Rule[], host: string, port: number): boolean =>
  list.some((rule) => matches(rule, host) && (rule.port === undefined ? usualPort(port) : rule.port === port))

// A private place is allowed only by a rule that names it as it is, not by a wildcard.
const names = (list: readonly Rule[], host: string, port: number): boolean =>
  list.some(
    (rule) =>
      !rule.wild && rule.host === host && (rule.port === undefined ? usualPort(port) : rule.port === port),
  )

// Databases, caches and control ports above 1024, to which a browser could be made to speak.
const services = new Set([
  1433, 1521, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 4222, 4369, 5432, 5433, 5672, 5984, 6379, 6380, 6443,
  7000, 7001, 7199, 7474, 7687, 8086, 9000, 9042, 9092, 9200, 9300, 10250, 10255, 11211, 15672, 25672, 26257,
  27017, 27018, 28015, 50000, 61616,
])

const usualPort = (port: number): boolean =>
  port === 80 || port === 443 || (port >= 1024 && !services.has(port))
