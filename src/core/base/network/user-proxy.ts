// The proxy through which the user reaches other machines, as companies have them.

import { invalidParameter } from '../failure.ts'

export interface UserProxy {
  readonly server: string
  readonly scheme: 'http' | 'https' | 'socks4' | 'socks5'
  readonly host: string
  readonly port: number
  /** Hosts that are reached without it, such as `*.example.com`. */
  readonly bypass: readonly string[]
}

const DEFAULT_PORTS = { http: 80, https: 443, socks4: 1080, socks5: 1080 } as const

/** The proxy at `text`, a URL or HOST:PORT, except for `bypass`, hosts with commas or spaces between; undefined if it is none. One that asks
 * for a password is none: browsers would send the password to any server that asks for one. */
export function parseUserProxy(text: string, bypass = ''): UserProxy | undefined {
  const url = text.includes('://') ? text : `http://${text}`
  if (!URL.canParse(url)) return undefined
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(url)
  const scheme = protocol.slice(0, -1)
  const hasMore = username + password + search + hash !== '' || !['', '/'].includes(pathname)
  if (!isScheme(scheme) || hostname === '' || hasMore) return undefined
  const portNumber = Number(port) || DEFAULT_PORTS[scheme]
  return {
    server: `${scheme}://${hostname}:${portNumber}`,
    scheme,
    host: hostname,
    port: portNumber,
    bypass: bypass.split(/[\s,]+/).filter((host) => host !== ''),
  }
}

/** Why a session cannot have host rules behind such a proxy: they check the addresses of names, which only the proxy resolves. */
export const userProxyConflict = invalidParameter(
  'allowedDomains',
  'none while the server has --proxy-server, behind which host rules cannot be checked',
  'host rules',
  'Omit it.',
)

// --- internal ---

const isScheme = (text: string): text is UserProxy['scheme'] => Object.keys(DEFAULT_PORTS).includes(text)
