// docs/options.md: every option by group, from src/cli/options/options.ts.

import { choicesOf } from '../../src/cli/completion/grammar.ts'
import { defaultOf, groups, optionsInGroup } from '../../src/cli/options/help.ts'
import { toKebabCase, optionOf, variableNameOf, type OptionName } from '../../src/cli/options/options.ts'
import { cell, table } from './markdown.ts'

export function optionsPage(): string {
  return [
    '# Options',
    'Every option can be given in three ways: as a flag, as an environment variable, and as a key of the JSON file that `--config` names. A flag beats a variable, a variable beats the file. Flags may also be written in camelCase (`--sessionTimeout`). A switch is on when it stands alone and off as `--no-NAME` or `NAME=false`.',
    'An option or a value that Footlight does not know is refused with the nearest name, and the exit code is 2.',
    ...groups.flatMap((group) => [
      `## ${group}`,
      table(['flag', 'variable', 'config key', 'default', 'what it does'], optionsInGroup(group).map(row)),
    ]),
  ].join('\n\n')
}

function row(name: OptionName): string[] {
  const { value, about, also } = optionOf(name)
  const choices = choicesOf(name)
  const values = choices && !choices.every((one) => about.includes(one)) ? ` (${choices.join(', ')})` : ''
  return [
    `\`--${toKebabCase(name)}${value ? ` ${value}` : ''}\``,
    [variableNameOf(name), ...(also ? [also] : [])].map((one) => `\`${one}\``).join(' '),
    `\`${name}\``,
    cell(defaultOf(name) || '-'),
    cell(about + values),
  ]
}
