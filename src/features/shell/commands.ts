import process from 'node:process'
import { parseSettings, readOwnArgs } from '../../core/cli/commands/parse-settings.ts'
import { exitWithUsageError } from '../../core/cli/terminal/output.ts'
import type { Command, InnerCommand } from '../../core/tool/command.ts'
import type { ShellServerStart } from './start-server.ts'

export const daemonCommand: Command = {
  meta: { name: 'daemon', description: 'list or stop the servers that answer the shell' },
  group: 'Use',
  args: {
    action: { type: 'positional', required: false, description: 'list (default) or stop' },
    all: { type: 'boolean', description: 'stop those of all folders and agents' },
    json: { type: 'boolean', description: 'print JSON' },
  },
  options: [],
  examples: ['footlight daemon', 'footlight daemon stop'],
  async run(rawArgs) {
    const { values, rest } = readOwnArgs(daemonCommand, rawArgs)
    const [action = 'list'] = rest
    if (action !== 'list' && action !== 'stop')
      return exitWithUsageError(`daemon: expected list or stop, received "${action}"`)
    const { runDaemonCommand } = await import('./daemon-command.ts')
    const [isAll, isJson] = ['all', 'json'].map((name) => values.get(name) === 'true')
    process.exitCode = await runDaemonCommand({ action, isAll: isAll === true, isJson: isJson === true })
  },
}

/** Its first argument says where it listens. */
export const serveShellCommand: InnerCommand = {
  async run([start = '', ...rawArgs]) {
    const { settings } = parseSettings(['--headless', ...rawArgs])
    const { openServer } = await import('../../core/cli/serve/serve.ts')
    const { everyTool } = await import('../../core/cli/tools/catalogue.ts')
    const { serveShell } = await import('./serve-shell.ts')
    await serveShell(JSON.parse(start) as ShellServerStart, openServer(settings, everyTool))
  },
}
