// The commands of the core, and those with which it starts itself.

import process from 'node:process'
import { superviseServer } from '../../devserver/process/supervisor.ts'
import type { Command, InnerCommand } from '../../tool/command.ts'
import { VERSION } from '../options/version.ts'
import { printLine } from '../terminal/output.ts'
import { parseSettings, readOwnArgs, refuseOptionsBeforeCommand } from './parse-settings.ts'

export const serveCommand: InnerCommand = {
  async run(rawArgs) {
    refuseOptionsBeforeCommand(rawArgs)
    const { settings, tools } = parseSettings(rawArgs)
    const { serve } = await import('../serve/serve.ts')
    await serve(settings, tools)
  },
}

/** What holds a dev server and its processes on Windows. */
export const superviseCommand: InnerCommand = {
  run: async () => process.exit(await superviseServer(process.stdin)),
}

export const toolsCommand: Command = {
  meta: { name: 'tools', description: 'list the tools, or show the fields of one' },
  group: 'Use',
  args: {
    tool: { type: 'positional', required: false, description: 'name of a tool' },
    json: { type: 'boolean', description: 'print JSON, as a client gets it' },
    markdown: { type: 'boolean', description: 'print a table' },
  },
  options: ['tools', 'names', 'implicitSession', 'config'],
  examples: ['footlight tools', 'footlight tools click'],
  async run(rawArgs) {
    const { values, rest, options } = readOwnArgs(toolsCommand, rawArgs)
    const format = ['json', 'markdown'].find((name) => values.get(name) === 'true') ?? 'text'
    const { settings, tools } = parseSettings(options)
    const { printTools } = await import('./print-tools.ts')
    printTools(tools, settings, format, rest[0])
  },
}

export const versionCommand: Command = {
  meta: { name: 'version', description: 'print the version' },
  group: 'About',
  args: { json: { type: 'boolean', description: 'print JSON, with runtime and platform' } },
  options: [],
  examples: ['footlight version', 'footlight version --json'],
  async run(rawArgs) {
    if (readOwnArgs(versionCommand, rawArgs).values.get('json') !== 'true') return printLine(VERSION)
    const { readBuildInfo } = await import('./build-info.ts')
    printLine(JSON.stringify(readBuildInfo()))
  },
}

export const helpCommand: Command = {
  meta: { name: 'help', description: 'explain a command, a verb, or all options' },
  group: 'About',
  args: {
    command: { type: 'positional', required: false, description: 'a command, a verb, agent or options' },
  },
  options: [],
  examples: ['footlight help agent', 'footlight help options'],
  async run(rawArgs) {
    const { showHelp } = await import('./show-help.ts')
    await showHelp(rawArgs)
  },
}
