// The command line as a completion script needs it, from the tables of commands and options.

import type { ArgDef } from 'citty'
import { commandNames, commandOf, type Command } from '../commands.ts'
import { toKebabCase, optionNames, optionOf, type OptionName } from '../options/options.ts'

/** What a flag takes: nothing, one of a few words, a path, or something that only the user knows. */
export type FlagValue = 'nothing' | 'path' | 'anything' | readonly string[]

export interface Flag {
  readonly flag: string
  readonly about: string
  readonly takes: FlagValue
}

export interface CommandGrammar {
  /** One word, or two for a subcommand. */
  readonly name: string
  readonly about: string
  readonly words: readonly string[]
  readonly flags: readonly Flag[]
}

export interface Grammar {
  readonly commands: readonly CommandGrammar[]
  readonly subCommands: readonly CommandGrammar[]
  /** Without a command. */
  readonly flags: readonly Flag[]
}

export function createGrammar(): Grammar {
  const commands = commandNames.map(commandOf)
  const version: Flag = { flag: '--version', about: 'print the version', takes: 'nothing' }
  return {
    commands: commands.map(grammarOf),
    subCommands: commands.flatMap(({ subCommands = {} }) => Object.values(subCommands).map(grammarOf)),
    flags: [...optionNames.map(optionFlag), help, version],
  }
}

const help: Flag = { flag: '--help', about: 'explain the command, with examples', takes: 'nothing' }

const grammarOf = ({ meta, args, options, words = [] }: Command): CommandGrammar => ({
  name: meta.name,
  about: meta.description,
  words,
  flags: [...Object.entries(args).flatMap(ownFlag), ...options.map(optionFlag), help],
})

const ownFlag = ([name, arg]: readonly [string, ArgDef]): Flag[] =>
  arg.type === 'positional'
    ? []
    : [{ flag: `--${name}`, about: arg.description ?? '', takes: valueKindOfArg(arg) }]

function valueKindOfArg(arg: ArgDef): FlagValue {
  if (arg.type === 'boolean') return 'nothing'
  if (arg.type === 'enum') return arg.options ?? []
  return valueKindOf(arg.valueHint)
}

const optionFlag = (name: OptionName): Flag => {
  const { about, value, suggestions } = optionOf(name)
  const takes =
    value === undefined || value.startsWith('[')
      ? 'nothing'
      : (choicesOf(name) ?? suggestions ?? valueKindOf(value))
  return { flag: `--${toKebabCase(name)}`, about, takes }
}

const valueKindOf = (hint = ''): FlagValue => (['PATH', 'FILE', 'DIR'].includes(hint) ? 'path' : 'anything')

/** The words that an option may be, where its schema lists them. */
export function choicesOf(name: OptionName): readonly string[] | undefined {
  const { schema } = optionOf(name)
  const { wrapped = schema } = schema as { wrapped?: { options?: unknown } }
  const { options } = wrapped as { options?: unknown }
  return Array.isArray(options) && options.every((one) => typeof one === 'string') ? options : undefined
}
