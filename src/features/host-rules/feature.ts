// Which hosts pages may reach: rules come in, a proxy and a permission for each connection go out.

import * as v from 'valibot'
import { parseHostRules } from '../../core/base/network/host-rule.ts'
import { userProxyConflict } from '../../core/base/network/user-proxy.ts'
import { oneOf, switchOption, textList } from '../../core/cli/options/option-schemas.ts'
import type { SettingFacts, Settings, SettingsOf } from '../../core/cli/options/options.ts'
import type { Feature } from '../../core/tool/feature.ts'

const entries = {
  allowedHosts: {
    schema: v.optional(
      v.pipe(
        textList('a list of hosts'),
        v.check(
          (text) => parseHostRules(text).ok,
          'a list of host, *.host or address, each optionally with :port',
        ),
      ),
    ),
    value: 'LIST',
    about: 'hosts that pages may reach: host, *.host or address, optionally with :port',
    byDefault: 'all',
    also: 'ALLOWED_HOSTS',
  },
  privateHosts: {
    schema: v.optional(oneOf('block', 'allow'), 'block'),
    value: 'WHAT',
    about: 'block, allow: private addresses that no rule lists, when host rules are set',
  },
  askHosts: switchOption(false, 'ask the user about hosts that no rule lists; no response denies'),
} as const

declare module '../../core/cli/options/options.ts' {
  interface Settings extends SettingsOf<typeof entries> {}
}

export const hostRulesFeature: Feature = {
  name: 'host-rules',
  options: [{ group: 'Safety', before: 'ignoreHttpsErrors', entries }],
  findConflict,
  async load() {
    const { proxiesOf } = await import('./egress-proxies.ts')
    const { allowedDomainsFields } = await import('./allowed-domains.ts')
    return {
      start: (start) => ({ proxies: proxiesOf(start) }),
      sessionFields: allowedDomainsFields,
      refuseSession: ({ allowedHosts }, { proxies }) =>
        allowedHosts && proxies.hasUserProxy ? userProxyConflict : undefined,
    }
  },
}

// --- internal ---

/** The proxy that enforces host rules is on this machine's loopback, where a browser elsewhere cannot reach it. They check the addresses that
 * names resolve to, and behind a proxy only the proxy resolves them. */
function findConflict(
  settings: Settings,
  { access, elsewhereFlags: [flag] }: SettingFacts,
): string | undefined {
  const hasRules =
    settings.allowedHosts !== undefined ||
    settings.askHosts ||
    (access !== undefined && settings.privateHosts === 'block')
  if (!hasRules) return undefined
  if (flag !== undefined)
    return `host rules require a browser on this machine: omit --allowed-hosts and --ask-hosts and pass --private-hosts allow, or omit ${flag}`
  return settings.proxyServer === undefined
    ? undefined
    : 'host rules cannot be checked behind --proxy-server: omit it, or omit --allowed-hosts and --ask-hosts and over HTTP pass --private-hosts allow'
}
