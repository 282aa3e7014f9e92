// Adds Footlight to the configuration of a client, and prints the skill for its shell.

import type { Feature } from '../../core/tool/feature.ts'

export const setupFeature: Feature = {
  name: 'setup',
  commands: {
    setup: async () => (await import('./commands.ts')).setupCommand,
    skill: async () => (await import('./commands.ts')).skillCommand,
  },
}
