// Serves MCP over HTTP, with authentication, limits and metrics.

import type { Feature } from '../../core/tool/feature.ts'
import { accessOf, describeIgnored, entries, findConflict } from './settings.ts'

export const httpFeature: Feature = {
  name: 'http',
  options: [{ group: 'HTTP', before: 'socket', isForServing: true, entries }],
  findConflict,
  describeIgnored,
  accessOf,
  async load() {
    const { createMetrics } = await import('./metrics.ts')
    return {
      start() {
        const metrics = createMetrics()
        return {
          onCall: metrics.count,
          serveClients: async (server) => (await import('./serve-http.ts')).serveOverHttp(server, metrics),
        }
      },
    }
  },
}
