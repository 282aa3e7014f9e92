// Accessibility, web vitals, layout and errors of a page, worst first, with refs and sources.

import type { Feature } from '../../core/tool/feature.ts'
import { verb } from '../../core/tool/verb.ts'

export const auditFeature: Feature = {
  name: 'audit',
  after: ['emulate', 'sources'],
  async load() {
    const { audit } = await import('./tool.ts')
    return {
      groups: { audit: [audit] },
      verbs: [verb('audit', audit, '', '', '--since edit')],
    }
  },
}
