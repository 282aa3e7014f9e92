// The files of git of a work tree, for what is read without starting git.

import { dirname, join, resolve } from 'node:path'
import { readRegularFile } from '../../../core/base/files/read-regular-file.ts'

/** The folder with the HEAD of the work tree that a folder is in. */
export function findGitFolder(folder: string): string | undefined {
  const path = join(folder, '.git')
  if (readGitFile(join(path, 'HEAD')) !== undefined) return path
  // A work tree beside the main one has a file that names its folder.
  const [, target] = /^gitdir: (.+)$/.exec(readGitFile(path) ?? '') ?? []
  if (target !== undefined) return resolve(folder, target)
  const parent = dirname(folder)
  return parent === folder ? undefined : findGitFolder(parent)
}

export const readGitFile = (path: string): string | undefined =>
  readRegularFile(path, FILE_LIMIT_BYTES)?.toString('utf8').trim()

// --- internal ---

const FILE_LIMIT_BYTES = 20_000_000
