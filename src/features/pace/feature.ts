// Handles messages of Chromium in turns, so that a flood of one session does not hold up the others.

import type { Feature } from '../../core/tool/feature.ts'

export const paceFeature: Feature = {
  name: 'pace',
  async load() {
    const { paceMessages } = await import('./pace-messages.ts')
    return { onLaunch: paceMessages }
  },
}
