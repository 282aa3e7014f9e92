// Every tool as a command: a client that is started for each, and the server that keeps the sessions between them.

import type { Feature } from '../../core/tool/feature.ts'

export const shellFeature: Feature = {
  name: 'shell',
  load: async () => ({
    listenBeside: async (server) => (await import('./serve-shell.ts')).listenBeside(server),
  }),
  commands: { daemon: async () => (await import('./commands.ts')).daemonCommand },
  help: async () => (await import('./help-topics.ts')).helpTopics,
  innerCommands: {
    'serve-shell': async () => (await import('./commands.ts')).serveShellCommand,
    // What a command line runs that is none of the other commands.
    'run-verb': async () => ({ run: (await import('./run-client.ts')).runShellClient }),
  },
}
