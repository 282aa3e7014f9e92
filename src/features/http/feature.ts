// Serves MCP over HTTP, with authentication, limits and metrics.

import type { Feature } from '../../core/tool/feature.ts'

export const httpFeature: Feature = {
  name: 'http',
}
