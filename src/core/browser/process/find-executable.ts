// Where a browser is searched for, in this order: an explicit path; an unpacked kit; Playwright's own builds; for headless Chromium the
// headless shell, which starts three times faster and uses a third of the memory; then the system's installation.

import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import {
  kitCandidates,
  kitsRoot,
  readEnvironment,
  systemOf,
  type BrowserQuery,
  type SearchEnvironment,
} from './kit-folders.ts'
import type { BrowserName } from '../../base/browser-names.ts'
import { err, ok, type Result } from '../../base/result.ts'

export type ExecutableSource = 'asked' | 'kit' | 'playwright' | 'system'

export interface ExecutableCandidate {
  readonly path: string
  readonly source: ExecutableSource
}

/** Every path that is tried, the preferred one first. `playwrightBuild` is the one build of Firefox or WebKit that this version of Playwright
 * drives. */
export function listCandidates(
  query: BrowserQuery,
  environment: SearchEnvironment,
  playwrightBuild?: string,
): ExecutableCandidate[] {
  const withSource = (source: ExecutableSource, paths: readonly string[]) =>
    paths.map((path) => ({ path, source }))
  return [
    ...withSource('kit', kitCandidates(query, environment)),
    ...withSource(
      'playwright',
      playwrightBuild === undefined ? chromiumBuilds(query, environment) : [playwrightBuild],
    ),
    ...withSource('system', systemPaths(query, environment)),
  ]
}

/** The first candidate that can be executed, and all paths that were tried. */
export function findExecutable(
  query: BrowserQuery,
  playwrightBuild?: string,
): { path: string | undefined; source: ExecutableSource; looked: string[]; all: ExecutableCandidate[] } {
  const candidates = listCandidates(query, readEnvironment(), playwrightBuild)
  const all = candidates.filter(({ path }) => isExecutable(path))
  const [first] = all
  return {
    path: first?.path,
    source: first?.source ?? 'system',
    looked: candidates.map(({ path }) => path),
    all,
  }
}

/** The folders of kits and of Playwright's builds on this machine. */
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

/** Why the path of `--executable-path` cannot be started, or undefined. */
export function executableProblem(path: string): string | undefined {
  if (isExecutable(path)) return undefined
  const status = statSync(path, { throwIfNoEntry: false })
  const problem = !status ? 'does not exist' : status.isFile() ? 'is not executable' : 'is not a file'
  return `${path} (--executable-path) ${problem}`
}

// Playwright keeps one folder for each build, named by revision. Chromium of any revision can be driven; its patched Firefox and
// WebKit must have the revision of this version of Playwright, which only Playwright itself knows.
function chromiumBuilds({ browser, headless }: BrowserQuery, environment: SearchEnvironment): string[] {
  const { platform, listFolder } = environment
  if (browser !== 'chromium') return []
  const root = playwrightRoot(environment)
  const prefixes = headless ? ['chromium_headless_shell-', 'chromium-'] : ['chromium-']
  return prefixes.flatMap((prefix) =>
    listFolder(root)
      .filter((name) => name.startsWith(prefix))
      .sort((a, b) => Number(b.slice(prefix.length)) - Number(a.slice(prefix.length)))
      .flatMap((build) => listFolder(join(root, build)).map((folder) => join(root, build, folder)))
      .flatMap((folder) => CHROMIUM_PROGRAMS[systemOf(platform)].map((name) => join(folder, name))),
  )
}

function playwrightRoot({ platform, env, home }: SearchEnvironment): string {
  const cacheOf = {
    darwin: join(home, 'Library/Caches'),
    win32: env['LOCALAPPDATA'] ?? join(home, 'AppData/Local'),
  } as Record<string, string>
  const cache = cacheOf[platform] ?? env['XDG_CACHE_HOME'] ?? join(home, '.cache')
  return env['PLAYWRIGHT_BROWSERS_PATH'] ?? join(cache, 'ms-playwright')
}

