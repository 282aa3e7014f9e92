// The command line as a completion script needs it, from the tables of commands and options.

import { commandNames, commandOf } from '../commands.ts'
import { kebab, optionNames, shown } from '../options/options.ts'

/** What a flag takes: nothing, one of a few words, a path, or something that only the user knows. */
export type Takes = 'nothing' | 'path' | 'anything' | readonly string[]

export interface Flag {
  readonly flag: string
  readonly about: string
  readonly takes: Takes
}

export interface Verb {
  readonly name: string
  readonly about: string
  readonly words: readonly string[]
  readonly flags: readonly Flag[]
}

export interface Grammar {
  readonly verbs: readonly Verb[]
  /** Without a command. */
  readonly flags: readonly Flag[]
}

export function grammar(): Grammar {
  const options = optionNames.map((name): Flag => {
    const { value, about } = shown(name)
    return { flag: `--${kebab(name)}`, about, takes: taken(name, value) }
  })
  const always: Flag[] = [{ flag: '--help', about: 'list commands and options', takes: 'nothing' }]
  const version: Flag = { flag: '--version', about: 'print the version', takes: 'nothing' }
  const verbs = commandNames.map((name): Verb => {
    const { about, words = [], flags = {}, options: general } = commandOf(name)
    const own = Object.entries(flags).map(([flag, values]): Flag => {
      const takes = values === undefined ? 'nothing' : values === 'any' ? 'anything' : values
      return { flag, about: '', takes }
    })
    return { name, about, words, flags: [...own, ...(general ? options : []), ...always] }
  })
  return { verbs, flags: [...options, ...always, version] }
}

/** The words that an option may be, where its schema lists them. */
export function choicesOf(name: (typeof optionNames)[number]): readonly string[] | undefined {
  const { schema } = shown(name)
  const { wrapped = schema } = schema as { wrapped?: { options?: unknown } }
  const { options } = wrapped as { options?: unknown }
  return Array.isArray(options) && options.every((one) => typeof one === 'string') ? options : undefined
}

function taken(name: (typeof optionNames)[number], value: string | undefined): Takes {
  if (value === undefined || value.startsWith('[')) return 'nothing'
  return choicesOf(name) ?? (['PATH', 'FILE', 'DIR'].includes(value) ? 'path' : 'anything')
}
