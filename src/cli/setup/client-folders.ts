// The folders that clients keep their files in, on each platform.

import { posix, win32 } from 'node:path'

export interface ClientEnvironment {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** The project that `--scope project` means. */
  readonly cwd: string
}

export interface ClientFolders {
  readonly home: (...parts: string[]) => string
  readonly project: (...parts: string[]) => string
  /** Where applications keep their settings on this platform. */
  readonly settings: (...parts: string[]) => string
  readonly env: (name: string) => string | undefined
  readonly join: (...parts: string[]) => string
  readonly platform: NodeJS.Platform
}

export function foldersOf({ platform, env, home, cwd }: ClientEnvironment): ClientFolders {
  const { join } = platform === 'win32' ? win32 : posix
  const variable = (name: string) => env[name] || undefined
  const applications = {
    win32: variable('APPDATA') ?? join(home, 'AppData', 'Roaming'),
    darwin: join(home, 'Library', 'Application Support'),
  }
  const folder =
    platform === 'win32' || platform === 'darwin'
      ? applications[platform]
      : (variable('XDG_CONFIG_HOME') ?? join(home, '.config'))
  return {
    join,
    platform,
    env: variable,
    home: (...parts) => join(home, ...parts),
    project: (...parts) => join(cwd, ...parts),
    settings: (...parts) => join(folder, ...parts),
  }
}
