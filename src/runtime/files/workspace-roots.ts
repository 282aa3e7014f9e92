// Which folders are roots for what an agent may name. They are compared by their real paths: a link to the home folder is the home
// folder.

import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { relative, resolve, sep } from 'node:path'
import process from 'node:process'

/** The real path of the folder that this process was started in; none where that is the home folder or the root of a disk. */
export function workspaceFolder(cwd = process.cwd(), home = homedir()): string | undefined {
  const workspace = realPath(cwd)
  return [resolve(workspace, '/'), realPath(home)].includes(workspace) ? undefined : workspace
}

/** The path with its links resolved, or as it is where nothing is there. */
export function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

/** Whether a path is this root or lies in it. Both are real paths. */
export function isBelow(path: string, root: string): boolean {
  const way = relative(root, path)
  return way === '' || (!way.startsWith(`..${sep}`) && way !== '..' && resolve(root, way) === path)
}
