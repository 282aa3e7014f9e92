// The folders that results are written to: created for this user only. Symbolic links are denied, because files would be written
// elsewhere.

import { constants } from 'node:fs'
import { lstat, mkdir, open, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Failure, Outcome } from '../failure.ts'
import { err, map, ok } from '../result.ts'

/** The real path of the output directory; undefined if it does not exist or is a symbolic link. */
export async function resolveOutputFolder(output: string): Promise<string | undefined> {
  const isFolder = await lstat(output).then(
    (status) => status.isDirectory(),
    () => false,
  )
  return isFolder ? realpath(output).catch(() => undefined) : undefined
}

/** The real path of a session's folder in the output directory; both are created if missing. Fails with ACCESS_DENIED for a symbolic
 * link, with RESOURCE_EXHAUSTED for errors of the file system. */
export async function openFolder(output: string, name: string): Promise<Outcome<string>> {
  try {
    const root = await openOutputFolder(output)
    return root.ok ? map(await openChildFolder(root.value, name), ({ path }) => path) : root
  } catch (error) {
    return err(diskFailure(join(output, name), error))
  }
}

export const symlinkFailure = (path: string): Failure => ({
  code: 'ACCESS_DENIED',
  subject: path,
  rule: 'symbolic links in the output directory are not followed',
  allowed: 'a real folder: remove the link, or pass its target as --output-dir',
})

export function diskFailure(folder: string, error: unknown): Failure {
  const text = error instanceof Error ? error.message : String(error)
  return { code: 'RESOURCE_EXHAUSTED', resource: 'disk', text: `${folder}: ${text}` }
}

// --- internal ---

interface OpenedFolder {
  readonly path: string
  readonly isNew: boolean
}

// Results are not part of a project, so git ignores the folder, also one that somebody else has made, or whose file could not be written before.
async function openOutputFolder(output: string): Promise<Outcome<string>> {
  await mkdir(dirname(output), { recursive: true, mode: 0o700 })
  const openResult = await openChildFolder(await realpath(dirname(output)), basename(output))
  if (!openResult.ok) return openResult
  const { path, isNew } = openResult.value
  // A folder of another name may be one that is committed.
  if (isNew || basename(path) === DEFAULT_NAME) await ignoreFolder(path).catch(() => {})
  return ok(path)
}

const DEFAULT_NAME = '.footlight'

async function ignoreFolder(folder: string): Promise<void> {
  const path = join(folder, '.gitignore')
  const status = await lstat(path).catch(() => undefined)
  if (status && !(status.isFile() && status.size === 0)) return
  const flags = constants.O_WRONLY | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)
  const file = await open(path, flags, 0o600)
  await file.writeFile('*\n').finally(() => file.close())
}

// Checked after its creation: what existed before may be a link.
async function openChildFolder(parent: string, name: string): Promise<Outcome<OpenedFolder>> {
  const path = join(parent, name)
  const isNew = await createFolder(path)
  const status = await lstat(path)
  if (!status.isDirectory() && !status.isSymbolicLink()) throw new Error('it is not a folder')
  const real = status.isDirectory() ? await realpath(path) : undefined
  // Some file systems return a name in the case in which it was created.
  if (real === undefined || real.toLowerCase() !== path.toLowerCase()) return err(symlinkFailure(path))
  return ok({ path: real, isNew })
}

/** Creates a folder; false if it exists already. */
const createFolder = (path: string): Promise<boolean> =>
  mkdir(path, { mode: 0o700 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )
