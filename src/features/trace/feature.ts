// Files that a browser writes of a page: a trace for Playwright's viewer, a PDF.

import * as v from 'valibot'
import { ok } from '../../core/base/result.ts'
import { defineSessionFields } from '../../core/sessions/tools/session-fields.ts'
import type { Feature } from '../../core/tool/feature.ts'
import { verb } from '../../core/tool/verb.ts'

export const traceFeature: Feature = {
  name: 'trace',
  async load() {
    const { pdf, trace } = await import('./tool.ts')
    return {
      sessionFields: defineSessionFields({
        before: 'report',
        entries: { trace: v.optional(v.picklist(['off', 'on', 'on-failure'])) },
        read: ({ trace: mode }) => ok({ request: { trace: mode } }),
      }),
      otherTools: [trace, pdf],
      verbs: [
        verb('trace', trace, 'ACTION', 'start', 'stop'),
        verb('pdf', pdf, '[PATH]', 'page.pdf', '--raw', {
          read: ([path]) => (path === undefined ? {} : { path }),
        }),
      ],
    }
  },
}