const CHROMIUM_PROGRAMS = {
  linux: ['chrome-headless-shell', 'headless_shell', 'chrome'],
  darwin: [
    'chrome-headless-shell',
    'headless_shell',
    'Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
    'Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: ['chrome-headless-shell.exe', 'headless_shell.exe', 'chrome.exe'],
}

function systemPaths(
  { browser, headless }: BrowserQuery,
  { platform, env, home }: SearchEnvironment,
): string[] {
  if (platform === 'darwin') {
    return (MACOS_APPS[browser] ?? []).flatMap((app) => [
      join('/Applications', app),
      join(home, 'Applications', app),
    ])
  }
  if (platform === 'win32') {
    const roots = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => env[name] ?? [])
    return (WINDOWS_PROGRAMS[browser] ?? []).flatMap((path) => roots.map((root) => join(root, path)))
  }
  const shells =
    browser === 'chromium' && headless ? ['chromium-headless-shell', 'chrome-headless-shell'] : []
  const names = [...shells, ...(LINUX_PROGRAMS[browser] ?? [])]
  const folders = [
    ...new Set([...(env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/local/bin', '/snap/bin']),
  ].filter(Boolean)
  return names.flatMap((name) =>
    name.startsWith('/') ? [name] : folders.map((folder) => join(folder, name)),
  )
}

type ProgramsByBrowser = Partial<Record<BrowserName, string[]>>

const linuxChrome = ['google-chrome-stable', 'google-chrome', '/opt/google/chrome/chrome']
const linuxEdge = ['microsoft-edge-stable', 'microsoft-edge', '/opt/microsoft/msedge/msedge']
const LINUX_PROGRAMS: ProgramsByBrowser = {
  chromium: ['chromium', 'chromium-browser', ...linuxChrome, ...linuxEdge],
  chrome: linuxChrome,
  msedge: linuxEdge,
  firefox: ['firefox-esr', 'firefox', '/usr/lib/firefox/firefox'],
}

const macChrome = ['Google Chrome.app/Contents/MacOS/Google Chrome']
const macEdge = ['Microsoft Edge.app/Contents/MacOS/Microsoft Edge']
const MACOS_APPS: ProgramsByBrowser = {
  chromium: ['Chromium.app/Contents/MacOS/Chromium', ...macChrome, ...macEdge],
  chrome: macChrome,
  msedge: macEdge,
  firefox: ['Firefox.app/Contents/MacOS/firefox'],
}

const windowsChrome = ['Google/Chrome/Application/chrome.exe']
const windowsEdge = ['Microsoft/Edge/Application/msedge.exe']
const WINDOWS_PROGRAMS: ProgramsByBrowser = {
  chromium: ['Chromium/Application/chrome.exe', ...windowsChrome, ...windowsEdge],
  chrome: windowsChrome,
  msedge: windowsEdge,
  firefox: ['Mozilla Firefox/firefox.exe'],
}

export interface PlaywrightBuild {
  readonly title: string
  /** The folder where Playwright expects it, and the program in that folder. */
  readonly folder: string
  readonly program: string
  /** The preferred one first. */
  readonly urls: readonly string[]
}

export type PlaywrightBuildName = 'chromium' | 'chromium-headless-shell' | 'firefox' | 'webkit'

/** Respects PLAYWRIGHT_BROWSERS_PATH and PLAYWRIGHT_DOWNLOAD_HOST. The error is a sentence. */
export async function findPlaywrightBuild(
  name: PlaywrightBuildName,
): Promise<Result<PlaywrightBuild, string>> {
  const { registry } = await import('playwright-core/lib/coreBundle')
  const executable = registry.registry.findExecutable(name)
  const program = executable?.executablePath()
  const urls = executable?.downloadURLs ?? []
  if (!executable?.directory || !program || urls.length === 0)
    return err(`Playwright has no build of ${name} for ${process.platform} ${process.arch}`)
  const title = [executable.title ?? name, executable.browserVersion].filter(Boolean).join(' ')
  return ok({ title, folder: executable.directory, program, urls })
}
