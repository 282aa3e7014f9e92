// A person logs in in a window, and sessions have the login from then on.

import type { Feature } from '../../core/tool/feature.ts'

export const loginFeature: Feature = {
  name: 'login',
  after: ['states'],
  commands: {
    login: async () => (await import('./commands.ts')).loginCommand,
  },
}
