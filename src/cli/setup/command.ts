// `footlight setup CLIENT`: prints how footlight is added to a client, or does it.

import { createTwoFilesPatch } from 'diff'
import { homedir } from 'node:os'
import process from 'node:process'
import { adding, bytesOf, removing, type Change } from './change.ts'
import { clientOf, entryOf, fileOf } from './clients.ts'
import { backups, open, replace, type Found } from './files.ts'
import { launchOf } from './launch.ts'
import { pathEntryOf } from './path-entry.ts'
import type { Request } from './request.ts'
import { snippet } from './snippet.ts'

/** Answers the exit code: 1 where a file could not be read or changed. */
export function setup(request: Request): number {
  const { client, name, scope, action } = request
  const { platform, env, execPath, argv } = process
  const file = fileOf(client, scope, { platform, env, home: homedir(), cwd: process.cwd() })
  if (file === undefined) throw new Error(`${client} has no file for ${scope}`)
  const pathEntry = pathEntryOf({ platform, path: env['PATH'] ?? '', execPath })
  // A file in a project is for other machines too.
  const hasPath = !clientOf(client).desktop || scope === 'project'
  const launch = launchOf({ platform, execPath, script: argv[1] ?? '', pathEntry }, request.options, hasPath)
  if (action === 'print') return say(snippet(client, { name, scope, launch, file, platform }))
  const found = open(file)
  if (!found.ok) return fail(found.error)
  const subject = { client, name, bytes: found.value.bytes }
  const change =
    action === 'write'
      ? adding(subject, entryOf(client, launch))
      : removing(subject, backups(found.value.path))
  return change.ok
    ? perform(request, found.value, change.value)
    : fail(`${file} ${change.error}. Nothing was changed.`)
}

// --- internal ---

function perform({ client, name, action, dryRun }: Request, found: Found, change: Change): number {
  const { title, then } = clientOf(client)
  if (change.kind === 'nothing') {
    return action === 'write'
      ? say(`${title} is already set up: ${found.path} has "${name}".`)
      : say(`Nothing to remove: ${found.path} has no "${name}".`)
  }
  const text = change.kind === 'write' ? change.text : undefined
  if (dryRun) {
    const before = change.was?.text ?? ''
    const patch = createTwoFilesPatch(found.path, found.path, before, text?.text ?? '', undefined, undefined)
    return say(patch.replace(/^(Index: .*\n)?=+\n/, '').trimEnd())
  }
  const done = replace(found, text && bytesOf(text), stamp())
  if (!done.ok) return fail(done.error)
  const verb = change.kind === 'write' && change.replaced ? 'Updated' : 'Wrote'
  say(
    action === 'write'
      ? `${verb}: "${name}" in ${found.path}. ${then}`
      : `Removed "${name}" from ${found.path}.`,
  )
  if (done.value !== undefined) say(`Backup of the previous file: ${done.value}`)
  return 0
}

const stamp = (): string => new Date().toISOString().replace(/[-:.]/g, '')

function say(text: string): 0 {
  process.stdout.write(`${text}\n`)
  return 0
}

function fail(text: string): 1 {
  process.stderr.write(`footlight: ${text}\n`)
  return 1
}
