// The skill of footlight in the folder of a client that has skills.

import { dirname } from 'node:path'
import { createTwoFilesPatch } from 'diff'
import { removeIfEmpty } from '../../core/base/files/remove-folder.ts'
import { fail, printLine, printSentences } from '../../core/cli/terminal/output.ts'
import { backupPathOf, type ClientFile, readClientFile, replaceFile } from './client-file.ts'
import { clientOf } from './clients.ts'
import type { SetupRequest } from './setup-request.ts'
import { SKILL } from './skill-text.ts'

/** Writes the skill at `path`, or removes it. Answers the exit code. */
export function applySkill(request: SetupRequest, path: string): number {
  const file = readClientFile(path)
  if (!file.ok) return fail(file.error)
  const { title } = clientOf(request.client)
  const old = file.value.bytes && new TextDecoder().decode(file.value.bytes)
  if (old !== undefined && !/^name: footlight\r?$/m.test(old))
    return fail(`${path} is another skill. Move it away and try again.`)
  const removes = request.action === 'remove'
  if (removes && old === undefined) {
    if (request.skill === 'only') printSentences(`Nothing to remove: there is no ${path}.`)
    return 0
  }
  if (!removes && old === SKILL) {
    printSentences(`${title} already has the skill: ${path}.`)
    return 0
  }
  if (request.dryRun) {
    printPatch(path, old ?? '', removes ? '' : SKILL)
    return 0
  }
  return replaceSkill(file.value, removes, old !== undefined && old !== SKILL)
}

/** Prints what would change in a file. */
export function printPatch(path: string, before: string, after: string): void {
  const patch = createTwoFilesPatch(path, path, before, after, undefined, undefined)
  printLine(patch.replace(/^(Index: .*\n)?=+\n/, '').trimEnd())
}

// --- internal ---

function replaceSkill(file: ClientFile, removes: boolean, isChanged: boolean): number {
  const backup = isChanged ? backupPathOf(file) : undefined
  const replaceResult = replaceFile(file, removes ? undefined : new TextEncoder().encode(SKILL), backup)
  if (!replaceResult.ok) return fail(replaceResult.error)
  if (removes && !isChanged) removeIfEmpty(dirname(file.path))
  printSentences(`${removes ? 'Removed' : 'Wrote'} the skill: ${file.path}`)
  if (backup !== undefined) printSentences(`Backup of the previous file: ${backup}`)
  return 0
}
