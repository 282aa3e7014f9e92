// Whether a page shows the code as it is now: files, builds and restarts of the server come in, a verdict goes out.

import type { Feature } from '../../core/tool/feature.ts'

export const freshnessFeature: Feature = {
  name: 'freshness',
  load: async () => ({
    extended: [(await import('./tool.ts')).getSessionStatus],
    watchServer: async (...server) => (await import('./watch-server.ts')).watchServer(...server),
  }),
}
