// What a failing call brings: the page, console, requests, server lines, picture, the closest elements.

import * as v from 'valibot'
import { oneOf } from '../../core/cli/options/option-schemas.ts'
import type { SettingsOf } from '../../core/cli/options/options.ts'
import type { Feature } from '../../core/tool/feature.ts'

const entries = {
  evidence: {
    schema: v.optional(oneOf('full', 'text', 'none')),
    value: 'KIND',
    about: 'evidence in failing calls: full (with the screenshot), text, none',
    byDefault: 'full, by client',
  },
} as const

declare module '../../core/cli/options/options.ts' {
  interface Settings extends SettingsOf<typeof entries> {}
}

declare module '../../core/sessions/types/session-options.ts' {
  interface SessionManagerOptions extends Partial<SettingsOf<typeof entries>> {}
}

export const evidenceFeature: Feature = {
  name: 'evidence',
  after: ['freshness', 'sources'],
  options: [{ group: 'Tools', before: 'testIdAttribute', entries }],
  async load() {
    const [{ createFailureView }, { gatherEvidence }, { createEvidenceImages }] = await Promise.all([
      import('./failure-view.ts'),
      import('./failure-evidence.ts'),
      import('./page-view.ts'),
    ])
    return {
      start: ({ settings }) => (settings.evidence === 'full' ? { formChanges: { images: 'all' } } : {}),
      onPage: createFailureView,
      session: ({ folder, options, ports: { clock } }) => ({
        members: { images: createEvidenceImages(folder) },
        afterFailure: ({ session, failure, call }) =>
          gatherEvidence(
            session,
            failure,
            { ...call, maximumPixels: call.maximumPixels ?? Infinity, mode: options.evidence },
            clock,
          ).catch(() => undefined),
      }),
    }
  },
}
