import { mkdir, realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { diskFailure } from './output-folder.ts'
import type { Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'

/** Creates a folder and the missing ones above it, if the first existing one above it may be used. Links are followed before that is
 * checked. */
export async function createMissingFolders(
  folder: string,
  checkFolder: (path: string) => Promise<Outcome<string>>,
): Promise<Outcome<void>> {
  const existing = await findExistingFolder(folder)
  const check = await checkFolder(existing)
  if (!check.ok) return check
  try {
    if (existing !== folder) await mkdir(folder, { recursive: true })
    return ok(undefined)
  } catch (error) {
    return err(diskFailure(folder, error))
  }
}

/** The folder, or the first one above it that exists. */
export async function findExistingFolder(folder: string): Promise<string> {
  const isFound = dirname(folder) === folder || (await isExisting(folder))
  return isFound ? folder : findExistingFolder(dirname(folder))
}

const isExisting = (path: string): Promise<boolean> =>
  realpath(path).then(
    () => true,
    () => false,
  )
