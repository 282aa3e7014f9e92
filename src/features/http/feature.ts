// Serves MCP over HTTP, with authentication, limits and metrics.

import type { Feature } from '../../core/tool/feature.ts'

export const httpFeature: Feature = {
  name: 'http',
  async load() {
    const { createMetrics } = await import('./metrics.ts')
    return {
      start() {
        const metrics = createMetrics()
        return {
          onCall: metrics.count,
          serveHttp: async (server) => (await import('./serve-http.ts')).serveOverHttp(server, metrics),
        }
      },
    }
  },
}
