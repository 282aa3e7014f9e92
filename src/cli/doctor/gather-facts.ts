// Looking at the machine. Browsers are started one after the other, so that the time of each is its own.

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
import { resolveSettings } from '../options/settings.ts'
import { isExecutable } from '../../browser/find/find-executable.ts'
import { installCommandFor } from '../../browser/find/install-command.ts'
import { findInstalledBrowser } from '../../browser/launch/launch.ts'
import { readSandboxFacts } from '../../browser/launch/sandbox.ts'
import { checkLaunch } from '../../browser/launch/check-launch.ts'
import type { Failure } from '../../core/failure.ts'
import { endOrphans, findOrphans } from '../../devserver/process/orphans.ts'
import { BROWSER_NAMES, type BrowserName } from '../../core/browser-names.ts'
import { removeFolder } from '../../runtime/files/remove-folder.ts'
import { findLeftoverFolders } from '../../runtime/files/temporary-folder.ts'

/** Flags as in Settings; `fix` removes what earlier runs left. `tell` hears what is being tried. */
export async function gatherFacts(
  flags: ReadonlyMap<string, string>,
  leftovers: LeftoverFacts,
  report: (text: string) => void,
): Promise<Facts> {
  const { settings, facts } = gatherSettings(flags)
  const browsers: BrowserFacts[] = []
  for (const browser of BROWSER_NAMES) browsers.push(await tryBrowser(browser, settings, browsers, report))
  const chromium = browsers.find(({ browser, path }) => browser !== 'firefox' && browser !== 'webkit' && path)
  return {
    platform: process.platform,
    browsers,
    settings: facts,
    sandbox: chromium?.path === undefined ? undefined : readSandboxFacts(chromium.path),
    display: readDisplay(),
    sharedMemory: readSharedMemory(),
    fonts: findFonts(browsers.find(({ isConfigured: isConfigured }) => isConfigured)?.path),
    loopback: await checkLoopback(),
    userCount: countUsers(),
    output: checkOutputFolder(settings.outputDir),
    leftovers: leftovers,
    clients: findClientsNaming('footlight', {
      platform: process.platform,
      home: homedir(),
      cwd: process.cwd(),
      env: process.env,
    }),
  }
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
  const remote = settings.connect ?? settings.cdpEndpoint
  const problem = settingsResult.ok ? undefined : settingsResult.error
  return { settings, facts: { problem, config, variables, remote, headless: settings.headless } }
}

function readDefaults(): Settings {
  const settingsResult = resolveSettings({ flags: new Map(), env: {}, read: () => '{}' })
  if (!settingsResult.ok) throw new Error(settingsResult.error)
  return settingsResult.value
}

async function tryBrowser(
  browser: BrowserName,
  settings: Settings,
  before: readonly BrowserFacts[],
  report: (text: string) => void,
): Promise<BrowserFacts> {
  const isConfigured = browser === settings.browser
  const configuredPath = isConfigured ? settings.executablePath : undefined
  const [headless, headed] = [
    await findInstalledBrowser(browser, true),
    await findInstalledBrowser(browser, false),
  ]
  const path = configuredPath ?? headless.path
  const sameExecutable = before.find((one) => one.path === path && path !== undefined)
  const facts = {
    browser,
    isConfigured,
    path: configuredPath !== undefined && !isExecutable(configuredPath) ? undefined : path,
    reason:
      configuredPath === undefined ? explainChoice(headless.all[0], headed.all[0]) : 'from --executable-path',
    headed: configuredPath ?? headed.path,
    searchedCount: configuredPath === undefined ? headless.looked.length : 1,
    install: installCommandFor(browser),
  }
  if (facts.path === undefined) return { ...facts, launch: undefined }
  if (sameExecutable?.launch) return { ...facts, launch: sameExecutable.launch }
  report(`starting ${facts.path} …`)
  const result = await checkLaunch({
    browser,
    headless: true,
    ...(configuredPath !== undefined && { executablePath: configuredPath }),
    timeout: settings.launchTimeout,
    onNotice: () => {},
  })
  return { ...facts, launch: result.ok ? result.value : { problem: describeFailure(result.error) } }
}

const describeFailure = (failure: Failure): string =>
  'text' in failure ? (failure.text ?? failure.code) : failure.code
