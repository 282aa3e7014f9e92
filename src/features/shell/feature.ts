// Every tool as a command: a client that is started for each, and the server that keeps the sessions between them.

import { switchOption } from '../../core/cli/options/option-schemas.ts'
import type { SettingsOf } from '../../core/cli/options/options.ts'
import type { Feature } from '../../core/tool/feature.ts'

const entries = {
  socket: switchOption(true, 'let the shell use the sessions of a stdio server (footlight help agent)'),
} as const

declare module '../../core/cli/options/options.ts' {
  interface Settings extends SettingsOf<typeof entries> {}
}

export const shellFeature: Feature = {
  name: 'shell',
  options: [{ group: 'Server', before: 'outputDir', entries }],
  load: async () => ({
    async listenBeside(server) {
      if (server.settings.socket) await (await import('./serve-shell.ts')).listenBeside(server)
    },
  }),
  commands: { daemon: async () => (await import('./commands.ts')).daemonCommand },
  help: async () => (await import('./help-topics.ts')).helpTopics,
  innerCommands: {
    'serve-shell': async () => (await import('./commands.ts')).serveShellCommand,
    // What a command line runs that is none of the other commands.
    'run-verb': async () => ({ run: (await import('./run-client.ts')).runShellClient }),
  },
}
