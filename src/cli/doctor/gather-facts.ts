// Looking at the machine. Only the browser that would be used is started.

import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import process from 'node:process'
import { findClientsNaming } from './client-files.ts'
import type { BrowserFacts, Facts, LeftoverFacts, SettingsFacts } from './facts.ts'
import {
  readDisplay,
  findFonts,
  checkLoopback,
  checkOutputFolder,
  countUsers,
  readSharedMemory,
} from './machine.ts'
import { explainChoice } from '../browsers/browser-listing.ts'
import { optionNames, optionOf, variableNameOf, type Settings } from '../options/options.ts'
import { describeUnknownVariables, resolveSettings } from '../options/settings.ts'
import { executableProblem } from '../../browser/find/find-executable.ts'
import { installCommandFor } from '../../browser/find/install-command.ts'
import { findInstalledBrowser } from '../../browser/launch/launch.ts'
import { readSandboxFacts } from '../../browser/launch/sandbox.ts'
import { checkLaunch } from '../../browser/launch/check-launch.ts'
import type { Failure } from '../../core/failure.ts'
import { endOrphans, findOrphans } from '../../devserver/process/orphans.ts'
import { BROWSER_NAMES, type BrowserName } from '../../core/browser-names.ts'
import { removeFolder } from '../../runtime/files/remove-folder.ts'
import { findLeftoverFolders } from '../../runtime/files/temporary-folder.ts'

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

const findRemote = ({ connect, cdpEndpoint }: Settings): string | undefined => connect ?? cdpEndpoint

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
