// All options, in their order. The flag, the environment variable, the config key, the help text and docs/options.md are derived from them.

import { features } from '../../../features/index.ts'
import { placeEntries } from '../../tool/place-entries.ts'
import type { Option } from './option-schemas.ts'
import { type OptionName, ownOptions } from './options.ts'

const sets = [...ownOptions, ...features.flatMap(({ options = [] }) => options)]

export const options: Readonly<Record<string, Option>> = placeEntries(sets)

const groups = new Map(
  sets.flatMap(({ group, entries }) => Object.keys(entries).map((name) => [name, group] as const)),
)

/** The headings of groups, in the order in which they are explained. */
export const optionGroupNames = [...new Set(Object.keys(options).map((name) => groups.get(name) ?? ''))]

export const optionsInGroup = (group: string): readonly OptionName[] =>
  (Object.keys(options) as OptionName[]).filter((name) => groups.get(name) === group)

export const optionNames: readonly OptionName[] = optionGroupNames.flatMap(optionsInGroup)

/** Those of a server that others reach. */
export const servingOptions: readonly string[] = sets.flatMap(({ isForServing, entries }) =>
  isForServing ? Object.keys(entries) : [],
)

/** An option as it is shown: one type, whatever its schema. */
export function optionOf(name: OptionName): Option {
  const option = options[name]
  if (!option) throw new Error(`The feature of the option ${name} does not list it.`)
  return option
}

export const isRepeatable = (name: string): boolean => options[name]?.isRepeatable === true
