// How footlight is started: by itself, and by a client.

import { realpathSync, statSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import process from 'node:process'

/** What a client starts: a program and its arguments. */
export interface Launch {
  readonly command: string
  readonly args: readonly string[]
}

export interface Executable {
  readonly platform: NodeJS.Platform
  readonly execPath: string
  /** The script that the runtime runs; inside the executable it is a path that only the executable knows. */
  readonly script: string
  /** The absolute path under which PATH finds it, if it does. */
  readonly pathEntry?: string | undefined
}

/** Whether this is the compiled executable and not a runtime with a script. */
export const isCompiled = ({ script }: Pick<Executable, 'script'>): boolean =>
  /^(\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/i.test(script)

/** How a client starts footlight: the executable as PATH names it, else by its full path, else the npm package. */
export function launchOf(executable: Executable, options: readonly string[], hasPath: boolean): Launch {
  if (isCompiled(executable)) return { command: commandOf(executable, hasPath), args: options }
  // Windows starts npx only through its shell.
  return executable.platform === 'win32'
    ? { command: 'cmd', args: ['/c', 'npx', '-y', 'footlight', ...options] }
    : { command: 'npx', args: ['-y', 'footlight', ...options] }
}

// A desktop program is not started by a shell, and so need not have the PATH of one.
const commandOf = ({ pathEntry, execPath }: Executable, hasPath: boolean): string =>
  pathEntry === undefined ? execPath : hasPath ? 'footlight' : pathEntry

interface OwnProcess {
  readonly execPath: string
  readonly argv: readonly string[]
  readonly versions: Readonly<Record<string, string | undefined>>
}

/** How to start this program with other arguments: the executable is its own program; else the runtime needs the script too. */
export function selfCommand(
  args: readonly string[],
  { execPath, argv, versions }: OwnProcess = process,
): { command: string; args: string[] } {
  const [, script = ''] = argv
  if (isCompiled({ script })) return { command: execPath, args: [...args] }
  const runtime = 'deno' in versions ? ['run', '-A'] : []
  return { command: execPath, args: [...runtime, script, ...args] }
}

interface PathSearch {
  readonly platform: NodeJS.Platform
  /** The value of PATH. */
  readonly path: string
  readonly execPath: string
}

/** The absolute path under which PATH finds `footlight`, where that is this executable and not another one. It outlives an upgrade, which a
 * resolved path such as …/Cellar/footlight/0.2/… does not. */
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
