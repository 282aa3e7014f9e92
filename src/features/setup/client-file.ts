// A client's file on the disk. It is replaced in one step by a file with the same mode and owner, after a copy of it was put
// beside it; a link is followed to the file that it names.

import {
  accessSync,
  chownSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { err, ok, type Result } from '../../core/base/result.ts'

export interface ClientFile {
  /** The file itself, behind any link. */
  readonly path: string
  /** Undefined where there is no file yet. */
  readonly bytes: Uint8Array | undefined
}

/** Reads the file behind `given`. Errors are sentences. */
export function readClientFile(linkPath: string): Result<ClientFile, string> {
  return runFileOperation<ClientFile>(linkPath, () => {
    if (!exists(linkPath)) return ok({ path: linkPath, bytes: undefined })
    if (!existsSync(linkPath))
      return err(`${linkPath} is a broken symbolic link. Create its target, or remove the link.`)
    const path = realpathSync(linkPath)
    if (!statSync(path).isFile()) return err(`${linkPath} is not a file. Move it away and try again.`)
    return ok({ path, bytes: readFileSync(path) })
  })
}

export interface Backup {
  readonly path: string
  readonly bytes: Uint8Array
}

/** The copies that were put beside a file, the newest first. */
export function readBackups(path: string): Backup[] {
  const folder = dirname(path)
  if (!existsSync(folder)) return []
  const prefix = `${basename(path)}.bak-`
  const names = readdirSync(folder).filter((name) => name.startsWith(prefix))
  return names
    .sort()
    .reverse()
    .map((name) => ({ path: join(folder, name), bytes: readFileSync(join(folder, name)) }))
}

/** Writes the file, or removes it where `bytes` is undefined. The old one is copied to `backup` before. */
export function replaceFile(
  { path, bytes: oldBytes }: ClientFile,
  bytes: Uint8Array | undefined,
  backup: string | undefined,
): Result<void, string> {
  return runFileOperation(path, () => {
    const folder = dirname(path)
    if (oldBytes === undefined) mkdirSync(folder, { recursive: true })
    const readOnlyPath = [path, folder].find((candidate) => exists(candidate) && !isWritable(candidate))
    if (readOnlyPath !== undefined)
      return err(`${readOnlyPath} is read-only. Make it writable (chmod u+w), or add the entry by hand.`)
    if (backup !== undefined) copyFileSync(path, backup, constants.COPYFILE_EXCL)
    if (oldBytes && !Buffer.from(oldBytes).equals(readFileSync(path)))
      return err(`${path} was changed by another program at the same time. Try again.`)
    if (bytes === undefined) rmSync(path)
    else writeFile(path, bytes, oldBytes !== undefined)
    return ok(undefined)
  })
}

/** Where the old bytes of a file are kept. */
export const backupPathOf = ({ path }: ClientFile): string =>
  `${path}.bak-${new Date().toISOString().replace(/[-:.]/g, '')}`

// --- internal ---

function writeFile(path: string, bytes: Uint8Array, replaces: boolean): void {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`)
  const oldStatus = replaces ? statSync(path) : undefined
  // It may hold what only its owner should read, from its first byte on.
  const file = openSync(temporary, 'wx', 0o600)
  try {
    fchmodSync(file, oldStatus ? oldStatus.mode & 0o777 : 0o644)
    writeFileSync(file, bytes)
    fsyncSync(file)
    closeSync(file)
    if (oldStatus && process.getuid && oldStatus.uid !== process.getuid())
      chownSync(temporary, oldStatus.uid, oldStatus.gid)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

// Root may write anything; a file that is marked read-only is meant to stay as it is all the same.
function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return (statSync(path).mode & 0o222) !== 0
  } catch {
    return false
  }
}

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

function runFileOperation<T>(path: string, run: () => Result<T, string>): Result<T, string> {
  try {
    return run()
  } catch (error) {
    const { code = 'unknown', message } = error as NodeJS.ErrnoException
    if (code === 'EACCES' || code === 'EPERM')
      return err(`${path} cannot be opened (${code}). Change its permissions, or add the entry by hand.`)
    return err(`${path} could not be changed: ${message}. Add the entry by hand.`)
  }
}
