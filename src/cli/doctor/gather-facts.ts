// Looking at the machine. Only the browser that would be used is started.

import {
  existsSync,
  readFileSync,
  mkdtempSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { homedir } from 'node:os'
import process from 'node:process'
import type { BrowserFacts, Facts, LeftoverFacts, SettingsFacts, FontFacts } from './facts.ts'
import { explainChoice } from '../browsers/browser-listing.ts'
import { optionNames, optionOf, variableNameOf, type Settings } from '../options/options.ts'
import { describeUnknownVariables, resolveSettings } from '../options/settings.ts'
import { executableProblem } from '../../browser/process/find-executable.ts'
import { installCommandFor } from '../../browser/process/install-command.ts'
import { parseRemoteAddress } from '../../browser/remote/remote-address.ts'
import { findInstalledBrowser, checkLaunch } from '../../browser/process/launch-browser.ts'
import { readSandboxFacts } from '../../browser/process/sandbox.ts'
import type { Failure } from '../../core/failure.ts'
import { endOrphans, findOrphans } from '../../devserver/process/orphans.ts'
import { BROWSER_NAMES, type BrowserName } from '../../core/browser-names.ts'
import { removeFolder } from '../../runtime/files/remove-folder.ts'
import { findLeftoverFolders } from '../../runtime/files/temporary-folder.ts'
import { join, basename, dirname, resolve } from 'node:path'
import { createServer } from 'node:net'
import { DAY_MS } from '../options/option-schemas.ts'

/** Flags as in Settings. No browser has been started. `isFixing` removes pictures of sessions that have ended. */
export async function gatherFacts(
  flags: ReadonlyMap<string, string>,
  leftovers: LeftoverFacts,
  isFixing: boolean,
): Promise<{ readonly settings: Settings; readonly facts: Facts }> {
  const { settings, facts } = gatherSettings(flags)
  const browsers = await Promise.all(BROWSER_NAMES.map((browser) => findBrowser(browser, settings)))
  const chromium = browsers.find(({ browser, path }) => browser !== 'firefox' && browser !== 'webkit' && path)
  return {
    settings,
    facts: {
      platform: process.platform,
      browsers,
      settings: facts,
      sandbox: chromium?.path === undefined ? undefined : readSandboxFacts(chromium.path),
      display: readDisplay(),
      sharedMemory: readSharedMemory(),
      fonts: findFonts(browsers.find(({ isUsed }) => isUsed)?.path),
      loopback: await checkLoopback(),
      userCount: countUsers(),
      output: checkOutputFolder(settings.outputDir, isFixing),
      leftovers,
      clients: findClientsNaming('footlight', {
        platform: process.platform,
        home: homedir(),
        cwd: process.cwd(),
        env: process.env,
      }),
    },
  }
}

/** Starts the browser where it was found. */
export async function startBrowser(facts: BrowserFacts, settings: Settings): Promise<BrowserFacts> {
  if (facts.path === undefined) return facts
  const { executablePath, launchTimeout } = settings
  const launchResult = await checkLaunch({
    browser: facts.browser,
    headless: true,
    ...(executablePath !== undefined && { executablePath }),
    timeout: launchTimeout,
    onNotice: () => {},
  })
  const launch = launchResult.ok ? launchResult.value : { problem: describeFailure(launchResult.error) }
  return { ...facts, launch }
}

/** Looks for what earlier runs left, and removes it where that is asked for. */
export async function findLeftovers(fix: boolean): Promise<LeftoverFacts> {
  const [folders, processes] = [await findLeftoverFolders(), findOrphans()]
  if (!fix) return { folders, processes, fixed: undefined }
  const endedProcesses = await endOrphans(processes)
  const removedFolders = folders.filter((folder) => !existsSync(folder) || removeFolder(folder))
  return { folders, processes, fixed: { folders: removedFolders.length, processes: endedProcesses.length } }
}

// --- internal ---

function gatherSettings(flags: ReadonlyMap<string, string>): { settings: Settings; facts: SettingsFacts } {
  const { env } = process
  const read = (path: string) => readFileSync(path, 'utf8')
  const settingsResult = resolveSettings({ flags, env, read })
  // An invalid option is reported; the other checks run with the defaults.
  const settings = settingsResult.ok ? settingsResult.value : readDefaults()
  const names = optionNames.flatMap((name) => [variableNameOf(name), optionOf(name).also ?? []].flat())
  const variables = [...new Set([...names, 'FOOTLIGHT_TOKEN'])].filter((name) => env[name])
  const config = flags.get('config') ?? env[variableNameOf('config')]
  const problem = settingsResult.ok ? undefined : settingsResult.error
  return {
    settings,
    facts: {
      problem,
      config,
      variables,
      misspelled: describeUnknownVariables(env),
      remote: findRemote(settings),
      headless: settings.headless,
    },
  }
}

function findRemote({ connect, cdpEndpoint, grid }: Settings): string | undefined {
  const address = connect ?? cdpEndpoint ?? grid
  return address === undefined ? undefined : parseRemoteAddress(address).label
}

function readDefaults(): Settings {
  const settingsResult = resolveSettings({ flags: new Map(), env: {}, read: () => '{}' })
  if (!settingsResult.ok) throw new Error(settingsResult.error)
  return settingsResult.value
}

async function findBrowser(browser: BrowserName, settings: Settings): Promise<BrowserFacts> {
  const isUsed = browser === settings.browser && findRemote(settings) === undefined
  const configuredPath = isUsed ? settings.executablePath : undefined
  const [headless, headed] = [
    await findInstalledBrowser(browser, true),
    await findInstalledBrowser(browser, false),
  ]
  const pathProblem = configuredPath === undefined ? undefined : executableProblem(configuredPath)
  return {
    browser,
    isUsed,
    path: pathProblem === undefined ? (configuredPath ?? headless.path) : undefined,
    pathProblem,
    reason:
      configuredPath === undefined ? explainChoice(headless.all[0], headed.all[0]) : 'from --executable-path',
    headed: configuredPath ?? headed.path,
    launch: undefined,
    searchedCount: headless.looked.length,
    install: installCommandFor(browser),
  }
}

const describeFailure = (failure: Failure): string =>
  'text' in failure ? (failure.text ?? failure.code) : failure.code

// The configuration files of the clients that are known to name MCP servers, and which of them name footlight.
interface ConfigEnvironment {
  readonly platform: NodeJS.Platform
  readonly home: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Every file worth a look, by client. */
export function listClientFiles({
  platform,
  home,
  cwd,
  env,
}: ConfigEnvironment): { client: string; file: string }[] {
  const roaming = env['APPDATA'] || join(home, 'AppData/Roaming')
  const xdg = env['XDG_CONFIG_HOME'] || join(home, '.config')
  const config = { darwin: join(home, 'Library/Application Support'), win32: roaming } as Record<
    string,
    string
  >
  const apps = config[platform] ?? xdg
  const zed =
    platform === 'win32'
      ? join(roaming, 'Zed')
      : platform === 'darwin'
        ? join(home, '.config/zed')
        : join(xdg, 'zed')
  const files: Readonly<Record<string, readonly string[]>> = {
    'Claude Code': [join(home, '.claude.json'), join(home, '.claude/settings.json'), join(cwd, '.mcp.json')],
    'Claude Desktop': [join(apps, 'Claude/claude_desktop_config.json')],
    Cursor: [join(home, '.cursor/mcp.json'), join(cwd, '.cursor/mcp.json')],
    'VS Code': [
      join(apps, 'Code/User/mcp.json'),
      join(apps, 'Code/User/settings.json'),
      join(cwd, '.vscode/mcp.json'),
    ],
    Codex: [join(env['CODEX_HOME'] || join(home, '.codex'), 'config.toml')],
    Gemini: [join(home, '.gemini/settings.json'), join(cwd, '.gemini/settings.json')],
    opencode: [join(xdg, 'opencode/opencode.json'), join(cwd, 'opencode.json')],
    Zed: [join(zed, 'settings.json'), join(cwd, '.zed/settings.json')],
    Windsurf: [join(home, '.codeium/windsurf/mcp_config.json')],
  }
  return Object.entries(files).flatMap(([client, paths]) =>
    [...new Set(paths)].map((file) => ({ client, file })),
  )
}

/** Those that contain the word. */
const findClientsNaming = (word: string, place: ConfigEnvironment): { client: string; file: string }[] =>
  listClientFiles(place).filter(({ file }) => readText(file).includes(word))

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

// The small facts about the machine: each is read in one place and never throws.
/** Bytes of /dev/shm. */
function readSharedMemory(): number | undefined {
  try {
    const { blocks, bsize } = statfsSync('/dev/shm')
    return blocks * bsize
  } catch {
    return undefined
  }
}

function readDisplay(): Facts['display'] {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env
  const number = /^(?:unix)?:(\d+)/.exec(DISPLAY ?? '')?.[1]
  const socket = number === undefined || WAYLAND_DISPLAY ? true : existsSync(`/tmp/.X11-unix/X${number}`)
  return { name: DISPLAY || WAYLAND_DISPLAY || undefined, socket }
}

/** Only Linux may have none. `browser` is the path of the one that would be used. */
function findFonts(browser: string | undefined): FontFacts | undefined {
  if (process.platform !== 'linux') return undefined
  const data = process.env['XDG_DATA_HOME'] || join(homedir(), '.local/share')
  const folders = [
    '/usr/share/fonts',
    '/usr/local/share/fonts',
    join(data, 'fonts'),
    join(homedir(), '.fonts'),
  ]
  const files = folders
    .flatMap(listFilesBelow)
    .filter((name) => /\.(ttf|otf|ttc|otc|pfb|woff2?)$/i.test(name))
  const has = (pattern: RegExp) => files.some((name) => pattern.test(name))
  const config = existsSync('/etc/fonts/fonts.conf')
  return {
    config,
    kit: !config && browser !== undefined && existsSync(join(dirname(browser), 'fonts/fonts.conf')),
    files: files.length,
    emoji: has(/emoji|symbola/i),
    cjk: has(
      /cjk|noto(sans|serif)(sc|tc|hk|jp|kr)|wqy|ipa[egm]|takao|vlgothic|nanum|fallback|unifont|ukai|uming|baekmuk|sourcehan/i,
    ),
  }
}

async function checkLoopback(): Promise<Facts['loopback']> {
  const [v4, v6] = await Promise.all([tryToBind('127.0.0.1'), tryToBind('::1')])
  return { v4, v6 }
}

/** How many people have an account here: by /etc/passwd, on macOS by their home folders. */
function countUsers(platform: NodeJS.Platform = process.platform): number | undefined {
  try {
    if (platform === 'darwin')
      return readdirSync('/Users').filter((name) => !/^(\.|Shared$|Guest$)/.test(name)).length
    if (platform === 'win32') return undefined
    const accounts = readFileSync('/etc/passwd', 'utf8').trim().split('\n')
    return accounts.filter((line) => /^[^:]*:[^:]*:[1-9]\d{3,4}:.*(?<!nologin|false)$/.test(line)).length
  } catch {
    return undefined
  }
}

/** Whether the folder could be made and written, without making it, and the pictures of failures in it. */
export function checkOutputFolder(folder: string, isFixing: boolean): Facts['output'] {
  const path = resolve(folder)
  let existing = path
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing)
  const pictures = findOldPictures(path)
  try {
    rmdirSync(mkdtempSync(join(existing, '.footlight-')))
  } catch (error) {
    const problem = `${existing} is not writable (${(error as NodeJS.ErrnoException).code})`
    return { path, problem, pictures, removedCount: 0 }
  }
  return { path, problem: undefined, pictures, removedCount: isFixing ? removePictures(pictures) : 0 }
}

const tryToBind = (host: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen(0, host, () => server.close(() => resolve(undefined)))
  })

function listFilesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
  } catch {
    return []
  }
}

// A session that is open is younger than a day.
function findOldPictures(folder: string): string[] {
  const isOld = (path: string) => Date.now() - statSync(path).mtimeMs > DAY_MS
  return listNames(folder)
    .filter((name) => /^[0-9a-f]{8}$/.test(name))
    .flatMap((name) => listNames(join(folder, name)).map((file) => join(folder, name, file)))
    .filter((path) => /^failure-\d+(-\d+)?\.jpeg$/.test(basename(path)) && isOld(path))
}

/** Removes them, and the folders that are empty then. Answers how many it removed. */
function removePictures(pictures: readonly string[]): number {
  pictures.forEach((path) => rmSync(path, { force: true }))
  for (const folder of new Set(pictures.map(dirname))) if (listNames(folder).length === 0) rmdirSync(folder)
  return pictures.length
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
