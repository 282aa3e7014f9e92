// The folders below which an agent may name files. They are compared by their real paths, so a link to the home folder counts as the home
// folder.

import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { relative, resolve, sep } from 'node:path'
import process from 'node:process'

/** The real path of the current folder; undefined if it is the home folder or the root of a disk. */
export function findWorkspaceFolder(cwd = process.cwd(), home = homedir()): string | undefined {
  const workspace = resolveRealPath(cwd)
  return [resolve(workspace, '/'), resolveRealPath(home)].includes(workspace) ? undefined : workspace
}

/** The path with its links resolved, or the absolute path if it does not exist. */
export function resolveRealPath(path: string): string {
  try {
    return realPathOf(path)
  } catch {
    return resolve(path)
  }
}

// On Windows only the native one gives a path one case and no short names; elsewhere the two differ behind links.
const realPathOf = process.platform === 'win32' ? realpathSync.native : realpathSync

/** Whether `path` is `root` or below it. Both are real paths. */
export function isBelow(path: string, root: string): boolean {
  const relativePath = relative(root, path)
  return (
    relativePath === '' ||
    (!relativePath.startsWith(`..${sep}`) && relativePath !== '..' && resolve(root, relativePath) === path)
  )
}
