// What a failing call brings: the page, console, requests, server lines, picture, the closest elements.

import type { Feature } from '../../core/tool/feature.ts'

export const evidenceFeature: Feature = {
  name: 'evidence',
  after: ['freshness', 'sources'],
  load: async () => ({ onPage: (await import('./failure-view.ts')).createFailureView }),
}
