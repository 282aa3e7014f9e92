// What `footlight setup` was asked for.

import { clientNames, clientOf, meant, type ClientName, type Scope } from './clients.ts'
import { readFlags } from '../options/flags.ts'
import { findClosestName } from '../../core/text/closest-name.ts'
import { err, ok, type Result } from '../../core/result.ts'

export interface Request {
  readonly client: ClientName
  readonly action: 'print' | 'write' | 'remove'
  readonly dryRun: boolean
  readonly name: string
  readonly scope: Scope
  /** footlight's own options, as the client will give them. */
  readonly options: readonly string[]
}

export const setupFlags = ['write', 'remove', 'dryRun', 'name', 'scope'] as const
export const setupSwitches = ['write', 'remove', 'dryRun'] as const
export const scopes: readonly Scope[] = ['user', 'project']

/** Reads the words after `setup`; what follows `--` is for footlight itself. Errors are sentences. */
export function requestOf(raw: readonly string[]): Result<Request, string> {
  const dashes = raw.indexOf('--')
  const own = dashes < 0 ? raw : raw.slice(0, dashes)
  const given = dashes < 0 ? [] : raw.slice(dashes + 1)
  const flags = readFlags(own, setupFlags, setupSwitches)
  if (!flags.ok) return err(`setup: ${flags.error}`)
  const { values, rest } = flags.value
  const client = clientNamed(rest[0])
  if (!client.ok) return client
  if (rest[1] !== undefined)
    return err(`setup: unexpected argument "${rest[1]}". footlight's own options come after --`)
  const on = (name: string) => values.get(name) === 'true'
  if (on('write') && on('remove')) return err('setup: --write and --remove cannot be combined')
  const name = values.get('name') ?? 'footlight'
  if (!/^[\w.-]{1,64}$/.test(name))
    return err(`setup: --name: expected letters, digits, _, - and ., received "${name}"`)
  const scope = scopes.find((one) => one === (values.get('scope') ?? 'user'))
  if (!scope) return err(`setup: --scope: expected user or project, received "${values.get('scope')}"`)
  if (!(scope in clientOf(client.value).files))
    return err(`setup: ${clientOf(client.value).title} has no project configuration file. Omit --scope`)
  const action = on('remove') ? 'remove' : on('write') || on('dryRun') ? 'write' : 'print'
  const options = given.length > 0 ? given : ['--headless']
  return ok({ client: client.value, action, dryRun: on('dryRun'), name, scope, options })
}

function clientNamed(given: string | undefined): Result<ClientName, string> {
  const all = `The clients are ${clientNames.join(', ')}.`
  if (given === undefined) return err(`setup: missing client name, e.g. footlight setup cursor. ${all}`)
  const exact = clientNames.find((name) => name === given)
  if (exact) return ok(exact)
  const close = meant(given)
  const one = findClosestName(given, clientNames)
  const names = close.length > 0 ? close : one === undefined ? [] : [one]
  return err(
    `setup: unknown client "${given}". ${names.length > 0 ? `Did you mean ${names.join(' or ')}?` : all}`,
  )
}
