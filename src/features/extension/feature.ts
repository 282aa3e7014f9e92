// An unpacked extension under test, loaded again after each change of its files.

import { delimiter } from 'node:path'
import * as v from 'valibot'
import { commandList } from '../../core/cli/options/option-schemas.ts'
import type { SettingsOf } from '../../core/cli/options/options.ts'
import type { Feature } from '../../core/tool/feature.ts'

const entries = {
  extensions: { schema: v.optional(commandList), value: 'LIST', about: 'folders of extensions over HTTP' },
} as const

declare module '../../core/cli/options/options.ts' {
  interface Settings extends SettingsOf<typeof entries> {}
}

export const extensionFeature: Feature = {
  name: 'extension',
  options: [{ group: 'Safety', before: 'rateLimit', entries }],
  async load() {
    const [{ extensionFields }, { createSessionExtension, profileOfExtension }] = await Promise.all([
      import('./read-extension.ts'),
      import('./session-extension.ts'),
    ])
    return {
      ...profileOfExtension,
      sessionFields: extensionFields,
      start: ({ settings, access }) =>
        createSessionExtension(access && (settings.extensions?.split(delimiter).filter(Boolean) ?? [])),
    }
  },
}
