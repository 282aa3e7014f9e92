// Cookies, storage and passkeys of a session, saved under a name or in a file and loaded again.

import type { Feature } from '../../core/tool/feature.ts'
import { verb } from '../../core/tool/verb.ts'

export const statesFeature: Feature = {
  name: 'states',
  async load() {
    const { storageState } = await import('./tool.ts')
    const { contextOptions, createPageStorage, restoreState } = await import('./page-storage.ts')
    return {
      contextOptions,
      onContext: restoreState,
      onPage: createPageStorage,
      tools: [storageState],
      verbs: [
        verb(
          'storage',
          storageState,
          'ACTION [PATH|NAME] [VALUE]',
          'save ada.json',
          'set theme dark --kind local',
          {
            read: ([action = '', subject, value]) => ({
              action,
              ...(subject !== undefined && { [/^(save|load)$/.test(action) ? 'path' : 'name']: subject }),
              ...(value !== undefined && { value }),
            }),
          },
        ),
      ],
    }
  },
}
