// What `footlight record` was asked for.

import { err, ok, type Result } from '../../core/base/result.ts'
import { readFlags } from '../../core/cli/options/flags.ts'
import { optionNames } from '../../core/cli/options/option-list.ts'

export interface RecordRequest {
  /** An absolute URL, or a path of the dev server. */
  readonly url: string
  /** The path of the test. */
  readonly save: string | undefined
  /** Its title. */
  readonly name: string | undefined
  /** The command of the dev server, and its folder. */
  readonly command: string | undefined
  readonly cwd: string | undefined
  readonly storageState: string | undefined
  /** footlight's own options. */
  readonly options: readonly string[]
}

const ownFlags = ['save', 'name', 'command', 'cwd', 'storageState'] as const

/** Reads the words after `record`. Errors are sentences. */
export function parseRecordRequest(
  raw: readonly string[],
  switches: readonly string[],
): Result<RecordRequest, string> {
  const flags = readFlags(raw, [...optionNames, ...ownFlags], switches)
  if (!flags.ok) return err(`record: ${flags.error}`)
  const { values, rest } = flags.value
  const command = values.get('command')
  const url = rest[0] ?? (command === undefined ? undefined : '/')
  const isUrl = url !== undefined && /^https?:/.test(url) && URL.canParse(url)
  const isPath = command !== undefined && url !== undefined && url.startsWith('/')
  if (rest.length > 1 || (!isUrl && !isPath))
    return err(
      'record: expected one address, e.g. record https://example.org, or record / --command "npm run dev"',
    )
  if (values.get('cwd') !== undefined && command === undefined)
    return err('record: --cwd is the folder of --command, which is missing')
  const empty = ownFlags.find((name) => values.get(name) === '')
  if (empty !== undefined) return err(`record: --${empty} is empty`)
  const options = [...values].flatMap(([name, value]) =>
    (ownFlags as readonly string[]).includes(name) ? [] : [`--${name}=${value}`],
  )
  return ok({
    url,
    save: values.get('save'),
    name: values.get('name'),
    command,
    cwd: values.get('cwd'),
    storageState: values.get('storageState'),
    options,
  })
}
