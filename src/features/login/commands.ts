import process from 'node:process'
import { parseSettings, readOwnArgs } from '../../core/cli/commands/parse-settings.ts'
import { launchOptions } from '../../core/cli/options/command-options.ts'
import { findProxyConflict } from '../../core/cli/options/option-conflicts.ts'
import { exitWithUsageError } from '../../core/cli/terminal/output.ts'
import type { Command } from '../../core/tool/command.ts'

export const loginCommand: Command = {
  meta: { name: 'login', description: 'log in yourself and save the state for create_session' },
  group: 'With a window',
  args: {
    url: { type: 'positional', required: true, description: 'page to open' },
    save: { type: 'string', valueHint: 'NAME', description: 'name of the state, or a path' },
  },
  options: [...launchOptions, 'profile'],
  examples: [
    'footlight login https://example.org --save example',
    'footlight login https://example.org --profile example',
  ],
  async run(rawArgs) {
    const { values, rest, options } = readOwnArgs(loginCommand, rawArgs)
    const [url = ''] = rest
    const save = values.get('save') ?? ''
    if (!/^https?:/.test(url) || !URL.canParse(url))
      return exitWithUsageError('login: expected one address, e.g. login https://example.org --save example')
    const { settings } = parseSettings(options)
    if ((save === '') === (settings.profile === undefined))
      return exitWithUsageError('login: expected --save NAME or FILE, or --profile NAME')
    const conflict = findProxyConflict(settings)
    if (conflict !== undefined) return exitWithUsageError(conflict)
    const { runLogin } = await import('./login-command.ts')
    process.exit(await runLogin({ url, save }, settings))
  },
}
