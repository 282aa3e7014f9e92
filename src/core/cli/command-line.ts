// The command line. citty finds the command; what it would accept silently is checked before it sees it.

import process from 'node:process'
import { stripVTControlCharacters } from 'node:util'
import { type CommandDef, defineCommand, runCommand } from 'citty'
import type { Command, InnerCommand } from '../tool/command.ts'
import {
  commandNames,
  innerNames,
  isCommandName,
  isInnerName,
  loadCommand,
  loadInnerCommand,
} from './commands/commands.ts'
import { VERSION } from './options/version.ts'
import { exitWhenOutputCloses, exitWithUsageError, printLine } from './terminal/output.ts'

const toCitty = (command: Command | InnerCommand | undefined): CommandDef => ({
  ...(command && 'args' in command && { args: command.args }),
  run: ({ rawArgs }) => command?.run(rawArgs),
})

const rootCommand = defineCommand({
  meta: { name: 'footlight', version: VERSION },
  subCommands: Object.fromEntries([
    ...innerNames.map((name) => [name, async () => toCitty(await loadInnerCommand(name))]),
    ...commandNames.map((name) => [name, async () => toCitty(await loadCommand(name))]),
  ]),
})

/** Runs the command line; `raw` is without the program's own name. */
export async function runMain(raw: readonly string[]): Promise<void> {
  const [first = ''] = raw
  const separator = raw.indexOf('--')
  const words = separator < 0 ? raw : raw.slice(0, separator)
  if (words.includes('--help') || words.includes('-h')) {
    const { helpPathOf, showHelp } = await import('./commands/show-help.ts')
    const path = words.filter((word) => !word.startsWith('-'))
    return showHelp(first === 'help' ? path.slice(1) : await helpPathOf(path, first))
  }
  if (words.includes('--version') || words.includes('-v')) return printLine(VERSION)
  const isKnown = isCommandName(first) || isInnerName(first)
  if (first !== '' && !first.startsWith('-') && !isKnown) {
    const { refuseUnknownCommand } = await import('./commands/show-help.ts')
    return refuseUnknownCommand(raw)
  }
  if (isCommandName(first)) exitWhenOutputCloses()
  try {
    await runCommand(rootCommand, { rawArgs: isKnown ? [...raw] : ['serve', ...raw] })
  } catch (error) {
    const message = stripVTControlCharacters(error instanceof Error ? error.message : String(error))
    // The code of citty for an argument that is missing or not one of its choices.
    const isUsageError = error instanceof Error && 'code' in error && error.code === 'EARG'
    const command = isUsageError ? await loadCommand(first) : undefined
    if (command) return exitWithUsageError(describeUsageError(command, message))
    process.stderr.write(`footlight: ${message}\n`)
    process.exit(1)
  }
}

/** What citty says of an argument, with what it is for and how it looks. */
function describeUsageError({ meta, args, examples }: Command, message: string): string {
  const [, missing = ''] = /^Missing required .*argument: (.*)$/.exec(message) ?? []
  const description = args[missing.toLowerCase().replace(/^--/, '')]?.description
  const problem =
    description === undefined ? message.replace(/\.$/, '') : `${missing} is missing (${description})`
  return `${meta.name}: ${problem}. For example: ${examples[0]}`
}
