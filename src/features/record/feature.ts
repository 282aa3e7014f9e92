// A person uses a page in a window, and that becomes a state (`login`) or a test (`record`).

import type { Feature } from '../../core/tool/feature.ts'

export const recordFeature: Feature = {
  name: 'record',
  after: ['save-test', 'states', 'view'],
  commands: {
    login: async () => (await import('./commands.ts')).loginCommand,
    record: async () => (await import('./commands.ts')).recordCommand,
  },
}
