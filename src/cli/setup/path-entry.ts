// How PATH names this executable. That name outlives an upgrade, which a resolved path such as …/Cellar/footlight/0.2/… does not.

import { realpathSync, statSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import process from 'node:process'

interface PathSearch {
  readonly platform: NodeJS.Platform
  /** The value of PATH. */
  readonly path: string
  readonly execPath: string
}

/** The absolute path under which PATH finds `footlight`, where that is this executable and not another one. */
export function findPathEntry({ platform, path, execPath }: PathSearch): string | undefined {
  const { delimiter, isAbsolute, join } = platform === 'win32' ? win32 : posix
  const file = platform === 'win32' ? 'footlight.exe' : 'footlight'
  const entry = path
    .split(delimiter)
    // Package managers put node_modules/.bin there for the time of one command.
    .filter((folder) => isAbsolute(folder) && !/[\\/]node_modules([\\/]|$)/.test(folder))
    .map((folder) => join(folder, file))
    .find(isExecutable)
  return entry !== undefined && realPathOf(entry) === realPathOf(execPath) ? entry : undefined
}

function isExecutable(path: string): boolean {
  const status = statSync(path, { throwIfNoEntry: false })
  return status?.isFile() === true && (process.platform === 'win32' || (status.mode & 0o111) !== 0)
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}
