import { toKebabCase, optionNames, optionOf, variableNameOf, type OptionName } from './options.ts'
import type { Option } from './option-schemas.ts'

export const groups: readonly Option['group'][] = ['Browser', 'Sessions', 'Tools', 'Safety', 'HTTP', 'Server']

export interface Commands {
  readonly [name: string]: { readonly about: string }
}

/** The text of `footlight --help`. */
export function helpText(version: string, commands: Commands): string {
  const rows = Object.entries(commands).map(([name, { about }]) => `  ${name.padEnd(12)}${about}`)
  return [
    `footlight ${version}: isolated browser sessions for AI agents, over MCP`,
    '',
    'Usage: footlight [options]            serve MCP on stdin and stdout',
    '       footlight COMMAND [options]',
    '',
    'Commands',
    ...rows,
    ...groups.flatMap((group) => ['', group, ...optionsInGroup(group).map(optionLine)]),
    '',
    `Every option is also an environment variable (${variableNameOf('sessionTimeout')}) and a config file key (sessionTimeout).`,
    'A flag overrides a variable; a variable overrides the config file.',
    '',
  ].join('\n')
}

export const optionsInGroup = (group: Option['group']): OptionName[] =>
  optionNames.filter((name) => optionOf(name).group === group)

/** The default as people read it, or nothing. */
export function defaultOf(name: OptionName): string {
  const { byDefault, schema } = optionOf(name)
  const value = (schema as { default?: unknown }).default
  return byDefault ?? (value === undefined ? '' : String(value))
}

function optionLine(name: OptionName): string {
  const { value, about } = optionOf(name)
  const flag = `--${toKebabCase(name)}${value ? ` ${value}` : ''}`
  const defaultText = defaultOf(name)
  return `  ${flag.padEnd(28)}${about}${defaultText ? ` (${defaultText})` : ''}`
}
