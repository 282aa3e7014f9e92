// Rules about several options together.

import process from 'node:process'
import type { Settings } from './options.ts'
import { isLoopbackHost } from '../../core/network/http-guard.ts'

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
  findHttpConflict(settings) ?? findRemoteConflict(settings)

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
  const { connect, cdpEndpoint, allowedHosts, askHosts, privateHosts } = settings
  if (connect === undefined && cdpEndpoint === undefined) return undefined
  if (connect !== undefined && cdpEndpoint !== undefined)
    return '--connect and --cdp-endpoint cannot be combined'
  const hasHostRules =
    allowedHosts !== undefined || askHosts || (isHttpTransport(settings) && privateHosts === 'block')
  return hasHostRules
    ? 'host rules require a browser on this machine: omit --allowed-hosts and --ask-hosts and pass --private-hosts allow, or omit --connect and --cdp-endpoint'
    : undefined
}
