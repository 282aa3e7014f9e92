// A server without the features that would make a part of it. Whatever asks for that part is refused: nothing is left out in silence.

import type { EgressProxies } from '../../sessions/types/egress-proxy.ts'
import { hasHostRules, isHttpTransport, remoteFlagsOf } from '../options/option-conflicts.ts'
import type { Settings } from '../options/options.ts'
import { findPart, type ServerParts } from './server-parts.ts'

/** Why these options have no effect without a feature that is not there, or undefined. */
export function findAbsentFeature(settings: Settings, features: readonly ServerParts[]): string | undefined {
  const isAbsent = (key: keyof ServerParts) => findPart(features, key) === undefined
  const [remoteFlag] = remoteFlagsOf(settings)
  const flags = [
    isHttpTransport(settings) && isAbsent('serveHttp') && '--http',
    hasHostRules(settings) &&
      isAbsent('proxies') &&
      'host rules (--allowed-hosts, --ask-hosts, and over HTTP --private-hosts block)',
    isAbsent('remote') && remoteFlag,
    settings.profile !== undefined && isAbsent('states') && '--profile',
    settings.view && isAbsent('createView') && '--view',
  ].filter(Boolean)
  return flags.length === 0 ? undefined : `this build has no feature for ${flags.join(', ')}`
}

/** Pages connect directly. */
export const proxiesWithoutRules = ({ proxyServer }: Settings): EgressProxies => ({
  isAlwaysUsed: false,
  hasUserProxy: proxyServer !== undefined,
  open: async () => undefined,
  createServerAddressCheck: () => undefined,
  openRefusingProxy: () => Promise.reject(new Error('There are no host rules.')),
  reservePort: () => () => {},
  close: () => {},
})
