// Rules about several options together.

import * as v from 'valibot'
import { features } from '../../../features/index.ts'
import { parseUserProxy, type UserProxy } from '../../base/network/user-proxy.ts'
import { optionNames, optionOf, options, servingOptions } from './option-list.ts'
import { toKebabCase } from './option-names.ts'
import type { Access, SettingFacts, Settings } from './options.ts'

/** What the first feature says that has something to say. */
const ask = <T>(question: (feature: (typeof features)[number]) => T | undefined): T | undefined =>
  features.map(question).find((answer) => answer !== undefined)

export const accessOf = (settings: Settings): Access | undefined =>
  ask((feature) => feature.accessOf?.(settings))

/** The settings of a command with a server of its own, which nobody else reaches. */
export const withoutServing = (settings: Settings): Settings => ({
  ...settings,
  ...Object.fromEntries(
    servingOptions.map((name) => [name, options[name] && v.getDefault(options[name].schema)]),
  ),
})

/** Whether the id of a session is all that a client needs to use it, because clients cannot be told apart. */
export const hasHandles = (settings: Settings): boolean => accessOf(settings)?.isAnonymous === true

/** Whether calls may omit `sessionId`. The other naming styles require it, as the designs do that they come from. */
export const isSessionOptional = ({ names, implicitSession }: Settings): boolean =>
  names === 'footlight' || implicitSession

export const factsOf = (settings: Settings): SettingFacts => ({
  access: accessOf(settings),
  elsewhereFlags: optionNames
    .filter((name) => optionOf(name).isElsewhere && settings[name] !== undefined)
    .map((name) => `--${toKebabCase(name)}`),
})

/** Why these options cannot be used together, or undefined. */
export function findOptionConflict(settings: Settings): string | undefined {
  const { proxyServer, proxyBypass } = settings
  const facts = factsOf(settings)
  const conflict = ask((feature) => feature.findConflict?.(settings, facts))
  if (conflict !== undefined) return conflict
  if (proxyServer === undefined)
    return proxyBypass === undefined ? undefined : '--proxy-bypass requires --proxy-server'
  const [flag] = facts.elsewhereFlags
  return flag && `--proxy-server is for browsers that Footlight starts: omit it, or ${flag}`
}

/** Why a browser cannot be started behind the proxy of these options. */
export const findProxyConflict = (settings: Settings): string | undefined =>
  settings.proxyServer === undefined && settings.proxyBypass === undefined
    ? undefined
    : findOptionConflict(settings)

export const describeIgnoredOptions = (settings: Settings): string | undefined =>
  ask(({ describeIgnored }) => describeIgnored?.(settings))

/** The proxy of the options, if there is one. */
export function userProxyOf({ proxyServer, proxyBypass }: Pick<Settings, 'proxyServer' | 'proxyBypass'>): {
  readonly userProxy?: UserProxy
} {
  const userProxy = proxyServer === undefined ? undefined : parseUserProxy(proxyServer, proxyBypass)
  return userProxy ? { userProxy } : {}
}
