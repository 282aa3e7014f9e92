// Whether a page shows the code as it is now: files, builds and restarts of the server come in, a verdict goes out.

import type { Feature } from '../../core/tool/feature.ts'

export const freshnessFeature: Feature = {
  name: 'freshness',
  async load() {
    const [{ getSessionStatus }, { addFreshness }] = await Promise.all([
      import('./tool.ts'),
      import('./session-freshness.ts'),
    ])
    return {
      session: addFreshness,
      extended: [getSessionStatus],
      watchServer: async (...server) => (await import('./watch-server.ts')).watchServer(...server),
    }
  },
}
