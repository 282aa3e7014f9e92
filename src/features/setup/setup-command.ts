// `footlight setup CLIENT`: prints how footlight is added to a client, or does it.

import { homedir } from 'node:os'
import process from 'node:process'
import { isDeepStrictEqual } from 'node:util'
import { err, map, ok, type Result } from '../../core/base/result.ts'
import { fail, printLine, printMessage, printSentences } from '../../core/cli/terminal/output.ts'
import { joinCommand } from '../../core/cli/terminal/quote-command.ts'
import { findPathEntry, type Launch, launchOf } from '../../core/cli/terminal/start-command.ts'
import type { ClientName } from '../lib/client-programs.ts'
import {
  type Backup,
  backupPathOf,
  type ClientFile,
  readBackups,
  readClientFile,
  replaceFile,
} from './client-file.ts'
import { clientOf, entryOf, fileOf, hookFileOf, skillFileOf } from './clients.ts'
import { decode, encode, type EntryLocation, type Format, type Text } from './document.ts'
import { hookFormatOf } from './hook-format.ts'
import { jsonFormat } from './json-format.ts'
import type { SetupRequest } from './setup-request.ts'
import { applySkill, printPatch } from './skill-file.ts'
import { tomlFormat } from './toml-format.ts'

/** Answers the exit code: 1 where a file could not be read or changed. */
export function runSetup(request: SetupRequest): number {
  const { client, scope, skill, hook } = request
  const { platform, env } = process
  const environment = { platform, env, home: homedir(), cwd: process.cwd() }
  const isEntryMeant = skill !== 'only' && hook !== 'only'
  const skillPath = skillFileOf(client, scope, environment)
  const steps = [
    () => (isEntryMeant ? setUpEntry(request, fileOf(client, scope, environment), false) : 0),
    () => (hook === 'no' ? 0 : setUpEntry(request, hookFileOf(client, scope, environment), true)),
  ]
  // What was added last goes first: one file may have both.
  for (const step of request.action === 'remove' ? steps.toReversed() : steps) {
    const exitCode = step()
    if (exitCode !== 0) return exitCode
  }
  return skill === 'no' || skillPath === undefined ? 0 : applySkill(request, skillPath)
}

/** Adds or removes the entry of the server, or the hook. */
function setUpEntry(request: SetupRequest, path: string | undefined, isHook: boolean): number {
  const { client, name, scope, action } = request
  const { platform, env, execPath, argv } = process
  if (path === undefined) throw new Error(`${client} has no file for ${scope}`)
  const pathEntry = findPathEntry({ platform, path: env['PATH'] ?? '', execPath })
  // A file in a project is for other machines too.
  const hasPath = !clientOf(client).isDesktop || scope === 'project'
  const executable = { platform, execPath, script: argv[1] ?? '', pathEntry }
  const launch = launchOf(executable, isHook ? hookWordsOf(request) : request.options, hasPath)
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
    if (clientOf(client).stopHook)
      printSentences(
        `footlight setup ${client} --verify adds a hook: the agent cannot stop unasked while what it changed has not run.`,
      )
    return 0
  }
  const file = readClientFile(path)
  if (!file.ok) return fail(file.error)
  const backups = readBackups(file.value.path)
  const subject = { client, name, bytes: file.value.bytes, isHook }
  const hookEntry = clientOf(client).stopHook?.entry(joinCommand([launch.command, ...launch.args], platform))
  const change =
    action === 'write'
      ? planAddition(subject, (isHook && hookEntry) || entryOf(client, launch))
      : planRemoval(
          subject,
          backups.map(({ bytes }) => bytes),
        )
  return change.ok
    ? applyChange(request, subject, file.value, change.value, backups)
    : fail(`${path} ${change.error}. Nothing was changed.`)
}

/** The words of the hook's command; it looks for the ledger where the server writes it. */
function hookWordsOf({ client, givenOptions }: SetupRequest): readonly string[] {
  const at = givenOptions.findIndex((option) => /^--output-?dir(=|$)/i.test(option))
  const outputDir = at < 0 ? [] : givenOptions.slice(at, givenOptions[at]?.includes('=') ? at + 1 : at + 2)
  return ['verify', '--hook', client, ...outputDir]
}

const OWN_PATH_WARNING =
  'the entry has the path of this executable on this machine. Others who use the project have it elsewhere: put footlight on the PATH first, then the entry has only its name'

