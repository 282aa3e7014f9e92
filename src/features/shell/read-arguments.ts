// The words and options after a verb. Every field of its tools is an option.

import { err, ok, type Result } from '../../core/base/result.ts'
import { clip } from '../../core/base/text/clip.ts'
import { findClosestName } from '../../core/base/text/closest-name.ts'
import { toCamelCase } from '../../core/cli/options/flags.ts'
import { optionNames } from '../../core/cli/options/option-list.ts'
import { toKebabCase } from '../../core/cli/options/option-names.ts'
import type { Tool } from '../../core/tool/tool.ts'
import type { Fields, Verb } from '../../core/tool/verb.ts'
import { kindOfField, readOption } from '../lib/calls/read-field.ts'
import { entriesOf } from './verbs.ts'

export interface Arguments {
  readonly words: readonly string[]
  readonly options: Fields
  readonly format: 'text' | 'json' | 'raw'
  readonly isHelp: boolean
}

/** Errors continue "VERB: …". */
export function readArguments(verb: Verb, args: readonly string[]): Result<Arguments, string> {
  const entries = entriesOf(verb)
  const words: string[] = []
  const texts = new Map<string, string[]>()
  let options: Fields = {}
  let format: Arguments['format'] = 'text'
  let isHelp = false
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? ''
    if (arg === '--') {
      words.push(...args.slice(index + 1))
      break
    }
    const [, flag, joinedText] = /^--([^=]+)(?:=(.*))?$/s.exec(arg) ?? []
    if (arg === '-h' || flag === 'help') isHelp = true
    else if (/^(-s|--session)(=|$)/.test(arg)) return err('-s NAME comes before the verb.')
    else if (flag === undefined) words.push(arg)
    else if (flag === 'json' || flag === 'raw') format = flag
    else {
      const option = findOption(verb, entries, flag)
      if (!option.ok) return option
      const { field, isOff, sets } = option.value
      const schema = entries[field]
      if (sets) options = { ...options, ...sets }
      else if (schema && kindOfField(schema) === 'switch')
        options = { ...options, [field]: isOff ? joinedText === 'false' : joinedText !== 'false' }
      else {
        const text = joinedText ?? args[(index += 1)]
        if (text === undefined || (joinedText === undefined && /^--./.test(text)))
          return err(`--${flag} needs a value.`)
        texts.set(field, [...(texts.get(field) ?? []), text])
      }
    }
  }
  for (const [field, values] of texts) {
    const schema = entries[field]
    const value = schema && readOption(schema, values)
    if (value && !value.ok) return err(`--${toKebabCase(field)} ${value.error}.`)
    if (value) options = { ...options, [field]: value.value }
  }
  return ok({ words, options, format, isHelp })
}

// --- internal ---

interface Option {
  readonly field: string
  /** `--no-` before the name of a switch. */
  readonly isOff: boolean
  /** The fields that it sets, where it is none itself. */
  readonly sets?: Fields
}

function findOption({ flags = {}, tools }: Verb, entries: Fields, flag: string): Result<Option, string> {
  const fold = (name: string) => toCamelCase(name.replaceAll('_', '-')).toLowerCase()
  const names = [...Object.keys(entries), ...Object.keys(flags)]
  const find = (name: string) => names.find((one) => fold(one) === fold(name))
  const name = find(flag) ?? find(flag.replace(/^no-/, ''))
  const [tool] = tools
  if (name === undefined) return err(describeUnknownOption(flag, names, tool.removed))
  const own = flags[name]
  if (typeof own === 'object') return ok({ field: name, isOff: false, sets: own })
  return ok({ field: own ?? name, isOff: find(flag) === undefined })
}

function describeUnknownOption(
  flag: string,
  names: readonly string[],
  removed: Tool['removed'] = {},
): string {
  const advice = Object.hasOwn(removed, toCamelCase(flag)) ? removed[toCamelCase(flag)] : undefined
  if (advice !== undefined) return `--${flag} was removed. ${advice}`
  if ((optionNames as readonly string[]).includes(toCamelCase(flag)))
    return `--${flag} is an option of the server, which runs already. footlight daemon stop ends it; the next open takes the option.`
  const closest = findClosestName(flag, names)
  const hint =
    closest === undefined
      ? 'A word that begins with -- comes after --.'
      : `Did you mean --${toKebabCase(closest)}?`
  return `unknown option --${clip(flag, 100)}. ${hint}`
}
