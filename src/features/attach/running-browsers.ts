// The running browsers whose user allows remote debugging. Chrome since 144 writes the address into its profile folder when the user
// turns it on at chrome://inspect/#remote-debugging, and asks for each connection.

import { readFileSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { BrowserName } from '../../core/base/browser-names.ts'
import { type SearchEnvironment, systemOf } from '../../core/browser/process/kit-folders.ts'

/** The addresses for connections to running browsers, the one that was started last first; of all browsers without a name. */
export function findRunningBrowsers(
  browser: BrowserName | undefined,
  environment: Pick<SearchEnvironment, 'platform' | 'env' | 'home'>,
  read: (path: string) => PortFile | undefined = readPortFile,
): readonly string[] {
  return profileFolders(browser, environment)
    .flatMap((folder) => read(join(folder, 'DevToolsActivePort')) ?? [])
    .sort((a, b) => b.writtenAt - a.writtenAt)
    .flatMap(({ text }) => endpointOf(text) ?? [])
}

interface PortFile {
  readonly text: string
  readonly writtenAt: number
}

// The folders in which the browsers keep the profiles of their user.
function profileFolders(
  browser: BrowserName | undefined,
  { platform, env, home }: Pick<SearchEnvironment, 'platform' | 'env' | 'home'>,
): readonly string[] {
  const names = browser === undefined ? (['chrome', 'chromium', 'msedge'] as const) : [browser]
  const system = systemOf(platform)
  const localAppData = env['LOCALAPPDATA'] || join(home, 'AppData/Local')
  const configHome = env['XDG_CONFIG_HOME'] ?? ''
  const root = {
    darwin: join(home, 'Library/Application Support'),
    win32: localAppData,
    linux: isAbsolute(configHome) ? configHome : join(home, '.config'),
  }[system]
  return names.flatMap((name) => (PROFILES[system][name] ?? []).map((folder) => join(root, folder)))
}

const PROFILES: Record<'darwin' | 'win32' | 'linux', Readonly<Record<string, readonly string[]>>> = {
  darwin: {
    chrome: ['Google/Chrome', 'Google/Chrome Beta', 'Google/Chrome Dev', 'Google/Chrome Canary'],
    chromium: ['Chromium'],
    msedge: ['Microsoft Edge', 'Microsoft Edge Beta'],
  },
  win32: {
    chrome: [
      'Google/Chrome/User Data',
      'Google/Chrome Beta/User Data',
      'Google/Chrome Dev/User Data',
      'Google/Chrome SxS/User Data',
    ],
    chromium: ['Chromium/User Data'],
    msedge: ['Microsoft/Edge/User Data', 'Microsoft/Edge Beta/User Data'],
  },
  linux: {
    chrome: ['google-chrome', 'google-chrome-beta', 'google-chrome-unstable'],
    chromium: ['chromium'],
    msedge: ['microsoft-edge', 'microsoft-edge-beta'],
  },
}

// The port, then the path with the id of the browser process.
function endpointOf(text: string): string | undefined {
  const [, port, path] = /^(\d{1,5})\s+(\/devtools\/browser\/[\w-]+)\s*$/.exec(text) ?? []
  return port === undefined ? undefined : `ws://127.0.0.1:${port}${path}`
}

function readPortFile(path: string): PortFile | undefined {
  try {
    return { text: readFileSync(path, 'utf8'), writtenAt: statSync(path).mtimeMs }
  } catch {
    return undefined
  }
}
