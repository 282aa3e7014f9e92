// Whether a page shows the code as it is now: files, builds and restarts of the server come in, a verdict goes out.

import type { Feature } from '../../core/tool/feature.ts'

export const freshnessFeature: Feature = {
  name: 'freshness',
  async load() {
    const { addFreshness } = await import('./session-freshness.ts')
    return { session: addFreshness }
  },
}
