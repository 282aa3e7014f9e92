// `footlight setup CLIENT`: prints how footlight is added to a client, or does it.

import { homedir } from 'node:os'
import process from 'node:process'
import { isDeepStrictEqual } from 'node:util'
import { err, map, ok, type Result } from '../../core/base/result.ts'
import { printLine, printMessage, printSentences } from '../../core/cli/terminal/output.ts'
import { joinCommand } from '../../core/cli/terminal/quote-command.ts'
import { findPathEntry, type Launch, launchOf } from '../../core/cli/terminal/start-command.ts'
import {
  type Backup,
  backupPathOf,
  type ClientFile,
  readBackups,
  readClientFile,
  replaceFile,
} from './client-file.ts'
import { type ClientName, clientOf, entryOf, fileOf, type Scope, skillFileOf } from './clients.ts'
import { decode, encode, type Format, type Text } from './document.ts'
import { jsonFormat } from './json-format.ts'
import type { SetupRequest } from './setup-request.ts'
import { applySkill, printPatch } from './skill-file.ts'
import { tomlFormat } from './toml-format.ts'

/** Answers the exit code: 1 where a file could not be read or changed. */
export function runSetup(request: SetupRequest): number {
  const { client, scope, skill } = request
  const { platform, env } = process
  const environment = { platform, env, home: homedir(), cwd: process.cwd() }
  const entryExitCode = skill === 'only' ? 0 : setUpEntry(request, fileOf(client, scope, environment))
  const skillPath = skillFileOf(client, scope, environment)
  if (entryExitCode !== 0 || skill === 'no' || skillPath === undefined) return entryExitCode
  return applySkill(request, skillPath)
}

function setUpEntry(request: SetupRequest, path: string | undefined): number {
  const { client, name, scope, action } = request
  const { platform, env, execPath, argv } = process
  if (path === undefined) throw new Error(`${client} has no file for ${scope}`)
  const pathEntry = findPathEntry({ platform, path: env['PATH'] ?? '', execPath })
  // A file in a project is for other machines too.
  const hasPath = !clientOf(client).isDesktop || scope === 'project'
  const launch = launchOf({ platform, execPath, script: argv[1] ?? '', pathEntry }, request.options, hasPath)
  const { givenOptions } = request
  if (scope === 'project' && action !== 'remove' && launch.command === execPath)
    printMessage(OWN_PATH_WARNING)
  if (action === 'print') {
    const snippet = formatSnippet(client, { name, scope, launch, file: path, platform, givenOptions })
    const lastLine = snippet.lastIndexOf('\n') + 1
    printLine(snippet.slice(0, lastLine - 1))
    printSentences(snippet.slice(lastLine))
    if (clientOf(client).skills)
      printSentences(
        `footlight setup ${client} --skill installs a skill for its shell instead, --skill --write both.`,
      )
    return 0
  }
  const file = readClientFile(path)
  if (!file.ok) return fail(file.error)
  const backups = readBackups(file.value.path)
  const subject = { client, name, bytes: file.value.bytes }
  const change =
    action === 'write'
      ? planAddition(subject, entryOf(client, launch))
      : planRemoval(
          subject,
          backups.map(({ bytes }) => bytes),
        )
  return change.ok
    ? applyChange(request, file.value, change.value, backups)
    : fail(`${path} ${change.error}. Nothing was changed.`)
}

const OWN_PATH_WARNING =
  'the entry has the path of this executable on this machine. Others who use the project have it elsewhere: put footlight on the PATH first, then the entry has only its name'

function applyChange(
  { client, name, action, dryRun }: SetupRequest,
  file: ClientFile,
  change: FileChange,
  backups: readonly Backup[],
): number {
  const { title, nextStep } = clientOf(client)
  if (change.kind === 'nothing') {
    printSentences(
      action === 'write'
        ? `${title} is already set up: ${file.path} has "${name}".`
        : `Nothing to remove: ${file.path} has no "${name}".`,
    )
    return 0
  }
  const text = change.kind === 'write' ? change.text : undefined
  if (dryRun) {
    printPatch(file.path, change.was?.text ?? '', text?.text ?? '')
    return 0
  }
  const subject = { client, name, bytes: file.bytes }
  const original = backups.find(({ bytes }) => isSetupOf(subject, bytes))
  const backup = needsBackup(subject) && !original ? backupPathOf(file) : undefined
  const replaceResult = replaceFile(file, text && encode(text), backup)
  if (!replaceResult.ok) return fail(replaceResult.error)
  const verb = change.kind === 'write' && change.replaced ? 'Updated' : 'Wrote'
  printSentences(
    action === 'write'
      ? `${verb}: "${name}" in ${file.path}. ${nextStep}`
      : `Removed "${name}" from ${file.path}.`,
  )
  if (backup !== undefined) printSentences(`Backup of the previous file: ${backup}`)
  if (original) printSentences(`Backup of the original file: ${original.path}`)
  return 0
}

