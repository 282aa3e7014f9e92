// Browsers that `footlight browsers unpack` installed, each in a folder `<browser>-<version>`. They are preferred to all others except
// an explicit path.

import { isAbsolute, join } from 'node:path'
import { homedir } from 'node:os'
import process from 'node:process'
import type { BrowserName } from '../../base/browser-names.ts'
import { listFolder } from '../../base/system/proc-files.ts'

/** The entries of a kit's folder: the browser's own folder, and on Linux the script that starts it with the bundled libraries. */
export const KIT_LAYOUT = { browser: 'browser', start: 'run' } as const

/** The folder of a kit; without a window another build of Chromium may be used. */
export const kitName = (browser: string, shell: boolean, version: string): string =>
  `${browser}${shell ? '-headless' : ''}-${version}`

/** Where kits are unpacked and looked for. */
export function kitsRoot({
  platform,
  env,
  home,
}: Pick<SearchEnvironment, 'platform' | 'env' | 'home'>): string {
  const rootOf = {
    darwin: join(home, 'Library/Application Support'),
    win32: env['LOCALAPPDATA'] || join(home, 'AppData/Local'),
  } as Record<string, string>
  // The XDG specification says that a relative path is to be ignored.
  const dataHome = env['XDG_DATA_HOME'] ?? ''
  const linuxRoot = isAbsolute(dataHome) ? dataHome : join(home, '.local/share')
  return join(rootOf[platform] ?? linuxRoot, 'footlight/browsers')
}

/** Every program in the kits for this browser, the newest version first. */
export function kitCandidates({ browser, headless }: BrowserQuery, environment: SearchEnvironment): string[] {
  const { platform, listFolder } = environment
  const root = kitsRoot(environment)
  const prefixes = browser === 'chromium' && headless ? ['chromium-headless-', 'chromium-'] : [`${browser}-`]
  const system = systemOf(platform)
  const programs = system === 'linux' ? undefined : (PROGRAMS[system][browser] ?? [])
  return prefixes.flatMap((prefix) =>
    listFolder(root)
      .filter((name) => name.startsWith(prefix) && /^\d/.test(name.slice(prefix.length)))
      .sort((a, b) => compareVersions(b.slice(prefix.length), a.slice(prefix.length)))
      .flatMap((name) =>
        programs
          ? programs.map((program) => join(root, name, KIT_LAYOUT.browser, program))
          : [join(root, name, KIT_LAYOUT.start)],
      ),
  )
}

const PROGRAMS: Record<'darwin' | 'win32', Readonly<Record<string, readonly string[]>>> = {
  darwin: {
    chromium: [
      'chrome-headless-shell',
      'Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
      'Chromium.app/Contents/MacOS/Chromium',
      'Google Chrome.app/Contents/MacOS/Google Chrome',
      'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
    ],
    firefox: ['Firefox.app/Contents/MacOS/firefox'],
  },
  win32: { chromium: ['chrome-headless-shell.exe', 'chrome.exe', 'msedge.exe'], firefox: ['firefox.exe'] },
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => text.split(/\D+/).map(Number)) as [number[], number[]]
  const difference = left.findIndex((part, index) => part !== (right[index] ?? 0))
  return difference < 0 ? 0 : (left[difference] ?? 0) - (right[difference] ?? 0)
}

export interface BrowserQuery {
  readonly browser: BrowserName
  readonly headless: boolean
}

export interface SearchEnvironment {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** The names in a folder; none if it does not exist. */
  readonly listFolder: (folder: string) => readonly string[]
}

export const systemOf = (platform: NodeJS.Platform): 'darwin' | 'win32' | 'linux' =>
  platform === 'darwin' || platform === 'win32' ? platform : 'linux'

/** This machine. */
export function readEnvironment(): SearchEnvironment {
  const { env, platform } = process
  return { platform, env, home: homedir(), listFolder }
}
