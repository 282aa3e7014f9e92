// docs/options.md: every option by group, from src/core/cli/options/option-list.ts.

import { defaultOf } from '../../src/core/cli/commands/help.ts'
import { optionGroupNames, optionOf, optionsInGroup } from '../../src/core/cli/options/option-list.ts'
import { toKebabCase, variableNameOf } from '../../src/core/cli/options/option-names.ts'
import type { OptionName } from '../../src/core/cli/options/options.ts'
import { cell, table } from './markdown.ts'

export function optionsPage(): string {
  return [
    '# Options',
    '`footlight help options` prints what stands here.',
    'Every option can be set as a flag, as an environment variable, or as a key of the JSON file passed as `--config`. A flag overrides a variable; a variable overrides the file. Flags may also be written in camelCase (`--sessionTimeout`). A boolean flag is on when it has no value, and off as `--no-NAME` or `--NAME=false`.',
    'An unknown option or an invalid value is rejected with the closest known name; the exit code is 2.',
    ...optionGroupNames.flatMap((group) => [
      `## ${group}`,
      table(['flag', 'variable', 'config key', 'default', 'description'], optionsInGroup(group).map(row)),
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

/** The words that an option may be, where its schema lists them. */
function choicesOf(name: OptionName): readonly string[] | undefined {
  const { schema } = optionOf(name)
  const { wrapped = schema } = schema as { wrapped?: { options?: unknown } }
  const { options } = wrapped as { options?: unknown }
  return Array.isArray(options) && options.every((one) => typeof one === 'string') ? options : undefined
}
