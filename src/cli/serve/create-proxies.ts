import type { Settings } from '../options/options.ts'
import { parseHostRules, type HostRule } from '../../core/network/host-rule.ts'
import { createEgressProxies } from '../../runtime/egress-proxy/egress-proxies.ts'
import type { EgressProxies } from '../../runtime/ports/egress-proxy.ts'

/** The egress proxies with the host rules of the options. */
export const createProxies = (settings: Settings, isHttp: boolean): EgressProxies =>
  createEgressProxies({
    list: settings.allowedHosts === undefined ? undefined : readRules(settings.allowedHosts),
    blocksPrivate: isHttp && settings.privateHosts === 'block',
    allowsPrivate: settings.privateHosts === 'allow',
    asksUser: settings.askHosts,
    isRemote: isHttp,
    guardsOwnPorts: isHttp && canUseProxy(settings),
    hasUserProxy: settings.proxyServer !== undefined,
  })

// A browser on another machine cannot reach the proxy, and one behind the proxy of the user uses that one.
const canUseProxy = ({ connect, cdpEndpoint, proxyServer }: Settings): boolean =>
  connect === undefined && cdpEndpoint === undefined && proxyServer === undefined

// The option's schema has validated the text.
function readRules(text: string): readonly HostRule[] {
  const rules = parseHostRules(text)
  return rules.ok ? rules.value : []
}
