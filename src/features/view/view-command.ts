import { loadInnerCommand } from '../../core/cli/commands/commands.ts'
import { readOwnArgs } from '../../core/cli/commands/parse-settings.ts'
import { sessionOptions } from '../../core/cli/options/command-options.ts'
import type { Command } from '../../core/tool/command.ts'

export const viewCommand: Command = {
  meta: { name: 'view', description: 'watch all sessions in a browser, take one over, comment' },
  group: 'Use',
  args: {},
  options: sessionOptions,
  examples: ['footlight view', 'footlight view --browser firefox'],
  async run(rawArgs) {
    readOwnArgs(viewCommand, rawArgs)
    const shell = await loadInnerCommand('run-verb')
    await shell?.run(['view', ...rawArgs])
  },
}
