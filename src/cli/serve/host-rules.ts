// The network boundary that the options ask for.

import type { Settings } from '../options/options.ts'
import { parseHostRules, type HostRule } from '../../core/network/host-rules.ts'
import { createEgressProxies } from '../../runtime/egress-proxy/egress-proxies.ts'
import type { EgressProxies } from '../../runtime/ports/egress-proxy.ts'

export const gatesOf = (settings: Settings, http: boolean): EgressProxies =>
  createEgressProxies({
    list: settings.allowedHosts === undefined ? undefined : rulesIn(settings.allowedHosts),
    guarded: http && settings.privateHosts === 'block',
    open: settings.privateHosts === 'allow',
    ask: settings.askHosts,
    remote: http,
  })

// Checked when the settings were read.
function rulesIn(text: string): readonly HostRule[] {
  const rules = parseHostRules(text)
  return rules.ok ? rules.value : []
}
