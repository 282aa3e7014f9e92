// Which hosts pages may reach: rules come in, a proxy and a permission for each connection go out.

import { userProxyConflict } from '../../core/base/network/user-proxy.ts'
import type { Feature } from '../../core/tool/feature.ts'

export const hostRulesFeature: Feature = {
  name: 'host-rules',
  async load() {
    const { proxiesOf } = await import('./egress-proxies.ts')
    const { allowedDomainsFields } = await import('./allowed-domains.ts')
    return {
      start: ({ settings }) => ({ proxies: proxiesOf(settings) }),
      sessionFields: allowedDomainsFields,
      refuseSession: ({ allowedHosts }, { proxies }) =>
        allowedHosts && proxies.hasUserProxy ? userProxyConflict : undefined,
    }
  },
}
