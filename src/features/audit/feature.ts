// Accessibility, web vitals, layout and errors of a page, worst first, with refs and sources.

import type { Feature } from '../../core/tool/feature.ts'
import { verb } from '../../core/tool/verb.ts'

export const auditFeature: Feature = {
  name: 'audit',
  after: ['emulate', 'sources'],
  async load() {
    const [{ audit }, { createAuditHistory }] = await Promise.all([
      import('./tool.ts'),
      import('./audit-history.ts'),
    ])
    return {
      session: () => ({ members: { audits: createAuditHistory() } }),
      otherTools: [audit],
      verbs: [verb('audit', audit, '', '', '--since edit')],
    }
  },
}
