// verify.md where no session has a folder for it.

import { join } from 'node:path'
import type { Outcome } from '../../core/base/failure.ts'
import { replaceFile } from '../../core/base/files/kept-files.ts'
import { diskFailure, openFolder } from '../../core/base/files/output-folder.ts'
import { err, ok } from '../../core/base/result.ts'
import { LEDGER_FOLDER } from './ledger/ledger-file.ts'

export const FILE_NAME = 'verify.md'

/** Writes it beside the ledgers, and returns its path. */
export async function writeVerdict(outputFolder: string, markdown: string): Promise<Outcome<string>> {
  const folder = await openFolder(outputFolder, LEDGER_FOLDER)
  if (!folder.ok) return folder
  const path = join(folder.value, FILE_NAME)
  return replaceFile(path, markdown).then(
    () => ok(path),
    (error: unknown) => err(diskFailure(path, error)),
  )
}
