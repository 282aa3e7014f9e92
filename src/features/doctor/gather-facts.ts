// Looking at the machine. Only the browser that would be used is started.

import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { BROWSER_NAMES, type BrowserName } from '../../core/base/browser-names.ts'
import type { Failure } from '../../core/base/failure.ts'
import { removeFolder } from '../../core/base/files/remove-folder.ts'
import { findLeftoverFolders } from '../../core/base/files/temporary-folder.ts'
import { listFolder, readFile } from '../../core/base/system/proc-files.ts'
import { executableProblem } from '../../core/browser/process/find-executable.ts'
import { installCommandFor } from '../../core/browser/process/install-command.ts'
import { checkLaunch, findInstalledBrowser } from '../../core/browser/process/launch-browser.ts'
import { readSandboxFacts } from '../../core/browser/process/sandbox.ts'
import { optionNames, optionOf } from '../../core/cli/options/option-list.ts'
import { variableNameOf } from '../../core/cli/options/option-names.ts'
import { DAY_MS } from '../../core/cli/options/option-schemas.ts'
import type { Settings } from '../../core/cli/options/options.ts'
import { describeUnknownVariables, resolveSettings } from '../../core/cli/options/settings.ts'
import { endOrphans, findOrphans, type Orphan } from '../../core/devserver/process/orphans.ts'
import { explainChoice } from '../browsers/browser-listing.ts'
import { parseRemoteAddress } from '../remote/remote-address.ts'
import { listAddresses } from '../remote/settings.ts'
import { clientNames, clientOf, fileOf } from '../setup/clients.ts'
import { findHostBrowser } from './host-browser.ts'

/** A browser that was looked for. The one that the settings name is started with one page. */
export interface BrowserFacts {
  readonly browser: BrowserName
  /** Whether it is the one that the settings name, on this machine. */
  readonly isUsed: boolean
  readonly path: string | undefined
  readonly reason: string
  /** Shown with windows, where another is used for that. */
  readonly headed: string | undefined
  readonly launch:
    { readonly version: string; readonly ms: number } | { readonly problem: string } | undefined
  readonly searchedCount: number
  /** What is wrong with the path that the settings name. */
  readonly pathProblem: string | undefined
  /** The command that gets it. */
  readonly install: string
}

/** What doctor finds on a machine, before anything is said about it. */
export type Facts = Awaited<ReturnType<typeof gatherFacts>>['facts']

/** Flags as in Settings. No browser has been started. `isFixing` removes pictures of sessions that have ended. */
export async function gatherFacts(
  flags: ReadonlyMap<string, string>,
  leftovers: Leftovers,
  isFixing: boolean,
) {
  const { platform } = process
  const { settings, facts } = gatherSettings(flags)
  const browsers = await Promise.all(BROWSER_NAMES.map((browser) => findBrowser(browser, settings)))
  const chromium = browsers.find(({ browser, path }) => browser !== 'firefox' && browser !== 'webkit' && path)
  const place = { platform, home: homedir(), cwd: process.cwd(), env: process.env }
  return {
    settings,
    facts: {
      platform,
      browsers,
      settings: facts,
      /** Of the Chromium that would be used. */
      sandbox: chromium?.path === undefined ? undefined : readSandboxFacts(chromium.path),
      display: readDisplay(),
      sharedMemory: readSharedMemory(),
      fonts: findFonts(browsers.find(({ isUsed }) => isUsed)?.path),
      loopback: { v4: await tryToBind('127.0.0.1'), v6: await tryToBind('::1') },
      userCount: countUsers(),
      hostBrowser: await findHostBrowser(),
      output: checkOutputFolder(settings.outputDir, isFixing),
      leftovers,
      clients: listClientFiles(place).filter(({ file }) => readFile(file).includes('footlight')),
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
    executablePath,
    timeout: launchTimeout,
    onNotice: () => {},
  })
  const launch = launchResult.ok ? launchResult.value : { problem: describeFailure(launchResult.error) }
  return { ...facts, launch }
}

interface Leftovers {
  readonly folders: readonly string[]
  readonly processes: readonly Orphan[]
  /** What `--fix` removed and ended; undefined where that was not asked for. */
  readonly fixed: { readonly folders: number; readonly processes: number } | undefined
}

/** Looks for what earlier runs left, and removes it where that is asked for. */
export async function findLeftovers(fix: boolean): Promise<Leftovers> {
  const [folders, processes] = [await findLeftoverFolders(), await findOrphans()]
  if (!fix) return { folders, processes, fixed: undefined }
  const endedProcesses = await endOrphans(processes)
  const removedFolders = folders.filter((folder) => !existsSync(folder) || removeFolder(folder))
  return { folders, processes, fixed: { folders: removedFolders.length, processes: endedProcesses.length } }
}

