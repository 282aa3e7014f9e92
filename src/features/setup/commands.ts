import process from 'node:process'
import { parseSettings } from '../../core/cli/commands/parse-settings.ts'
import { exitWithUsageError, printLine } from '../../core/cli/terminal/output.ts'
import type { Command } from '../../core/tool/command.ts'
import { clientNames } from './clients.ts'
import { parseSetupRequest, scopes } from './setup-request.ts'

export const setupCommand: Command = {
  meta: { name: 'setup', description: 'add footlight to a client' },
  group: 'Set up',
  args: {
    client: { type: 'positional', required: true, description: clientNames.join(', ') },
    write: { type: 'boolean', description: 'change the configuration file of the client' },
    skill: { type: 'boolean', description: 'write a skill for its shell, and no server; with --write both' },
    verify: {
      type: 'boolean',
      description: 'add a hook that asks for footlight verify before an agent stops; with --write both',
    },
    remove: { type: 'boolean', description: 'remove footlight from it' },
    'dry-run': { type: 'boolean', description: 'print the change and do not make it' },
    scope: { type: 'enum', options: [...scopes], description: 'the file of the user or of the project' },
    name: { type: 'string', valueHint: 'NAME', description: 'name of the server (footlight)' },
  },
  options: [],
  examples: ['footlight setup claude-code --write', 'footlight setup cursor --write -- --browser firefox'],
  async run(rawArgs) {
    const request = parseSetupRequest(rawArgs)
    if (!request.ok) return exitWithUsageError(request.error)
    parseSettings(request.value.options)
    const { runSetup } = await import('./setup-command.ts')
    process.exitCode = runSetup(request.value)
  },
}

export const skillCommand: Command = {
  meta: { name: 'skill', description: 'print a skill for agents that use a shell' },
  group: 'Set up',
  args: {},
  options: [],
  examples: ['footlight skill', 'footlight skill > .claude/skills/footlight/SKILL.md'],
  async run() {
    const { SKILL } = await import('./skill-text.ts')
    printLine(SKILL.trimEnd())
  },
}
