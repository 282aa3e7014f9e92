// Browsers that `footlight browsers unpack` put on this machine, each in a folder `<browser>-<version>`. They come right after a path
// that was asked for: who unpacked one wants it used.

import { isAbsolute, join } from 'node:path'
import type { SearchEnvironment, WantedBrowser } from './search-environment.ts'

/** What a kit's folder holds: the browser's own folder, and on Linux the script that starts it with the libraries beside it. */
export const kitFolder = { browser: 'browser', start: 'run' } as const

/** The folder of a kit; without a window another build of Chromium may be used. */
export const kitName = (browser: string, shell: boolean, version: string): string =>
  `${browser}${shell ? '-headless' : ''}-${version}`

/** Where kits are unpacked and looked for. */
export function kitsRoot({
  platform,
  env,
  home,
}: Pick<SearchEnvironment, 'platform' | 'env' | 'home'>): string {
  const data = {
    darwin: join(home, 'Library/Application Support'),
    win32: env['LOCALAPPDATA'] || join(home, 'AppData/Local'),
  } as Record<string, string>
  // A relative one is to be ignored, its specification says.
  const given = env['XDG_DATA_HOME'] ?? ''
  const shared = isAbsolute(given) ? given : join(home, '.local/share')
  return join(data[platform] ?? shared, 'footlight/browsers')
}

/** Every program in the kits for this browser, the newest version first. */
export function kitCandidates({ browser, headless }: WantedBrowser, around: SearchEnvironment): string[] {
  const { platform, list } = around
  const root = kitsRoot(around)
  const prefixes = browser === 'chromium' && headless ? ['chromium-headless-', 'chromium-'] : [`${browser}-`]
  const programs = platform === 'darwin' || platform === 'win32' ? entries[platform][browser] : undefined
  return prefixes.flatMap((prefix) =>
    list(root)
      .filter((name) => name.startsWith(prefix) && /^\d/.test(name.slice(prefix.length)))
      .sort((a, b) => byVersion(b.slice(prefix.length), a.slice(prefix.length)))
      .flatMap((name) =>
        platform === 'darwin' || platform === 'win32'
          ? (programs ?? []).map((program) => join(root, name, kitFolder.browser, program))
          : [join(root, name, kitFolder.start)],
      ),
  )
}

// --- internal ---

const entries: Record<'darwin' | 'win32', Readonly<Record<string, readonly string[]>>> = {
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

function byVersion(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => text.split(/\D+/).map(Number)) as [number[], number[]]
  const at = left.findIndex((part, index) => part !== (right[index] ?? 0))
  return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0)
}
