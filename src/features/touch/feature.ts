// Taps, swipes and pinches as trusted events.

import type { Feature } from '../../core/tool/feature.ts'
import { verb } from '../../core/tool/verb.ts'

export const touchFeature: Feature = {
  name: 'touch',
  async load() {
    const { touch } = await import('./tool.ts')
    const { createPerformers } = await import('./touch.ts')
    return {
      otherTools: [touch],
      verbs: [verb('touch', touch, 'ACTION [TARGET]', 'tap e12', 'swipe e3 --delta-x -200')],
      onPage: (parts) => ({ inputs: createPerformers(parts) }),
    }
  },
}
