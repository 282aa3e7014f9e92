// Runs Playwright tests of the project and answers their failures with evidence: a path comes in, outcomes, pages and server lines go out.

import type { Feature } from '../../core/tool/feature.ts'
import { verb } from '../../core/tool/verb.ts'

export const runTestFeature: Feature = {
  name: 'run-test',
  after: ['sources'],
  async load() {
    const [{ runTest }, { createTests }] = await Promise.all([
      import('./tool.ts'),
      import('./create-tests.ts'),
    ])
    return {
      start(start) {
        const tests = createTests(start)
        return { context: { tests }, end: tests.end }
      },
      otherTools: [runTest],
      verbs: [verb('test', runTest, '[PATH]', '', 'tests/cart.spec.ts:12')],
    }
  },
  documents: async () => [(await import('./read-trace-file.ts')).testTrace],
}
