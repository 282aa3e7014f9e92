// The folders that results are written to: created for this user only. Symbolic links are denied, because files would be written
// elsewhere.

import { lstat, mkdir, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Failure, Outcome } from '../failure.ts'
import { err, ok } from '../result.ts'
import { replaceFile } from './kept-files.ts'
import { readFileBelow } from './read-regular-file.ts'

/** The real path of the output directory; undefined if it does not exist or is a symbolic link. */
export async function resolveOutputFolder(output: string): Promise<string | undefined> {
  const isFolder = await lstat(output).then(
    (status) => status.isDirectory(),
    () => false,
  )
  return isFolder ? realpath(output).catch(() => undefined) : undefined
}

/** The real path of a session's folder in the output directory; both are created if missing, and git ignores what is put there. Fails with
 * ACCESS_DENIED for a symbolic link, with RESOURCE_EXHAUSTED for errors of the file system. */
export async function openFolder(output: string, name: string): Promise<Outcome<string>> {
  try {
    const root = await openOutputFolder(output)
    if (!root.ok) return root
    const folder = await openChildFolder(root.value.path, name)
    if (!folder.ok) return folder
    if (!root.value.isIgnored) await ignoreFolder(folder.value.path)
    return ok(folder.value.path)
  } catch (error) {
    return err(diskFailure(join(output, name), error))
  }
}

interface OutputFolder {
  /** Its real path. */
  readonly path: string
  /** Whether git ignores all that is in it. */
  readonly isIgnored: boolean
}

/** Opens the output directory, which is created if missing. Throws errors of the file system. */
export async function openOutputFolder(output: string): Promise<Outcome<OutputFolder>> {
  await mkdir(dirname(output), { recursive: true, mode: 0o700 })
  const openResult = await openChildFolder(await realpath(dirname(output)), basename(output))
  if (!openResult.ok) return openResult
  const { path, isNew } = openResult.value
  // A folder of another name may be one that is committed.
  if (isNew || basename(path) === DEFAULT_NAME) await ignoreFolder(path)
  return ok({ path, isIgnored: isIgnoring(readRules(path)) })
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

/** The file by which git ignores what is in a folder. */
export const IGNORE_NAME = '.gitignore'

// --- internal ---

interface OpenedFolder {
  readonly path: string
  readonly isNew: boolean
}

const DEFAULT_NAME = '.footlight'
const RULES_LIMIT_BYTES = 10_000

// Results are not part of a project, so git ignores the folder, also one that somebody else has made.
async function ignoreFolder(folder: string): Promise<void> {
  const rules = readRules(folder)
  if (!isIgnoring(rules)) await replaceFile(join(folder, IGNORE_NAME), `${rules}*\n`)
}

/** Each with its line break. */
function readRules(folder: string): string {
  const rules = readFileBelow(join(folder, IGNORE_NAME), folder, RULES_LIMIT_BYTES)
    ?.toString('utf8')
    .trimEnd()
  return rules ? `${rules}\n` : ''
}

/** The last rule that matches counts. That of the file itself matters to nobody. */
const isIgnoring = (rules: string): boolean =>
  rules
    .split('\n')
    .map((rule) => rule.trimEnd())
    .findLast((rule) => !/^(|#.*|!\/?\.gitignore)$/.test(rule)) === '*'

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
