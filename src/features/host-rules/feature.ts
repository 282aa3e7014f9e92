// Which hosts pages may reach: rules come in, a proxy and a permission for each connection go out.

import type { Feature } from '../../core/tool/feature.ts'

export const hostRulesFeature: Feature = {
  name: 'host-rules',
  async load() {
    const { proxiesOf } = await import('./egress-proxies.ts')
    return { start: ({ settings }) => ({ proxies: proxiesOf(settings) }) }
  },
}
