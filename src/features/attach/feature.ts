// Tabs in the user's own running Chrome, by a process that holds the one connection which Chrome asks its user for.

import process from 'node:process'
import type { Feature } from '../../core/tool/feature.ts'

export const attachFeature: Feature = {
  name: 'attach',
  innerCommands: {
    // What holds the connection to the user's own browser.
    async 'attach-relay'() {
      const { runRelay } = await import('./run-relay.ts')
      return {
        async run() {
          await runRelay(process.stdin, process.stdout)
          process.exit(0)
        },
      }
    },
  },
}