function fail(text: string): 1 {
  printMessage(text)
  return 1
}

// What becomes of a client's file, decided from its bytes alone.
export type FileChange =
  /** `was` is undefined where there is no file yet. */
  | {
      readonly kind: 'write'
      readonly was: Text | undefined
      readonly text: Text
      readonly replaced: boolean
    }
  /** The file holds nothing but what was put into it when it was made. */
  | { readonly kind: 'delete'; readonly was: Text }
  | { readonly kind: 'nothing' }

interface EntryFile {
  readonly client: ClientName
  readonly name: string
  /** The bytes of the file; undefined where there is none. */
  readonly bytes: Uint8Array | undefined
}

const formatOf = (client: ClientName): Format =>
  clientOf(client).format === 'toml' ? tomlFormat : jsonFormat

/** Puts the entry in, or brings an older one of that name up to date; its other fields stay. Errors continue "FILE …". */
export function planAddition(
  { client, name, bytes }: EntryFile,
  entry: Record<string, unknown>,
): Result<FileChange, string> {
  const decodeResult = bytes && decode(bytes)
  if (decodeResult && !decodeResult.ok) return decodeResult
  const { bom, text } = decodeResult?.value ?? { bom: false, text: '' }
  const location = { key: clientOf(client).key, name }
  const format = formatOf(client)
  const existing = format.entry(text, location)
  if (!existing.ok) return existing
  if (existing.value && includesFields(existing.value, entry)) return ok({ kind: 'nothing' })
  if (existing.value && !('command' in existing.value))
    return err(
      `has another kind of entry named "${name}". Pass --name to add a second one, or --remove the existing one first`,
    )
  return map(format.put(text, location, entry), (newText) => ({
    kind: 'write',
    was: decodeResult?.value,
    text: { bom, text: newText },
    replaced: existing.value !== undefined,
  }))
}

/** Takes the entry out. A backup that differs from the file by exactly the entry is what the file was, byte for byte. */
export function planRemoval(
  { client, name, bytes }: EntryFile,
  backups: readonly Uint8Array[],
): Result<FileChange, string> {
  if (!bytes) return ok({ kind: 'nothing' })
  const decodeResult = decode(bytes)
  if (!decodeResult.ok) return decodeResult
  const location = { key: clientOf(client).key, name }
  const format = formatOf(client)
  const existing = format.entry(decodeResult.value.text, location)
  if (!existing.ok) return existing
  const entry = existing.value
  if (!entry) return ok({ kind: 'nothing' })
  const isResultOf = (original: Text): boolean => {
    const newText = format.put(original.text, location, entry)
    return original.bom === decodeResult.value.bom && newText.ok && newText.value === decodeResult.value.text
  }
  const writeChange = (text: Text): FileChange => ({
    kind: 'write',
    was: decodeResult.value,
    text,
    replaced: false,
  })
  const hasNoEntry = ({ text }: Text): boolean => {
    const entryBefore = format.entry(text, location)
    return entryBefore.ok && entryBefore.value === undefined
  }
  const original = backups
    .map(decode)
    .flatMap((backup) => (backup.ok ? [backup.value] : []))
    .find((backup) => hasNoEntry(backup) && isResultOf(backup))
  if (original) return ok(writeChange(original))
  if (backups.length === 0 && isResultOf({ bom: false, text: '' }))
    return ok({ kind: 'delete', was: decodeResult.value })
  return map(format.drop(decodeResult.value.text, location), (text) =>
    writeChange({ bom: decodeResult.value.bom, text }),
  )
}

// What setup itself has made needs no copy.
const needsBackup = (file: EntryFile): boolean =>
  file.bytes !== undefined && (file.bytes.length === 0 || !isSetupOf(file, new Uint8Array()))

/** Whether the file is the original as it is, or with the entry that an earlier run put in. */
function isSetupOf({ client, name, bytes = new Uint8Array() }: EntryFile, original: Uint8Array): boolean {
  if (Buffer.from(bytes).equals(original)) return true
  const [now, before] = [decode(bytes), decode(original)]
  if (!now.ok || !before.ok || now.value.bom !== before.value.bom) return false
  const location = { key: clientOf(client).key, name }
  const format = formatOf(client)
  const [entry, oldEntry] = [now, before].map(({ value }) => format.entry(value.text, location))
  if (!entry?.ok || !entry.value || !oldEntry?.ok || oldEntry.value) return false
  const made = format.put(before.value.text, location, entry.value)
  if (made.ok && made.value === now.value.text) return true
  // An entry that was brought up to date may have its fields in another order.
  const left = format.drop(now.value.text, location)
  return left.ok && left.value.trimEnd() === before.value.text.trimEnd()
}

const includesFields = (existing: Record<string, unknown>, fields: Record<string, unknown>): boolean =>
  Object.entries(fields).every(
    ([field, value]) =>
      isDeepStrictEqual(existing[field], value) || (field === 'type' && existing[field] === undefined),
  )

interface SnippetOptions {
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
