import { clientOf, entryOf, type ClientName, type Launch, type Scope } from './clients.ts'
import { jsonFormat } from './json-format.ts'
import { joinCommand } from './quote-command.ts'
import { tomlFormat } from './toml-format.ts'

export interface SnippetOptions {
  readonly name: string
  readonly scope: Scope
  readonly launch: Launch
  readonly file: string
  readonly platform: NodeJS.Platform
  /** What the person wrote after `--`. */
  readonly givenOptions: readonly string[]
}

/** What to add where, in words, with the client's own command where it has one. */
export function formatSnippet(
  client: ClientName,
  { name, scope, launch, file, platform, givenOptions }: SnippetOptions,
): string {
  const { title, key, format, cliCommand, nextStep } = clientOf(client)
  const put = (format === 'toml' ? tomlFormat : jsonFormat).put
  const text = put('', { key, name }, entryOf(client, launch))
  const command = cliCommand?.(name, launch, scope, platform)
  const writeCommand = joinCommand(
    [
      ...['footlight', 'setup', client],
      ...(scope === 'project' ? ['--scope', 'project'] : []),
      ...(name === 'footlight' ? [] : ['--name', name]),
      '--write',
      ...(givenOptions.length === 0 ? [] : ['--', ...givenOptions]),
    ],
    platform,
  )
  return [
    `${title}: add this to ${file}`,
    '',
    text.ok ? text.value.trimEnd() : text.error,
    '',
    ...(command ? ['or run', '', `  ${command}`, ''] : []),
    `${writeCommand} adds it and keeps the rest of the file. ${nextStep}`,
  ].join('\n')
}
