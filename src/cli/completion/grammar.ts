// The command line as a completion script needs it, from the tables of commands and options.

import { commandNames, commandOf } from '../commands.ts'
import { toKebabCase, optionNames, optionOf } from '../options/options.ts'

/** What a flag takes: nothing, one of a few words, a path, or something that only the user knows. */
export type FlagValue = 'nothing' | 'path' | 'anything' | readonly string[]

export interface Flag {
  readonly flag: string
  readonly about: string
  readonly takes: FlagValue
}

export interface CommandGrammar {
  readonly name: string
  readonly about: string
  readonly words: readonly string[]
  readonly flags: readonly Flag[]
}

export interface Grammar {
  readonly commands: readonly CommandGrammar[]
  /** Without a command. */
  readonly flags: readonly Flag[]
}

export function createGrammar(): Grammar {
  const options = optionNames.map((name): Flag => {
    const { about } = optionOf(name)
    return { flag: `--${toKebabCase(name)}`, about, takes: valueKindOf(name) }
  })
  const helpFlags: Flag[] = [{ flag: '--help', about: 'list commands and options', takes: 'nothing' }]
  const version: Flag = { flag: '--version', about: 'print the version', takes: 'nothing' }
  const commands = commandNames.map((name): CommandGrammar => {
    const { about, words = [], flags = {}, options: general } = commandOf(name)
    const ownFlags = Object.entries(flags).map(([flag, values]): Flag => {
      const takes = values === undefined ? 'nothing' : values === 'any' ? 'anything' : values
      return { flag, about: '', takes }
    })
    return { name, about, words, flags: [...ownFlags, ...(general ? options : []), ...helpFlags] }
  })
  return { commands, flags: [...options, ...helpFlags, version] }
}

/** The words that an option may be, where its schema lists them. */
export function choicesOf(name: (typeof optionNames)[number]): readonly string[] | undefined {
  const { schema } = optionOf(name)
  const { wrapped = schema } = schema as { wrapped?: { options?: unknown } }
  const { options } = wrapped as { options?: unknown }
  return Array.isArray(options) && options.every((one) => typeof one === 'string') ? options : undefined
}

function valueKindOf(name: (typeof optionNames)[number]): FlagValue {
  const { value, suggestions } = optionOf(name)
  if (value === undefined || value.startsWith('[')) return 'nothing'
  return choicesOf(name) ?? suggestions ?? (['PATH', 'FILE', 'DIR'].includes(value) ? 'path' : 'anything')
}
