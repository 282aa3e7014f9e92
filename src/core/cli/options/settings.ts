// Flag beats environment beats file beats default. A bad value is reported with the place it came from.

import * as v from 'valibot'
import { err, ok, type Result } from '../../base/result.ts'
import { findClosestName } from '../../base/text/closest-name.ts'
import { optionNames, optionOf, options } from './option-list.ts'
import { toKebabCase, variableNameOf } from './option-names.ts'
import type { OptionName, Settings } from './options.ts'

export interface SettingSources {
  readonly flags: ReadonlyMap<string, string>
  readonly env: Readonly<Record<string, string | undefined>>
  /** Reads a config file; throws when it cannot. */
  readonly read: (path: string) => string
}

interface SettingValue {
  readonly value: unknown
  readonly source: string
}

export function resolveSettings({ flags, env, read }: SettingSources): Result<Settings, string> {
  const path = flags.get('config') ?? (env[variableNameOf('config')] || undefined)
  const file = path === undefined ? ok({}) : readConfigFile(path, read)
  if (!file.ok) return file
  const findValue = (name: OptionName): SettingValue | undefined => {
    const flag = flags.get(name)
    if (flag !== undefined) return { value: flag, source: `--${toKebabCase(name)}` }
    const fromEnvironment = env[variableNameOf(name)]
    if (fromEnvironment !== undefined && fromEnvironment !== '')
      return { value: fromEnvironment, source: variableNameOf(name) }
    const { also: alias } = optionOf(name)
    const fromAlias = alias === undefined ? undefined : env[alias]
    if (alias !== undefined && fromAlias !== undefined) return { value: fromAlias, source: alias }
    const value = (file.value as Record<string, unknown>)[name]
    return value === undefined ? undefined : { value, source: `${name} in ${path}` }
  }
  const settings = {} as Record<OptionName, unknown>
  for (const name of optionNames) {
    const input = findValue(name)
    const parseResult = v.safeParse(optionOf(name).schema, input?.value)
    if (!parseResult.success) {
      const text = hideCredentials(JSON.stringify(input?.value))?.slice(0, 200)
      const received = optionOf(name).isSecret ? '' : `, received ${text}`
      return err(`${input?.source}: expected ${parseResult.issues[0].message}${received}`)
    }
    settings[name] = parseResult.output
  }
  const { maxLifetime, sessionTimeout } = settings as Settings
  if (maxLifetime !== undefined && maxLifetime < sessionTimeout) {
    return err(
      `${findValue('maxLifetime')?.source}: expected at least the session timeout, ${sessionTimeout}, received ${maxLifetime}`,
    )
  }
  return ok(settings as Settings)
}

/** What is said of each variable that no option has and that is close to that of one: other programs have variables too. */
export function describeUnknownVariables(env: SettingSources['env']): string[] {
  const prefix = variableNameOf('')
  const known = [...optionNames.map((name) => variableNameOf(name)), ...OTHER_VARIABLES]
  return Object.keys(env).flatMap((name) => {
    if (!name.startsWith(prefix) || known.includes(name)) return []
    const closest = findClosestName(
      name.slice(prefix.length),
      known.map((one) => one.slice(prefix.length)),
    )
    return closest === undefined
      ? []
      : `${name} is not a variable of Footlight. Did you mean ${prefix}${closest}?`
  })
}

// They belong to no option.
const OTHER_VARIABLES = ['FOOTLIGHT_TOKEN', 'FOOTLIGHT_RUN', 'FOOTLIGHT_SERVER', 'FOOTLIGHT_JOB_START']

function readConfigFile(path: string, read: SettingSources['read']): Result<Record<string, unknown>, string> {
  let document: unknown
  try {
    document = JSON.parse(read(path))
  } catch (error) {
    return err(`config ${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    return err(`config ${path}: expected a JSON object`)
  const unknownKey = Object.keys(document).find((key) => !Object.hasOwn(options, key))
  if (unknownKey === undefined) return ok(document as Record<string, unknown>)
  const closest = findClosestName(unknownKey, optionNames)
  return err(
    `config ${path}: unknown key "${unknownKey.slice(0, 200)}". ${closest ? `Did you mean "${closest}"?` : `Known: ${optionNames.join(', ')}`}`,
  )
}

// What stands before the host of a URL may be a password, and its query may be a key.
const hideCredentials = (text: string | undefined): string | undefined =>
  text
    ?.replace(/:\/\/.*@/s, '://…@')
    .replace(/^"[^/]*@/s, '"…@')
    .replace(/(:\/\/[^?]*\?).*/s, '$1…"')
