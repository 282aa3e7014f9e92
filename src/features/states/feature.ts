// Cookies, storage and passkeys of a session, saved under a name or in a file and loaded again.

import * as v from 'valibot'
import { clock } from '../../core/base/system/timer.ts'
import type { SettingsOf } from '../../core/cli/options/options.ts'
import { isStateName, STATE_NAME_RULE } from '../../core/sessions/store/session-name.ts'
import type { Feature } from '../../core/tool/feature.ts'
import { verb } from '../../core/tool/verb.ts'

const entries = {
  profile: {
    schema: v.optional(v.pipe(v.string('a name'), v.check(isStateName, STATE_NAME_RULE))),
    value: 'NAME',
    about: 'browser profile of its sessions',
  },
} as const

declare module '../../core/cli/options/options.ts' {
  interface Settings extends SettingsOf<typeof entries> {}
}

export const statesFeature: Feature = {
  name: 'states',
  options: [{ group: 'Sessions', before: 'implicitSession', entries }],
  async load() {
    const { storageState } = await import('./tool.ts')
    const { contextOptions, createPageStorage, restoreState } = await import('./page-storage.ts')
    const { namedStatesOf } = await import('./named-states.ts')
    const { stateFields } = await import('./beginning-state.ts')
    const { saveNamedState } = await import('./save-state.ts')
    const { withOneTimeCodes } = await import('./one-time-codes.ts')
    return {
      readSecrets: (secrets, learn) => withOneTimeCodes(secrets, clock, learn),
      start: (start) => ({ states: namedStatesOf(start) }),
      sessionFields: stateFields,
      contextOptions,
      onContext: restoreState,
      onPage: createPageStorage,
      session: ({ namedState }) =>
        namedState ? { beforeRelease: (page) => saveNamedState(namedState, page) } : {},
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
