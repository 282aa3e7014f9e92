// Cookies, storage and passkeys of a session, saved under a name or in a file and loaded again.

import { clock } from '../../core/base/system/timer.ts'
import type { Feature } from '../../core/tool/feature.ts'
import { verb } from '../../core/tool/verb.ts'

export const statesFeature: Feature = {
  name: 'states',
  async load() {
    const { storageState } = await import('./tool.ts')
    const { contextOptions, createPageStorage, restoreState } = await import('./page-storage.ts')
    const { namedStatesOf } = await import('./named-states.ts')
    const { stateFields } = await import('./beginning-state.ts')
    const { withOneTimeCodes } = await import('./one-time-codes.ts')
    return {
      readSecrets: (secrets, learn) => withOneTimeCodes(secrets, clock, learn),
      start: ({ settings }) => ({ states: namedStatesOf(settings) }),
      sessionFields: stateFields,
      contextOptions,
      onContext: restoreState,
      onPage: createPageStorage,
      otherTools: [storageState],
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
