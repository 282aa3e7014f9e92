// Writes what a session did as a Playwright test: recorded steps come in, a file goes out that was replayed before.

import type { Feature } from '../../core/tool/feature.ts'
import { verb } from '../../core/tool/verb.ts'

export const saveTestFeature: Feature = {
  name: 'save-test',
  after: ['emulate', 'mock', 'recording', 'run-test', 'states'],
  async load() {
    const { saveTest } = await import('./tool.ts')
    return {
      otherTools: [saveTest],
      verbs: [
        verb('save', saveTest, 'PATH', 'tests/cart.spec.ts', 'tests/cart.spec.ts --name "buys milk" --run'),
      ],
    }
  },
}
