// The folders that results are written to: made for this user only, and refused where one of them is a link, which would lead what is
// written elsewhere.

import { lstat, mkdir, realpath, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, map, ok } from '../../core/result.ts'

/** The real path of the output directory, or undefined where nothing or a link is there. */
export async function realOutput(output: string): Promise<string | undefined> {
  const plain = await lstat(output).then(
    (status) => status.isDirectory(),
    () => false,
  )
  return plain ? realpath(output).catch(() => undefined) : undefined
}

/** The real path of a session's folder in the output directory; both are made where they are missing. */
export async function openFolder(output: string, name: string): Promise<Outcome<string>> {
  try {
    const root = await openOutput(output)
    return root.ok ? map(await openIn(root.value, name), ({ path }) => path) : root
  } catch (error) {
    return err(diskFull(join(output, name), error))
  }
}

export const linkRefused = (path: string): Failure => ({
  code: 'ACCESS_DENIED',
  subject: path,
  rule: 'symbolic links in the output directory are not followed',
  allowed: 'a real folder: remove the link, or pass its target as --output-dir',
})

export function diskFull(folder: string, error: unknown): Failure {
  const text = error instanceof Error ? error.message : String(error)
  return { code: 'RESOURCE_EXHAUSTED', resource: 'disk', text: `${folder}: ${text}` }
}

// --- internal ---

interface Opened {
  readonly path: string
  readonly made: boolean
}

// Results are no part of a project: git ignores them, where the folder is ours.
async function openOutput(output: string): Promise<Outcome<string>> {
  await mkdir(dirname(output), { recursive: true, mode: 0o700 })
  const opened = await openIn(await realpath(dirname(output)), basename(output))
  if (!opened.ok) return opened
  const { path, made } = opened.value
  if (made) await writeFile(join(path, '.gitignore'), '*\n', { flag: 'wx', mode: 0o600 }).catch(() => {})
  return ok(path)
}

// It is looked at after it was made: what lay there before may be a link.
async function openIn(parent: string, name: string): Promise<Outcome<Opened>> {
  const path = join(parent, name)
  const made = await makeFolder(path)
  const status = await lstat(path)
  if (!status.isDirectory() && !status.isSymbolicLink()) throw new Error('it is not a folder')
  const real = status.isDirectory() ? await realpath(path) : undefined
  // Some systems tell a name in the case that it was made in.
  if (real === undefined || real.toLowerCase() !== path.toLowerCase()) return err(linkRefused(path))
  return ok({ path: real, made })
}

/** Whether it was missing. */
const makeFolder = (path: string): Promise<boolean> =>
  mkdir(path, { mode: 0o700 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )
