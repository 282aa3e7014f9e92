// Reads what a repository has that others made: regular files up to a size, and none that a link leads to.

import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { isBelow } from '../../runtime/files/workspace-roots.ts'

const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

/** The bytes of a file below `root`, a real path; undefined for anything else. Throws where there is none. */
export function readRegularFile(path: string, root: string, limitBytes: number): Buffer | undefined {
  // A pipe would never open.
  if (!isBelow(realpathSync(dirname(path)), root) || !lstatSync(path).isFile()) return undefined
  const file = openSync(path, OPEN_FLAGS)
  try {
    const stats = fstatSync(file)
    return stats.isFile() && stats.size <= limitBytes ? readFileSync(file) : undefined
  } finally {
    closeSync(file)
  }
}
