// What `footlight setup` was asked for.

import { err, ok, type Result } from '../../core/base/result.ts'
import { findClosestName } from '../../core/base/text/closest-name.ts'
import { readFlags, toCamelCase } from '../../core/cli/options/flags.ts'
import { optionNames } from '../../core/cli/options/option-list.ts'
import type { ClientName } from '../lib/client-programs.ts'
import { clientNames, clientOf, findSimilarClients, type Scope } from './clients.ts'

export interface SetupRequest {
  readonly client: ClientName
  readonly action: 'print' | 'write' | 'remove'
  readonly dryRun: boolean
  /** Whether the action is for the skill: beside the entry of the server, instead of it, or not. */
  readonly skill: 'no' | 'also' | 'only'
  /** The same for the hook of an agent that is about to stop. */
  readonly hook: 'no' | 'also' | 'only'
  readonly name: string
  readonly scope: Scope
  /** footlight's own options, as the client will give them. */
  readonly options: readonly string[]
  /** Those of them that were given. */
  readonly givenOptions: readonly string[]
}

export const setupFlags = ['write', 'skill', 'verify', 'remove', 'dryRun', 'name', 'scope'] as const
const setupSwitches = ['write', 'skill', 'verify', 'remove', 'dryRun'] as const
export const scopes: readonly Scope[] = ['user', 'project']

/** Reads the words after `setup`; what follows `--` is for footlight itself. Errors are sentences. */
export function parseSetupRequest(raw: readonly string[]): Result<SetupRequest, string> {
  const separator = raw.indexOf('--')
  const setupArgs = separator < 0 ? raw : raw.slice(0, separator)
  const serverArgs = separator < 0 ? [] : raw.slice(separator + 1)
  const flags = readFlags(setupArgs, setupFlags, setupSwitches)
  if (!flags.ok) return err(`setup: ${flags.error}${hintForOwnOption(setupArgs)}`)
  const { values, rest } = flags.value
  const client = findClient(rest[0])
  if (!client.ok) return client
  if (rest[1] !== undefined)
    return err(`setup: unexpected argument "${rest[1]}". footlight's own options come after --`)
  const isOn = (name: string) => values.get(name) === 'true'
  if (isOn('write') && isOn('remove')) return err('setup: --write and --remove cannot be combined')
  const name = values.get('name') ?? 'footlight'
  if (!/^[\w.-]{1,64}$/.test(name))
    return err(`setup: --name: expected letters, digits, _, - and ., received "${name}"`)
  const scope = scopes.find((one) => one === (values.get('scope') ?? 'user'))
  if (!scope) return err(`setup: --scope: expected user or project, received "${values.get('scope')}"`)
  const { title, files, skills, stopHook } = clientOf(client.value)
  if (isOn('skill') && !skills)
    return err(
      `setup: ${title} reads no skills from a folder. footlight setup ${client.value} --write adds the server`,
    )
  if (isOn('verify') && !stopHook)
    return err(
      `setup: ${title} has no hook for an agent that is about to stop. These have one: ${clientNames.filter((one) => clientOf(one).stopHook).join(', ')}`,
    )
  const isEntryMeant = isOn('write') || !(isOn('skill') || isOn('verify'))
  const partOf = (isNamed: boolean, exists: boolean) =>
    isNamed ? (isEntryMeant ? 'also' : 'only') : isEntryMeant && isOn('remove') && exists ? 'also' : 'no'
  if (isEntryMeant && !(scope in files))
    return err(`setup: ${title} has no project configuration file. Omit --scope`)
  const writes = ['write', 'skill', 'verify', 'dryRun'].some(isOn)
  const action = isOn('remove') ? 'remove' : writes ? 'write' : 'print'
  return ok({
    client: client.value,
    action,
    dryRun: isOn('dryRun'),
    skill: partOf(isOn('skill'), skills !== undefined),
    hook: partOf(isOn('verify'), stopHook !== undefined),
    name,
    scope,
    options: completeOptions(serverArgs),
    givenOptions: serverArgs,
  })
}

/** Where an option of Footlight stands before `--`. */
function hintForOwnOption(setupArgs: readonly string[]): string {
  const own = setupArgs.find(
    (arg) => arg.startsWith('--') && optionNames.some((name) => name === toCamelCase(optionOf(arg))),
  )
  return own === undefined ? '' : ` Footlight's own options come after --: -- ${own}`
}

const optionOf = (flag: string): string => flag.replace(/^--(?:no-)?/, '').replace(/=.*/, '')

// Five minutes are too short for an agent that waits for its user or for a build.
const SESSION_TIMEOUT_MS = 30 * 60_000

function completeOptions(givenOptions: readonly string[]): string[] {
  const names = (pattern: RegExp) => givenOptions.some((option) => pattern.test(option))
  const hasWindow = names(/^--(?:no-?)?(?:headless|headed|config)(=|$)/i)
  const hasTimeout = names(/^--(session-?timeout|max-?lifetime|config)(=|$)/i)
  return [
    ...(hasWindow ? [] : ['--headless']),
    ...givenOptions,
    ...(hasTimeout ? [] : ['--session-timeout', String(SESSION_TIMEOUT_MS)]),
  ]
}

function findClient(input: string | undefined): Result<ClientName, string> {
  const clientList = `The clients are ${clientNames.join(', ')}.`
  if (input === undefined)
    return err(`setup: missing client name, e.g. footlight setup cursor. ${clientList}`)
  const exact = clientNames.find((name) => name === input)
  if (exact) return ok(exact)
  const similar = findSimilarClients(input)
  const closest = findClosestName(input, clientNames)
  const names = similar.length > 0 ? similar : closest === undefined ? [] : [closest]
  return err(
    `setup: unknown client "${input}". ${names.length > 0 ? `Did you mean ${names.join(' or ')}?` : clientList}`,
  )
}
