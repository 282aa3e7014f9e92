// Reading flags strictly. citty accepts what it does not know; here an unknown flag is an error that names the nearest one.

import { parseArgs } from 'node:util'
import { err, ok, type Result } from '../../base/result.ts'
import { findClosestName } from '../../base/text/closest-name.ts'
import { isRepeatable } from './option-list.ts'
import { toKebabCase } from './option-names.ts'

export interface Flags {
  /** camelCase name to the text that was given; a bare switch is "true". */
  readonly values: ReadonlyMap<string, string>
  readonly rest: readonly string[]
}

/** `switches` need no value and take one only after `=` or as a following true or false. Errors are sentences. */
export function readFlags(
  raw: readonly string[],
  known: readonly string[],
  switches: readonly string[],
): Result<Flags, string> {
  const args = joinSwitchValues(raw.map(readHeaded), switches)
  const { tokens } = parseArgs({
    args,
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: parserOptions(known, switches),
  })
  const values = new Map<string, string>()
  const rest: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') rest.push(token.value)
    if (token.kind !== 'option') continue
    const name = toCamelCase(token.name.replace(/^no-(?=.)/, ''))
    const negated = token.rawName.startsWith('--no-') && switches.includes(name)
    const key = negated ? name : toCamelCase(token.name)
    if (!known.includes(key) || !/^--./.test(token.rawName))
      return err(describeUnknownFlag(token.rawName, known))
    if (token.value === undefined && !switches.includes(key)) return err(`${token.rawName} needs a value`)
    const value = token.value ?? (negated ? 'false' : 'true')
    const previous = isRepeatable(key) ? values.get(key) : undefined
    values.set(key, previous === undefined ? value : `${previous}\n${value}`)
  }
  return ok({ values, rest })
}

function describeUnknownFlag(flag: string, known: readonly string[]): string {
  const closest = findClosestName(
    flag,
    [...known, 'help', 'version'].map((name) => `--${toKebabCase(name)}`),
  )
  return `unknown option ${flag}. ${closest ? `Did you mean ${closest}?` : 'See footlight --help.'}`
}

export const toCamelCase = (flag: string): string =>
  flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

const parserOptions = (known: readonly string[], switches: readonly string[]) =>
  Object.fromEntries(
    known.flatMap((name) =>
      [...new Set([name, toKebabCase(name)])].map((spelling) => [
        spelling,
        { type: switches.includes(name) ? 'boolean' : 'string' } as const,
      ]),
    ),
  )

// `--headed` is the other word of one option.
const readHeaded = (flag: string): string =>
  flag
    .replace(/^--headed(?:=true)?$/, '--headless=false')
    .replace(/^--(?:no-headed|headed=false)$/, '--headless')

// `--headless false` is written by people and by client configurations; for the parser it is `--headless=false`.
function joinSwitchValues(raw: readonly string[], switches: readonly string[]): string[] {
  const args: string[] = []
  for (const arg of raw) {
    const previous = args.at(-1) ?? ''
    const isValueOfPrevious =
      previous.startsWith('--') &&
      switches.includes(toCamelCase(previous.slice(2))) &&
      /^(true|false|\d+)$/.test(arg)
    if (isValueOfPrevious) args[args.length - 1] = `${previous}=${arg}`
    if (!isValueOfPrevious) args.push(arg)
  }
  return args
}
