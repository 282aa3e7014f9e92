// Where a browser is looked for, in this order: the path that was asked for; a kit that was unpacked; Playwright's own builds; for
// headless Chromium the headless shell, which starts three times faster and uses a third of the memory; then what the system has installed.

import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { kitCandidates, kitsRoot } from './kit-folders.ts'
import { readEnvironment, type SearchEnvironment, type WantedBrowser } from './search-environment.ts'
import type { BrowserName } from '../../runtime/ports/browsers.ts'

export type Source = 'asked' | 'kit' | 'playwright' | 'system'

export interface Candidate {
  readonly path: string
  readonly source: Source
}

/** Every path worth a look, best first. */
export const candidates = (wanted: WantedBrowser, around: SearchEnvironment): string[] =>
  listCandidates(wanted, around).map(({ path }) => path)

/** The same with where each comes from. `own` is the one build of Firefox or WebKit that this Playwright drives. */
function listCandidates(wanted: WantedBrowser, around: SearchEnvironment, own?: string): Candidate[] {
  const each = (source: Source, paths: readonly string[]) => paths.map((path) => ({ path, source }))
  return [
    ...each('kit', kitCandidates(wanted, around)),
    ...each('playwright', own === undefined ? ownBuilds(wanted, around) : [own]),
    ...each('system', installed(wanted, around)),
  ]
}

/** The first candidate that can be executed, and all that were looked at. */
export function findExecutable(
  wanted: WantedBrowser,
  own?: string,
): { found: string | undefined; source: Source; looked: string[]; all: Candidate[] } {
  const looked = listCandidates(wanted, readEnvironment(), own)
  const all = looked.filter(({ path }) => isExecutable(path))
  const [first] = all
  return {
    found: first?.path,
    source: first?.source ?? 'system',
    looked: looked.map(({ path }) => path),
    all,
  }
}

/** The folders of this machine in which builds lie: kits, and Playwright's. */
export const buildRoots = (): { kits: string; playwright: string } => ({
  kits: kitsRoot(readEnvironment()),
  playwright: playwrightRoot(readEnvironment()),
})

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, process.platform === 'win32' ? constants.F_OK : constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

// --- internal ---

// Playwright keeps one folder for each build, named by revision. Chromium of any revision can be driven; its patched Firefox and
// WebKit must be the revision of this Playwright, which launch.ts asks Playwright itself for.
function ownBuilds({ browser, headless }: WantedBrowser, around: SearchEnvironment): string[] {
  const { platform, list } = around
  if (browser !== 'chromium') return []
  const root = playwrightRoot(around)
  const prefixes = headless ? ['chromium_headless_shell-', 'chromium-'] : ['chromium-']
  return prefixes.flatMap((prefix) =>
    list(root)
      .filter((name) => name.startsWith(prefix))
      .sort((a, b) => Number(b.slice(prefix.length)) - Number(a.slice(prefix.length)))
      .flatMap((build) => list(join(root, build)).map((folder) => join(root, build, folder)))
      .flatMap((folder) =>
        chromiumIn[platform === 'darwin' || platform === 'win32' ? platform : 'linux'].map((name) =>
          join(folder, name),
        ),
      ),
  )
}

function playwrightRoot({ platform, env, home }: SearchEnvironment): string {
  const caches = {
    darwin: join(home, 'Library/Caches'),
    win32: env['LOCALAPPDATA'] ?? join(home, 'AppData/Local'),
  } as Record<string, string>
  const cache = caches[platform] ?? env['XDG_CACHE_HOME'] ?? join(home, '.cache')
  return env['PLAYWRIGHT_BROWSERS_PATH'] ?? join(cache, 'ms-playwright')
}

const chromiumIn = {
  linux: ['chrome-headless-shell', 'headless_shell', 'chrome'],
  darwin: [
    'chrome-headless-shell',
    'headless_shell',
    'Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
    'Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: ['chrome-headless-shell.exe', 'headless_shell.exe', 'chrome.exe'],
}

function installed(
  { browser, headless }: WantedBrowser,
  { platform, env, home }: SearchEnvironment,
): string[] {
  if (platform === 'darwin') {
    return (onMac[browser] ?? []).flatMap((app) => [
      join('/Applications', app),
      join(home, 'Applications', app),
    ])
  }
  if (platform === 'win32') {
    const roots = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => env[name] ?? [])
    return (onWindows[browser] ?? []).flatMap((path) => roots.map((root) => join(root, path)))
  }
  const shells =
    browser === 'chromium' && headless ? ['chromium-headless-shell', 'chrome-headless-shell'] : []
  const names = [...shells, ...(onLinux[browser] ?? [])]
  const folders = [
    ...new Set([...(env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/local/bin', '/snap/bin']),
  ].filter(Boolean)
  return names.flatMap((name) =>
    name.startsWith('/') ? [name] : folders.map((folder) => join(folder, name)),
  )
}

const chrome = ['google-chrome-stable', 'google-chrome', '/opt/google/chrome/chrome']
const edge = ['microsoft-edge-stable', 'microsoft-edge', '/opt/microsoft/msedge/msedge']
const onLinux: Partial<Record<BrowserName, string[]>> = {
  chromium: ['chromium', 'chromium-browser', ...chrome, ...edge],
  chrome,
  msedge: edge,
  firefox: ['firefox-esr', 'firefox', '/usr/lib/firefox/firefox'],
}

const macChrome = ['Google Chrome.app/Contents/MacOS/Google Chrome']
const macEdge = ['Microsoft Edge.app/Contents/MacOS/Microsoft Edge']
const onMac: typeof onLinux = {
  chromium: ['Chromium.app/Contents/MacOS/Chromium', ...macChrome, ...macEdge],
  chrome: macChrome,
  msedge: macEdge,
  firefox: ['Firefox.app/Contents/MacOS/firefox'],
}

const windowsChrome = ['Google/Chrome/Application/chrome.exe']
const windowsEdge = ['Microsoft/Edge/Application/msedge.exe']
const onWindows: typeof onLinux = {
  chromium: ['Chromium/Application/chrome.exe', ...windowsChrome, ...windowsEdge],
  chrome: windowsChrome,
  msedge: windowsEdge,
  firefox: ['Mozilla Firefox/firefox.exe'],
}
