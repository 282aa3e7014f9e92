import { clientOf, entryOf, type ClientName, type Launch, type Scope } from './clients.ts'
import { jsonFormat } from './json.ts'
import { tomlFormat } from './toml.ts'

export interface Shown {
  readonly name: string
  readonly scope: Scope
  readonly launch: Launch
  readonly file: string
  readonly platform: NodeJS.Platform
}

/** What to add where, in words, with the client's own command where it has one. */
export function snippet(client: ClientName, { name, scope, launch, file, platform }: Shown): string {
  const { title, key, format, own, then } = clientOf(client)
  const put = (format === 'toml' ? tomlFormat : jsonFormat).put
  const text = put('', { key, name }, entryOf(client, launch))
  const command = own?.(name, launch, scope, platform)
  const flags = [scope === 'project' ? ' --scope project' : '', name === 'footlight' ? '' : ` --name ${name}`]
  return [
    `${title}: add this to ${file}`,
    '',
    text.ok ? text.value.trimEnd() : text.error,
    '',
    ...(command ? ['or run', '', `  ${command}`, ''] : []),
    `footlight setup ${client}${flags.join('')} --write adds it and keeps the rest of the file. ${then}`,
  ].join('\n')
}