function gatherSettings(flags: ReadonlyMap<string, string>) {
  const { env } = process
  const read = (path: string) => readFileSync(path, 'utf8')
  const settingsResult = resolveSettings({ flags, env, read })
  // An invalid option is reported; the other checks run with the defaults.
  const settings = settingsResult.ok ? settingsResult.value : readDefaults()
  const names = optionNames.flatMap((name) => [variableNameOf(name), optionOf(name).also ?? []].flat())
  const facts = {
    problem: settingsResult.ok ? undefined : settingsResult.error,
    config: flags.get('config') ?? env[variableNameOf('config')],
    variables: [...new Set([...names, 'FOOTLIGHT_TOKEN'])].filter((name) => env[name]),
    misspelled: describeUnknownVariables(env),
    /** Browsers are elsewhere, at this address. */
    remote: findRemote(settings),
    headless: settings.headless,
  }
  return { settings, facts }
}

function findRemote({ connect, cdpEndpoint, endpointCreate, grid }: Settings): string | undefined {
  if (endpointCreate !== undefined) return new URL(JSON.parse(endpointCreate).create.url).host
  const addresses = connect ?? cdpEndpoint ?? grid
  if (addresses === undefined) return undefined
  return listAddresses(addresses)
    .map((address) => parseRemoteAddress(address).label)
    .join(', ')
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

/** Every configuration file worth a look, by client: those of setup, and others that may name servers. */
export function listClientFiles(
  place: Parameters<typeof fileOf>[2],
): { readonly client: string; readonly file: string }[] {
  return clientNames.flatMap((name) => {
    const user = fileOf(name, 'user', place) ?? ''
    const others = {
      'claude-code': join(place.home, '.claude/settings.json'),
      vscode: join(dirname(user), 'settings.json'),
    }
    const files = [user, ...(name in others ? [others[name as keyof typeof others]] : [])]
    const client = clientOf(name).title.replace(/ CLI$/, '')
    return [...new Set([...files, fileOf(name, 'project', place) ?? user])].map((file) => ({ client, file }))
  })
}

/** Bytes of /dev/shm; undefined where there is none. */
function readSharedMemory(): number | undefined {
  try {
    const { blocks, bsize } = statfsSync('/dev/shm')
    return blocks * bsize
  } catch {
    return undefined
  }
}

/** `socket` is false where DISPLAY names a local display that is not there. */
function readDisplay() {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env
  const number = /^(?:unix)?:(\d+)/.exec(DISPLAY ?? '')?.[1]
  const socket = number === undefined || WAYLAND_DISPLAY ? true : existsSync(`/tmp/.X11-unix/X${number}`)
  return { name: DISPLAY || WAYLAND_DISPLAY || undefined, socket }
}

/** Only Linux may have none. `browser` is the path of the one that would be used. */
function findFonts(browser: string | undefined) {
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
    /** The browser that would be used brings a font of its own. */
    kit: !config && browser !== undefined && existsSync(join(dirname(browser), 'fonts/fonts.conf')),
    files: files.length,
    emoji: has(/emoji|symbola/i),
    cjk: has(
      /cjk|noto(sans|serif)(sc|tc|hk|jp|kr)|wqy|ipa[egm]|takao|vlgothic|nanum|fallback|unifont|ukai|uming|baekmuk|sourcehan/i,
    ),
  }
}

/** How many people have an account here: by /etc/passwd, on macOS by their home folders. */
function countUsers(): number | undefined {
  const { platform } = process
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
export function checkOutputFolder(folder: string, isFixing: boolean) {
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

/** What goes wrong when a port is opened there. */
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
  return listFolder(folder)
    .filter((name) => /^[0-9a-f]{8}$/.test(name))
    .flatMap((name) => listFolder(join(folder, name)).map((file) => join(folder, name, file)))
    .filter((path) => /^failure-\d+(-\d+)?\.jpeg$/.test(basename(path)) && isOld(path))
}

/** Removes them, and the folders that are empty then. Answers how many it removed. */
function removePictures(pictures: readonly string[]): number {
  pictures.forEach((path) => rmSync(path, { force: true }))
  for (const folder of new Set(pictures.map(dirname))) if (listFolder(folder).length === 0) rmdirSync(folder)
  return pictures.length
}
