import type { Launch } from './clients.ts'

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
