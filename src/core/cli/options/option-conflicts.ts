// Rules about several options together.

import process from 'node:process'
import { isLoopbackHost } from '../../base/network/http-guard.ts'
import { parseUserProxy, type UserProxy } from '../../base/network/user-proxy.ts'
import type { Settings } from './options.ts'

export const isHttpTransport = ({ transport, http }: Settings): boolean =>
  transport === 'http' || (transport === undefined && http !== undefined)

/** Whether the id of a session is all that a client needs to use it, because clients cannot be told apart. */
export const hasHandles = (settings: Settings): boolean =>
  isHttpTransport(settings) && settings.auth === 'none'

/** Whether calls may omit `sessionId`. The other naming styles require it, as the designs do that they come from. */
export const isSessionOptional = ({ names, implicitSession }: Settings): boolean =>
  names === 'footlight' || implicitSession

/** Why these options cannot be used together, or undefined. */
export const findOptionConflict = (settings: Settings): string | undefined =>
  findHttpConflict(settings) ?? findRemoteConflict(settings) ?? findProxyConflict(settings)

function findHttpConflict(settings: Settings): string | undefined {
  const { host, auth, issuer, audience, tokenFile, publicUrl } = settings
  if (!isHttpTransport(settings)) return undefined
  if (auth === 'none' && !isLoopbackHost(host))
    return `--host ${host} is reachable from other machines: add --auth bearer or --auth oauth`
  if (auth === 'none' && publicUrl !== undefined)
    return '--public-url requires authentication: add --auth bearer or --auth oauth'
  if (auth === 'bearer' && tokenFile === undefined && !process.env['FOOTLIGHT_TOKEN'])
    return '--auth bearer requires --token-file or FOOTLIGHT_TOKEN'
  if (auth === 'oauth' && (issuer === undefined || audience === undefined))
    return '--auth oauth requires --issuer and --audience'
  return undefined
}

// The proxy that enforces host rules is on this machine's loopback, where a browser elsewhere cannot reach it.
function findRemoteConflict(settings: Settings): string | undefined {
  const { grid, gridCapabilities } = settings
  if (gridCapabilities !== undefined && grid === undefined) return '--grid-capabilities requires --grid'
  const [flag, other] = remoteFlagsOf(settings)
  if (flag === undefined)
    return settings.endpointHeader === undefined && settings.endpointHeaderCommand === undefined
      ? undefined
      : 'headers for endpoints require --connect or --cdp-endpoint, or without a command --endpoint-create or --grid'
  if (settings.endpointHeaderCommand !== undefined && !['--connect', '--cdp-endpoint'].includes(flag))
    return `--endpoint-header-command requires --connect or --cdp-endpoint: omit it, or ${flag}`
  if (other !== undefined) return `${flag} and ${other} cannot be combined`
  return hasHostRules(settings)
    ? `host rules require a browser on this machine: omit --allowed-hosts and --ask-hosts and pass --private-hosts allow, or omit ${flag}`
    : undefined
}

/** Host rules check the addresses that names resolve to, and behind a proxy only the proxy resolves them. */
export function findProxyConflict(settings: Settings): string | undefined {
  const { proxyServer, proxyBypass } = settings
  if (proxyServer === undefined)
    return proxyBypass === undefined ? undefined : '--proxy-bypass requires --proxy-server'
  const [flag] = remoteFlagsOf(settings)
  if (flag !== undefined) return `--proxy-server is for browsers that Footlight starts: omit it, or ${flag}`
  return hasHostRules(settings)
    ? 'host rules cannot be checked behind --proxy-server: omit it, or omit --allowed-hosts and --ask-hosts and over HTTP pass --private-hosts allow'
    : undefined
}

/** The options that name browsers elsewhere. */
export const remoteFlagsOf = ({
  connect,
  cdpEndpoint,
  endpointCreate,
  grid,
}: Settings): readonly string[] => [
  ...(connect === undefined ? [] : ['--connect']),
  ...(cdpEndpoint === undefined ? [] : ['--cdp-endpoint']),
  ...(endpointCreate === undefined ? [] : ['--endpoint-create']),
  ...(grid === undefined ? [] : ['--grid']),
]

/** Whether these options restrict the hosts that pages reach. */
export const hasHostRules = (settings: Settings): boolean =>
  settings.allowedHosts !== undefined ||
  settings.askHosts ||
  (isHttpTransport(settings) && settings.privateHosts === 'block')

/** The proxy of the options, if there is one. */
export function userProxyOf({ proxyServer, proxyBypass }: Pick<Settings, 'proxyServer' | 'proxyBypass'>): {
  readonly userProxy?: UserProxy
} {
  const userProxy = proxyServer === undefined ? undefined : parseUserProxy(proxyServer, proxyBypass)
  return userProxy ? { userProxy } : {}
}