function applyChange(
  { client, name, action, dryRun, hook }: SetupRequest,
  subject: EntryFile,
  file: ClientFile,
  change: FileChange,
  backups: readonly Backup[],
): number {
  const { title, nextStep, stopHook } = clientOf(client)
  const { isHook } = subject
  const what = isHook ? `hook ${stopHook?.event}` : `"${name}"`
  if (change.kind === 'nothing') {
    if (action === 'write') printSentences(`${title} is already set up: ${file.path} has ${what}.`)
    else if (!isHook || hook === 'only') printSentences(`Nothing to remove: ${file.path} has no ${what}.`)
    return 0
  }
  const text = change.kind === 'write' ? change.text : undefined
  if (dryRun) {
    printPatch(file.path, change.was?.text ?? '', text?.text ?? '')
    return 0
  }
  const original = backups.find(({ bytes }) => isSetupOf(subject, bytes))
  const isMade = !needsBackup(subject) || !needsBackup(withoutHook(subject))
  const backup = isMade || original ? undefined : backupPathOf(file)
  const replaceResult = replaceFile(file, text && encode(text), backup)
  if (!replaceResult.ok) return fail(replaceResult.error)
  const verb = change.kind === 'write' && change.replaced ? 'Updated' : 'Wrote'
  printSentences(
    action === 'write'
      ? `${verb}: ${what} in ${file.path}. ${isHook ? stopHook?.nextStep : nextStep}`
      : `Removed ${what} from ${file.path}.`,
  )
  if (backup !== undefined) printSentences(`Backup of the previous file: ${backup}`)
  if (original) printSentences(`Backup of the original file: ${original.path}`)
  return 0
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
  /** Whether it is about the hook, not the entry of the server. */
  readonly isHook?: boolean
}

/** How and where the entry, or the hook, stands in the file. */
function placeOf({ client, name, isHook }: EntryFile): { format: Format; location: EntryLocation } {
  const { format, key, stopHook } = clientOf(client)
  return isHook && stopHook
    ? { format: hookFormatOf(stopHook.version), location: { key: 'hooks', name: stopHook.event } }
    : { format: format === 'toml' ? tomlFormat : jsonFormat, location: { key, name } }
}

/** Puts the entry in, or brings an older one of that name up to date; its other fields stay. Errors continue "FILE …". */
export function planAddition(file: EntryFile, entry: Record<string, unknown>): Result<FileChange, string> {
  const { name, bytes, isHook } = file
  const decodeResult = bytes && decode(bytes)
  if (decodeResult && !decodeResult.ok) return decodeResult
  const { bom, text } = decodeResult?.value ?? { bom: false, text: '' }
  const { format, location } = placeOf(file)
  const existing = format.entry(text, location)
  if (!existing.ok) return existing
  if (existing.value && includesFields(existing.value, entry)) return ok({ kind: 'nothing' })
  if (existing.value && !isHook && !('command' in existing.value))
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
export function planRemoval(file: EntryFile, backups: readonly Uint8Array[]): Result<FileChange, string> {
  const { bytes } = file
  if (!bytes) return ok({ kind: 'nothing' })
  const decodeResult = decode(bytes)
  if (!decodeResult.ok) return decodeResult
  const { format, location } = placeOf(file)
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

/** The file as it would be without the hook, for what is about the server. */
function withoutHook(file: EntryFile): EntryFile {
  if (!clientOf(file.client).stopHook) return file
  const { format, location } = placeOf({ ...file, isHook: true })
  const decodeResult = file.bytes && decode(file.bytes)
  const dropResult = decodeResult?.ok ? format.drop(decodeResult.value.text, location) : undefined
  if (!decodeResult?.ok || !dropResult?.ok) return file
  return { ...file, isHook: false, bytes: encode({ ...decodeResult.value, text: dropResult.value }) }
}

/** Whether the file is the original as it is, or with the entry that an earlier run put in. */
function isSetupOf(file: EntryFile, original: Uint8Array): boolean {
  const { bytes = new Uint8Array() } = file
  if (Buffer.from(bytes).equals(original)) return true
  const [now, before] = [decode(bytes), decode(original)]
  if (!now.ok || !before.ok || now.value.bom !== before.value.bom) return false
  const { format, location } = placeOf(file)
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

interface SnippetOptions extends Pick<SetupRequest, 'name' | 'scope' | 'givenOptions'> {
  readonly launch: Launch
  readonly file: string
  readonly platform: NodeJS.Platform
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
