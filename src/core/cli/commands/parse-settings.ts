import { readFileSync } from 'node:fs'
import process from 'node:process'
import { err, type Result } from '../../base/result.ts'
import type { Tool } from '../../sessions/tools/tool.ts'
import { chooseTools } from '../options/choose-tools.ts'
import { type Flags, readFlags, toCamelCase } from '../options/flags.ts'
import {
  type OptionName,
  optionNames,
  options as allOptions,
  type Settings,
  toKebabCase,
} from '../options/options.ts'
import { resolveSettings } from '../options/settings.ts'
import { exitWithUsageError } from '../terminal/output.ts'
import { type Command, switches } from './commands.ts'

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
  const tools = chooseTools(settings.value.tools)
  return tools.ok ? { settings: settings.value, tools: tools.value } : exitWithUsageError(tools.error)
}

/** The flags and words that follow a command: its own and, if it uses some, Footlight's options. Errors are sentences. */
export function readArgs(
  { meta, args, options }: Command,
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

/** Footlight's options among the flags. */
export const optionsIn = ({ values }: Flags): readonly string[] =>
  [...values].flatMap(([name, value]) => (isOptionName(name) ? [`--${name}=${value}`] : []))

const isOptionName = (name: string): name is OptionName => Object.hasOwn(allOptions, name)
