// Emulates devices, networks and media in an open session.

import type { Feature } from '../../core/tool/feature.ts'
import { verb } from '../../core/tool/verb.ts'

export const emulateFeature: Feature = {
  name: 'emulate',
  async load() {
    const { emulate } = await import('./tool.ts')
    const { createEmulation } = await import('./session-emulation.ts')
    return {
      onPage: createEmulation,
      otherTools: [emulate],
      verbs: [verb('emulate', emulate, '', '--viewport 390x844', '--color-scheme dark --offline')],
    }
  },
}
