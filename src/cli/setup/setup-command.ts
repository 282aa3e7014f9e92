// `footlight setup CLIENT`: prints how footlight is added to a client, or does it.

import { createTwoFilesPatch } from 'diff'
import { homedir } from 'node:os'
import process from 'node:process'
import { planAddition, bytesOf, planRemoval, type FileChange } from './file-change.ts'
import { clientOf, entryOf, fileOf } from './clients.ts'
import { readBackups, readClientFile, replaceFile, type ClientFile } from './client-file.ts'
import { launchOf } from './launch.ts'
import { findPathEntry } from './path-entry.ts'
import type { SetupRequest } from './setup-request.ts'
import { formatSnippet } from './snippet.ts'
import { printMessage } from '../output.ts'

/** Answers the exit code: 1 where a file could not be read or changed. */
export function runSetup(request: SetupRequest): number {
  const { client, name, scope, action } = request
  const { platform, env, execPath, argv } = process
  const path = fileOf(client, scope, { platform, env, home: homedir(), cwd: process.cwd() })
  if (path === undefined) throw new Error(`${client} has no file for ${scope}`)
  const pathEntry = findPathEntry({ platform, path: env['PATH'] ?? '', execPath })
  // A file in a project is for other machines too.
  const hasPath = !clientOf(client).isDesktop || scope === 'project'
  const launch = launchOf({ platform, execPath, script: argv[1] ?? '', pathEntry }, request.options, hasPath)
  const { givenOptions } = request
  if (scope === 'project' && action !== 'remove' && launch.command === execPath)
    printMessage(OWN_PATH_WARNING)
  if (action === 'print')
    return printLine(formatSnippet(client, { name, scope, launch, file: path, platform, givenOptions }))
  const file = readClientFile(path)
  if (!file.ok) return printFailure(file.error)
  const subject = { client, name, bytes: file.value.bytes }
  const change =
    action === 'write'
      ? planAddition(subject, entryOf(client, launch))
      : planRemoval(subject, readBackups(file.value.path))
  return change.ok
    ? applyChange(request, file.value, change.value)
    : printFailure(`${path} ${change.error}. Nothing was changed.`)
}

// --- internal ---

const OWN_PATH_WARNING =
  'the entry has the path of this executable on this machine. Others who use the project have it elsewhere: put footlight on the PATH first, then the entry has only its name'

function applyChange(
  { client, name, action, dryRun }: SetupRequest,
  file: ClientFile,
  change: FileChange,
): number {
  const { title, nextStep } = clientOf(client)
  if (change.kind === 'nothing') {
    return action === 'write'
      ? printLine(`${title} is already set up: ${file.path} has "${name}".`)
      : printLine(`Nothing to remove: ${file.path} has no "${name}".`)
  }
  const text = change.kind === 'write' ? change.text : undefined
  if (dryRun) {
    const before = change.was?.text ?? ''
    const patch = createTwoFilesPatch(file.path, file.path, before, text?.text ?? '', undefined, undefined)
    return printLine(patch.replace(/^(Index: .*\n)?=+\n/, '').trimEnd())
  }
  const replaceResult = replaceFile(file, text && bytesOf(text), timestamp())
  if (!replaceResult.ok) return printFailure(replaceResult.error)
  const verb = change.kind === 'write' && change.replaced ? 'Updated' : 'Wrote'
  printLine(
    action === 'write'
      ? `${verb}: "${name}" in ${file.path}. ${nextStep}`
      : `Removed "${name}" from ${file.path}.`,
  )
  if (replaceResult.value !== undefined) printLine(`Backup of the previous file: ${replaceResult.value}`)
  return 0
}

const timestamp = (): string => new Date().toISOString().replace(/[-:.]/g, '')

function printLine(text: string): 0 {
  process.stdout.write(`${text}\n`)
  return 0
}

function printFailure(text: string): 1 {
  process.stderr.write(`footlight: ${text}\n`)
  return 1
}
