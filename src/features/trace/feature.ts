// Files that a browser writes of a page: a trace for Playwright's viewer, a PDF.

import * as v from 'valibot'
import { ok } from '../../core/base/result.ts'
import { whenOption } from '../../core/cli/options/option-schemas.ts'
import type { SettingsOf } from '../../core/cli/options/options.ts'
import { defineSessionFields } from '../../core/sessions/tools/session-fields.ts'
import type { Feature } from '../../core/tool/feature.ts'
import { verb } from '../../core/tool/verb.ts'

const entries = {
  trace: whenOption('record Playwright traces'),
} as const

declare module '../../core/cli/options/options.ts' {
  interface Settings extends SettingsOf<typeof entries> {}
}

declare module '../../core/sessions/types/session-options.ts' {
  interface SessionManagerOptions extends Partial<SettingsOf<typeof entries>> {}
}

declare module '../../core/sessions/types/open-session.ts' {
  interface SessionRequest extends Partial<SettingsOf<typeof entries>> {}
}

export const traceFeature: Feature = {
  name: 'trace',
  options: [{ group: 'Tools', before: 'report', entries }],
  async load() {
    const { pdf, trace } = await import('./tool.ts')
    const { addTrace } = await import('./session-trace.ts')
    const { createTracedPage } = await import('./tracing.ts')
    return {
      onPage: createTracedPage,
      session: addTrace,
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
