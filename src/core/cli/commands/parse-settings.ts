import { readFileSync } from 'node:fs'
import process from 'node:process'
import { err, type Result } from '../../base/result.ts'
import type { Command } from '../../tool/command.ts'
import type { Tool } from '../../tool/tool.ts'
import { chooseTools } from '../options/choose-tools.ts'
import { switches } from '../options/command-options.ts'
import { type Flags, readFlags, toCamelCase } from '../options/flags.ts'
import { optionNames, options as allOptions } from '../options/option-list.ts'
import { toKebabCase } from '../options/option-names.ts'
import type { OptionName, Settings } from '../options/options.ts'
import { resolveSettings } from '../options/settings.ts'
import { exitWithUsageError } from '../terminal/output.ts'
import { joinCommand } from '../terminal/quote-command.ts'
import { isCommandName } from './commands.ts'

/** The settings of a command line, and the tools that they choose. Exits where they are wrong. */
export function parseSettings(raw: readonly string[]): { settings: Settings; tools: readonly Tool[] } {
  const flags = readFlags(raw, optionNames, switches)
  if (!flags.ok) return exitWithUsageError(flags.error)
  const [stray] = flags.value.rest
  if (stray !== undefined)
    return exitWithUsageError(
      `unexpected argument "${stray}". Options begin with --; footlight --help lists them.`,
    )
  const read = (path: string) => readFileSync(path, 'utf8')
  const settings = resolveSettings({ flags: flags.value.values, env: process.env, read })
  if (!settings.ok) return exitWithUsageError(settings.error)
  const tools = chooseTools(settings.value.tools, settings.value.names)
  return tools.ok ? { settings: settings.value, tools: tools.value } : exitWithUsageError(tools.error)
}

/** The flags and words that follow a command: its own and, if it uses some, Footlight's options. Errors are sentences. */
export function readArgs(
  { meta, args, options }: Pick<Command, 'meta' | 'args' | 'options'>,
  raw: readonly string[],
  maximumWords = Object.values(args).filter(({ type }) => type === 'positional').length,
): Result<Flags, string> {
  const namesOf = (...types: readonly string[]) =>
    Object.entries(args)
      .filter(([, { type = 'string' }]) => types.includes(type))
      .map(([name]) => toCamelCase(name))
  const own = namesOf('boolean', 'string', 'enum')
  const known = [...own, ...(options.length > 0 ? optionNames : [])]
  const flags = readFlags(raw, known, [...namesOf('boolean'), ...switches])
  if (!flags.ok) return err(`${meta.name}: ${flags.error}`)
  const idle = [...flags.value.values.keys()].find(
    (name) => isOptionName(name) && !own.includes(name) && !options.includes(name),
  )
  if (idle !== undefined)
    return err(`${meta.name}: --${toKebabCase(idle)} has no effect here. See footlight help ${meta.name}.`)
  const stray = flags.value.rest[maximumWords]
  if (stray === undefined) return flags
  return err(`${meta.name}: unexpected argument "${stray}". See footlight help ${meta.name}.`)
}

/** The flags and words of a command, and the options of Footlight among them as they were given. Exits where they are wrong. */
export function readOwnArgs(
  command: Command,
  rawArgs: readonly string[],
): Flags & { options: readonly string[] } {
  const flags = readArgs(command, rawArgs)
  return flags.ok ? { ...flags.value, options: optionsIn(flags.value) } : exitWithUsageError(flags.error)
}

/** Exits where a command follows options of the server. */
export function refuseOptionsBeforeCommand(rawArgs: readonly string[]): void {
  const flags = readFlags(rawArgs, optionNames, switches)
  const [command = ''] = flags.ok ? flags.value.rest : []
  if (!isCommandName(command)) return
  const rest = rawArgs.filter((_, index) => index !== rawArgs.indexOf(command))
  const line = joinCommand(['footlight', command, ...rest], process.platform)
  exitWithUsageError(`options come after the command: ${line}`)
}

/** Footlight's options among the flags. */
export const optionsIn = ({ values }: Flags): readonly string[] =>
  [...values].flatMap(([name, value]) => (isOptionName(name) ? [`--${name}=${value}`] : []))

const isOptionName = (name: string): name is OptionName => Object.hasOwn(allOptions, name)
