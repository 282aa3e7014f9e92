import type { Launch } from './clients.ts'

export interface Self {
  readonly platform: NodeJS.Platform
  readonly execPath: string
  /** The script that the runtime runs; inside the executable it is a path that only the executable knows. */
  readonly script: string
}

/** Whether this is the compiled executable and not a runtime with a script. */
export const compiled = ({ script }: Self): boolean => /^(\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/i.test(script)

/** How a client starts footlight: the executable by its full path, else the npm package. */
export function launchOf(self: Self, options: readonly string[]): Launch {
  if (compiled(self)) return { command: self.execPath, args: options }
  // Windows starts npx only through its shell.
  return self.platform === 'win32'
    ? { command: 'cmd', args: ['/c', 'npx', '-y', 'footlight', ...options] }
    : { command: 'npx', args: ['-y', 'footlight', ...options] }
}
