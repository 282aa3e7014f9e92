// Reads what a project or a repository has that others made: regular files up to a size. A pipe would never end, and a file may be larger
// than the memory.

import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isBelow } from './workspace-roots.ts'

/** More than anybody writes by hand. */
const WRITTEN_FILE_LIMIT_BYTES = 1_000_000

/** The bytes of a regular file, which a link may lead to; undefined for anything else, and for what is larger or cannot be read. */
export function readRegularFile(path: string, limitBytes = WRITTEN_FILE_LIMIT_BYTES): Buffer | undefined {
  try {
    // Devices act when they are opened.
    return statSync(path).isFile() ? readOpened(path, 0, limitBytes) : undefined
  } catch {
    return undefined
  }
}

/** The same for a file below `root`, a real path, to which no link leads. */
export function readFileBelow(path: string, root: string, limitBytes: number): Buffer | undefined {
  try {
    if (!isBelow(realpathSync(dirname(path)), root) || !statSync(path).isFile()) return undefined
    return readOpened(path, constants.O_NOFOLLOW ?? 0, limitBytes)
  } catch {
    return undefined
  }
}

// --- internal ---

// Without O_NONBLOCK the opening of a pipe that came in the place of the file would wait for a writer.
function readOpened(path: string, flags: number, limitBytes: number): Buffer | undefined {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | flags)
  try {
    const stats = fstatSync(file)
    if (!stats.isFile() || stats.size > limitBytes) return undefined
    const bytes = Buffer.alloc(stats.size)
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0))
  } finally {
    closeSync(file)
  }
}
