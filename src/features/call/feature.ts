// Calls tools from the command line in one session, lists them, and runs the demo.

import type { Feature } from '../../core/tool/feature.ts'

export const callFeature: Feature = {
  name: 'call',
  commands: {
    demo: async () => (await import('./commands.ts')).demoCommand,
    call: async () => (await import('./commands.ts')).callCommand,
  },
  innerCommands: {
    // What `demo` starts as its dev server.
    async 'demo-app'() {
      const { serveDemoApp } = await import('./demo-app.ts')
      return { run: async () => serveDemoApp() }
    },
  },
}
