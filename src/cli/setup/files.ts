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
import { err, ok, type Result } from '../../core/result.ts'

export interface Found {
  /** The file itself, behind any link. */
  readonly path: string
  /** Undefined where there is no file yet. */
  readonly bytes: Uint8Array | undefined
}

/** Reads the file behind `given`. Errors are sentences. */
export function open(given: string): Result<Found, string> {
  return attempt<Found>(given, () => {
    if (!exists(given)) return ok({ path: given, bytes: undefined })
    if (!existsSync(given))
      return err(`${given} is a broken symbolic link. Create its target, or remove the link.`)
    const path = realpathSync(given)
    if (!statSync(path).isFile()) return err(`${given} is not a file. Move it away and try again.`)
    return ok({ path, bytes: readFileSync(path) })
  })
}

/** The copies that were put beside a file, the newest first. */
export function backups(path: string): Uint8Array[] {
  const folder = dirname(path)
  if (!existsSync(folder)) return []
  const prefix = `${basename(path)}.bak-`
  const names = readdirSync(folder).filter((name) => name.startsWith(prefix))
  return names
    .sort()
    .reverse()
    .map((name) => readFileSync(join(folder, name)))
}

/** Writes the file, or removes it where `bytes` is undefined. Answers where the copy of the old one lies, if there was one. */
export function replace(
  { path, bytes: was }: Found,
  bytes: Uint8Array | undefined,
  stamp: string,
): Result<string | undefined, string> {
  return attempt<string | undefined>(path, () => {
    const folder = dirname(path)
    if (was === undefined) mkdirSync(folder, { recursive: true })
    const closed = [path, folder].find((place) => exists(place) && !writable(place))
    if (closed !== undefined)
      return err(`${closed} is read-only. Make it writable (chmod u+w), or add the entry by hand.`)
    const backup = was && `${path}.bak-${stamp}`
    if (backup !== undefined) copyFileSync(path, backup, constants.COPYFILE_EXCL)
    if (was && !Buffer.from(was).equals(readFileSync(path)))
      return err(`${path} was changed by another program at the same time. Try again.`)
    if (bytes === undefined) rmSync(path)
    else put(path, bytes, was !== undefined)
    return ok(backup)
  })
}

// --- internal ---

function put(path: string, bytes: Uint8Array, replaces: boolean): void {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`)
  const old = replaces ? statSync(path) : undefined
  // It may hold what only its owner should read, from its first byte on.
  const file = openSync(temporary, 'wx', 0o600)
  try {
    fchmodSync(file, old ? old.mode & 0o777 : 0o644)
    writeFileSync(file, bytes)
    fsyncSync(file)
    closeSync(file)
    if (old && process.getuid && old.uid !== process.getuid()) chownSync(temporary, old.uid, old.gid)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

// Root may write anything; a file that is marked read-only is meant to stay as it is all the same.
function writable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return (statSync(path).mode & 0o222) !== 0
  } catch {
    return false
  }
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

function attempt<T>(path: string, run: () => Result<T, string>): Result<T, string> {
  try {
    return run()
  } catch (error) {
    const { code = 'unknown', message } = error as NodeJS.ErrnoException
    if (code === 'EACCES' || code === 'EPERM')
      return err(`${path} cannot be opened (${code}). Change its permissions, or add the entry by hand.`)
    return err(`${path} could not be changed: ${message}. Add the entry by hand.`)
  }
}
