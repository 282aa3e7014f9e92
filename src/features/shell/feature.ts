// Every tool as a command: a client that is started for each, and the server that keeps the sessions between them.

import type { Feature } from '../../core/tool/feature.ts'

export const shellFeature: Feature = {
  name: 'shell',
  after: ['compare', 'report', 'run-test', 'states'],
  commands: { daemon: async () => (await import('./commands.ts')).daemonCommand },
  help: async () => (await import('./help-topics.ts')).helpTopics,
  innerCommands: { 'serve-shell': async () => (await import('./commands.ts')).serveShellCommand },
}
