// Emulates devices, networks and media in an open session.

import * as v from 'valibot'
import { ok } from '../../core/base/result.ts'
import { defineSessionFields } from '../../core/sessions/tools/session-fields.ts'
import type { Feature } from '../../core/tool/feature.ts'
import { described, shortText } from '../../core/tool/fields.ts'
import { verb } from '../../core/tool/verb.ts'

export const emulateFeature: Feature = {
  name: 'emulate',
  async load() {
    const { emulate } = await import('./tool.ts')
    const { createEmulation } = await import('./session-emulation.ts')
    return {
      onPage: createEmulation,
      sessionFields: defineSessionFields({
        before: 'ignoreHTTPSErrors',
        entries: {
          device: v.optional(described(shortText, 'iPhone 15')),
          userAgent: v.optional(shortText),
          locale: v.optional(shortText),
          timezone: v.optional(shortText),
        },
        read: ({ device, userAgent, locale, timezone }) =>
          ok({ request: { device, userAgent, locale, timezone } }),
      }),
      otherTools: [emulate],
      verbs: [verb('emulate', emulate, '', '--viewport 390x844', '--color-scheme dark --offline')],
    }
  },
}
