// The files that Footlight keeps under names that others know, in folders that others may have filled. Each is written as a new file that
// takes the name, so whatever had the name before, and what a link led to, stays as it is. Nobody else's file is read or appended to.

import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, realpath, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { err, ok, type Result } from '../result.ts'

type Content = string | Uint8Array

interface WriteOptions {
  readonly mode?: number
  /** Whether it must outlast a machine that stops. */
  readonly isSynced?: boolean
}

/** Puts a file in the place of whatever has this path, except a folder. The folder of the path is a real one. Throws errors of the file system. */
export async function replaceFile(
  path: string,
  content: Content,
  { mode = 0o600, isSynced = false }: WriteOptions = {},
): Promise<void> {
  const temporary = join(dirname(path), temporaryNameOf(basename(path)))
  await createNewFile(temporary, content, mode, isSynced)
  try {
    // It may have become a link meanwhile.
    if ((await realpath(temporary)) !== temporary) throw new Error(`${dirname(path)} is a link`)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Whether a file is one that the replacement of `name` has left behind. */
export const isTemporaryOf = (file: string, name: string): boolean =>
  file.startsWith(`.${name}.`) && /\.[\da-f-]{36}\.tmp$/.test(file)

/** Creates a file; fails with EEXIST if there is one. Nothing remains of a file that cannot be written, as on a full disk. */
export async function createNewFile(
  path: string,
  content: Content,
  mode = 0o600,
  isSynced = false,
): Promise<void> {
  const file = await open(path, 'wx', mode)
  try {
    await file.writeFile(content)
    if (isSynced) await file.sync()
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

/** Appends a text, to a new file if there is none, and returns the size of the file then. Throws where it is not one of this user alone. */
export async function appendToFile(path: string, text: string): Promise<number> {
  const status = await lstat(path).catch(() => undefined)
  if (status) refuse(describeUnfit(status))
  const { O_APPEND, O_CREAT, O_WRONLY } = constants
  return withFile(path, O_APPEND | O_CREAT | O_WRONLY, async (file) => {
    const stats = await file.stat()
    refuse(describeHandle(stats, await lstat(path)))
    // A disk that is full takes a part, and says so only to who writes the rest.
    await file.writeFile(text)
    return stats.size + Buffer.byteLength(text)
  })
}

/** The bytes of a file of this user alone; undefined where there is none. The error says why it is not read. */
export function readKeptFile(path: string, limitBytes: number): Result<Buffer | undefined, string> {
  try {
    const status = lstatSync(path, { throwIfNoEntry: false })
    if (!status) return ok(undefined)
    const obstacle = describeUnfit(status, limitBytes)
    if (obstacle !== undefined) return err(obstacle)
    const file = openSync(path, constants.O_RDONLY | SAFE_FLAGS)
    try {
      const stats = fstatSync(file)
      const changed = describeHandle(stats, lstatSync(path), limitBytes)
      if (changed !== undefined) return err(changed)
      const bytes = Buffer.alloc(stats.size)
      return ok(bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0)))
    } finally {
      closeSync(file)
    }
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error))
  }
}

/** Opens what is no link, without waiting for what a pipe would have. */
export async function withFile<T>(
  path: string,
  flags: number,
  use: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const file = await open(path, flags | SAFE_FLAGS, 0o600)
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

// --- internal ---

const SAFE_FLAGS = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

const temporaryNameOf = (name: string): string => `.${name}.${crypto.randomUUID()}.tmp`

function refuse(obstacle: string | undefined): void {
  if (obstacle !== undefined) throw new Error(obstacle)
}

/** The same of a file that is open. Its path must still be its only name: the one by which it was opened may have been taken from a hard link. */
function describeHandle(handle: Stats, present: Stats, limitBytes?: number): string | undefined {
  const isSame = handle.ino === present.ino && handle.dev === present.dev
  return isSame ? describeUnfit(present, limitBytes) : 'it is another file than before'
}

/** Why a file may have been made or changed by somebody else. Windows has neither owners nor modes of this kind. */
function describeUnfit(stats: Stats, limitBytes = Infinity): string | undefined {
  if (stats.isSymbolicLink()) return 'it is a link'
  if (!stats.isFile()) return 'it is no regular file'
  if (stats.nlink > 1) return 'it is a hard link to another file'
  if (stats.size > limitBytes) return `it has ${stats.size} bytes, more than ${limitBytes}`
  if (process.getuid && stats.uid !== process.getuid()) return 'it belongs to another user'
  return process.getuid && (stats.mode & 0o022) !== 0 ? 'it may be written by other users' : undefined
}
