// Reading flags strictly. citty accepts what it does not know; here an unknown flag is an error that names the nearest one.

import { parseArgs } from 'node:util'
import { kebab } from './options.ts'
import { findClosestName } from '../../core/text/closest-name.ts'
import { err, ok, type Result } from '../../core/result.ts'

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
  const args = joined(raw, switches)
  const { tokens } = parseArgs({
    args,
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: declared(known, switches),
  })
  const values = new Map<string, string>()
  const rest: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') rest.push(token.value)
    if (token.kind !== 'option') continue
    const name = camel(token.name.replace(/^no-(?=.)/, ''))
    const negated = token.rawName.startsWith('--no-') && switches.includes(name)
    const key = negated ? name : camel(token.name)
    if (!known.includes(key) || !/^--./.test(token.rawName)) return err(unknown(token.rawName, known))
    if (token.value === undefined && !switches.includes(key)) return err(`${token.rawName} needs a value`)
    values.set(key, token.value ?? (negated ? 'false' : 'true'))
  }
  return ok({ values, rest })
}

function unknown(flag: string, known: readonly string[]): string {
  const close = findClosestName(
    flag,
    [...known, 'help', 'version'].map((name) => `--${kebab(name)}`),
  )
  return `unknown option ${flag}. ${close ? `Did you mean ${close}?` : 'See footlight --help.'}`
}

const camel = (flag: string): string => flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

const declared = (known: readonly string[], switches: readonly string[]) =>
  Object.fromEntries(
    known.flatMap((name) =>
      [...new Set([name, kebab(name)])].map((spelling) => [
        spelling,
        { type: switches.includes(name) ? 'boolean' : 'string' } as const,
      ]),
    ),
  )

// `--headless false` is written by people and by client configurations; for the parser it is `--headless=false`.
function joined(raw: readonly string[], switches: readonly string[]): string[] {
  const out: string[] = []
  for (const arg of raw) {
    const last = out.at(-1) ?? ''
    const follows =
      last.startsWith('--') && switches.includes(camel(last.slice(2))) && /^(true|false|\d+)$/.test(arg)
    if (follows) out[out.length - 1] = `${last}=${arg}`
    if (!follows) out.push(arg)
  }
  return out
}
