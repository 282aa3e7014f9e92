// Checks this machine and says how to fix problems.

import type { Feature } from '../../core/tool/feature.ts'

export const doctorFeature: Feature = {
  name: 'doctor',
  after: ['browsers', 'remote', 'setup'],
  commands: { doctor: async () => (await import('./command.ts')).doctorCommand },
}
