import process from 'node:process'
import { parseSettings, readOwnArgs } from '../../core/cli/commands/parse-settings.ts'
import { sessionOptions } from '../../core/cli/options/command-options.ts'
import type { Command } from '../../core/tool/command.ts'

export const demoCommand: Command = {
  meta: { name: 'demo', description: 'run a complete example session, including a failure' },
  group: 'Set up',
  args: {},
  options: sessionOptions,
  examples: ['footlight demo', 'footlight demo --browser firefox --headed'],
  async run(rawArgs) {
    const { options } = readOwnArgs(demoCommand, rawArgs)
    const { settings } = parseSettings(options)
    const { runDemo } = await import('./demo.ts')
    process.exitCode = await runDemo(settings, options)
  },
}

export const callCommand: Command = {
  meta: { name: 'call', description: 'call tools, one after the other, in one session' },
  group: 'Use',
  args: {
    tool: { type: 'positional', required: true, description: 'name of a tool; footlight tools lists them' },
    input: {
      type: 'positional',
      required: false,
      description: 'its input as key=value … or as JSON, \'{"key": …}\'; then the next tool',
    },
    text: { type: 'boolean', description: 'print what a model reads; the default on a terminal' },
    json: { type: 'boolean', description: 'print a line of JSON for each call; the default in a pipe' },
    server: {
      type: 'string',
      valueHint: 'URL',
      description: 'call a running server, http://HOST:PORT/mcp',
    },
  },
  options: sessionOptions,
  examples: [
    'footlight call navigate url=https://example.org snapshot',
    `footlight call create_session 'command=npm run dev' navigate url=/ click '{"selector": "#save"}'`,
  ],
  async run(rawArgs) {
    const { runCall } = await import('./call-command.ts')
    process.exitCode = await runCall(rawArgs, callCommand)
  },
}
