// New folders are made beside their place and renamed into it, so that nobody ever sees a half of one.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { removeFolder } from '../../core/base/files/remove-folder.ts'

const FOLDER_PREFIX = '.footlight-'

/** Other runs, also in containers that share the folder, are done with theirs by then. */
const FOLDER_AGE_LIMIT_MS = 24 * 3_600_000

/** A temporary folder within `root`. What runs that were killed left there is removed after a day. */
export function createStagingFolder(root: string): string {
  mkdirSync(root, { recursive: true })
  for (const name of readdirSync(root)) {
    if (name.startsWith(FOLDER_PREFIX) && isAbandoned(join(root, name))) removeFolder(join(root, name))
  }
  return mkdtempSync(join(root, FOLDER_PREFIX))
}

/** Moves a finished folder into place; what was there is removed. */
export function moveIntoPlace(folder: string, destination: string): void {
  mkdirSync(dirname(destination), { recursive: true })
  const displaced = existsSync(destination) ? createStagingFolder(dirname(destination)) : undefined
  if (displaced) renameSync(destination, join(displaced, 'old'))
  try {
    renameSync(folder, destination)
  } catch (error) {
    // What worked before goes on working.
    if (displaced) renameSync(join(displaced, 'old'), destination)
    throw error
  }
  if (displaced) removeFolder(displaced)
}

// --- internal ---

function isAbandoned(path: string): boolean {
  const status = statSync(path, { throwIfNoEntry: false })
  return status !== undefined && Date.now() - status.mtimeMs > FOLDER_AGE_LIMIT_MS
}
