// What a session did, as an HTML page and Markdown for people: notes of each call come in, files go out when it closes or `report` asks.

import * as v from 'valibot'
import { ok } from '../../core/base/result.ts'
import { whenOption } from '../../core/cli/options/option-schemas.ts'
import type { SettingsOf } from '../../core/cli/options/options.ts'
import { defineSessionFields } from '../../core/sessions/tools/session-fields.ts'
import type { Feature } from '../../core/tool/feature.ts'
import { described } from '../../core/tool/fields.ts'
import { verb } from '../../core/tool/verb.ts'

const entries = {
  report: whenOption('write a report when a session closes'),
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

export const reportFeature: Feature = {
  name: 'report',
  after: ['audit', 'evidence', 'recording', 'sources', 'verify'],
  options: [{ group: 'Tools', entries }],
  innerCommands: { 'report-index': async () => (await import('./report-index.ts')).reportIndexCommand },
  async load() {
    const [{ report }, { addReport }] = await Promise.all([
      import('./tool.ts'),
      import('./session-report.ts'),
    ])
    return {
      tools: [report],
      session: addReport,
      sessionFields: defineSessionFields({
        entries: { report: v.optional(described(v.picklist(['off', 'on', 'on-failure']), 'HTML at close')) },
        read: ({ report: mode }) => ok({ request: { report: mode } }),
      }),
      verbs: [
        verb('report', report, '[PATH]', '', 'reports/', {
          about:
            'Write what the session did as one HTML file, and Markdown beside it. A folder, with a slash: an index of the reports in it.',
        }),
      ],
    }
  },
}
