// Flag beats environment beats file beats default. A bad value is reported with the place it came from.

import * as v from 'valibot'
import { kebab, optionNames, options, shown, variable, type OptionName, type Settings } from './options.ts'
import { findClosestName } from '../../core/text/closest-name.ts'
import { err, ok, type Result } from '../../core/result.ts'

export interface Sources {
  readonly flags: ReadonlyMap<string, string>
  readonly env: Readonly<Record<string, string | undefined>>
  /** Reads a config file; throws when it cannot. */
  readonly read: (path: string) => string
}

interface Given {
  readonly value: unknown
  readonly source: string
}

export function resolveSettings({ flags, env, read }: Sources): Result<Settings, string> {
  const path = flags.get('config') ?? (env[variable('config')] || undefined)
  const file = path === undefined ? ok({}) : configFile(path, read)
  if (!file.ok) return file
  const given = (name: OptionName): Given | undefined => {
    const flag = flags.get(name)
    if (flag !== undefined) return { value: flag, source: `--${kebab(name)}` }
    const set = env[variable(name)]
    if (set !== undefined && set !== '') return { value: set, source: variable(name) }
    const { also } = shown(name)
    const other = also === undefined ? undefined : env[also]
    if (also !== undefined && other !== undefined) return { value: other, source: also }
    const value = (file.value as Record<string, unknown>)[name]
    return value === undefined ? undefined : { value, source: `${name} in ${path}` }
  }
  const settings: Record<string, unknown> = {}
  for (const name of optionNames) {
    const one = given(name)
    const parsed = v.safeParse(options[name].schema, one?.value)
    if (!parsed.success) {
      const received = JSON.stringify(one?.value)?.slice(0, 200)
      return err(`${one?.source}: expected ${parsed.issues[0].message}, received ${received}`)
    }
    settings[name] = parsed.output
  }
  const { maxLifetime, sessionTimeout } = settings as Settings
  if (maxLifetime !== undefined && maxLifetime < sessionTimeout) {
    return err(
      `${given('maxLifetime')?.source}: expected at least the session timeout, ${sessionTimeout}, received ${maxLifetime}`,
    )
  }
  return ok(settings as Settings)
}

function configFile(path: string, read: Sources['read']): Result<Record<string, unknown>, string> {
  let parsed: unknown
  try {
    parsed = JSON.parse(read(path))
  } catch (error) {
    return err(`config ${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    return err(`config ${path}: expected a JSON object`)
  const strange = Object.keys(parsed).find((key) => !Object.hasOwn(options, key))
  if (strange === undefined) return ok(parsed as Record<string, unknown>)
  const close = findClosestName(strange, optionNames)
  return err(
    `config ${path}: unknown key "${strange.slice(0, 200)}". ${close ? `Did you mean "${close}"?` : `Known: ${optionNames.join(', ')}`}`,
  )
}
