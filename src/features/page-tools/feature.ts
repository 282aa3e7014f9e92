// Tools that a page offers to agents (WebMCP).

import type { Feature } from '../../core/tool/feature.ts'
import { verb } from '../../core/tool/verb.ts'

export const pageToolsFeature: Feature = {
  name: 'page-tools',
  async load() {
    const { pageTools, snapshot } = await import('./tool.ts')
    const { createPageTools, launchForTools } = await import('./page-tools.ts')
    return {
      start: ({ isListed }) =>
        isListed(pageTools.name)
          ? { launch: () => launchForTools, session: () => ({ pageHooks: { offersTools: true } }) }
          : {},
      onPage: createPageTools,
      extended: [snapshot],
      otherTools: [pageTools],
      verbs: [verb('page-tools', pageTools, '[NAME] [INPUT]', '', `add '{"a":1,"b":2}'`)],
    }
  },
}
