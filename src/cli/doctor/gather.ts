// Looking at the machine. Browsers are started one after the other, so that the time of each is its own.

import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import process from 'node:process'
import { clientsNaming } from './clients.ts'
import type { BrowserFacts, Facts, LeftoverFacts, SettingsFacts } from './facts.ts'
import { display, fonts, loopback, output, sharedMemory } from './machine.ts'
import { whyUsed } from '../browsers/list.ts'
import { optionNames, shown, variable, type Settings } from '../options/options.ts'
import { resolveSettings } from '../options/settings.ts'
import { isExecutable } from '../../browser/find/find-executable.ts'
import { installCommandFor } from '../../browser/find/install-command.ts'
import { findInstalledBrowser } from '../../browser/process/launch.ts'
import { readSandboxFacts } from '../../browser/process/sandbox.ts'
import { checkLaunch } from '../../browser/process/check-launch.ts'
import type { Failure } from '../../core/failure.ts'
import { endOrphans, findOrphans } from '../../devserver/process/orphans.ts'
import { BROWSER_NAMES, type BrowserName } from '../../core/browser-names.ts'
import { leftovers, removeLeftover } from '../../runtime/files/temporary-folder.ts'

/** Flags as in Settings; `fix` removes what earlier runs left. `tell` hears what is being tried. */
export async function gather(
  flags: ReadonlyMap<string, string>,
  left: LeftoverFacts,
  tell: (text: string) => void,
): Promise<Facts> {
  const { settings, facts } = settingsOf(flags)
  const browsers: BrowserFacts[] = []
  for (const browser of BROWSER_NAMES) browsers.push(await tried(browser, settings, browsers, tell))
  const chromium = browsers.find(({ browser, path }) => browser !== 'firefox' && browser !== 'webkit' && path)
  return {
    platform: process.platform,
    browsers,
    settings: facts,
    sandbox: chromium?.path === undefined ? undefined : readSandboxFacts(chromium.path),
    display: display(),
    sharedMemory: sharedMemory(),
    fonts: fonts(browsers.find(({ wanted }) => wanted)?.path),
    loopback: await loopback(),
    output: output(settings.outputDir),
    leftovers: left,
    clients: clientsNaming('footlight', {
      platform: process.platform,
      home: homedir(),
      cwd: process.cwd(),
      env: process.env,
    }),
  }
}

/** Looks for what earlier runs left, and removes it where that is asked for. */
export async function leftBehind(fix: boolean): Promise<LeftoverFacts> {
  const [folders, processes] = [leftovers(), findOrphans()]
  if (!fix) return { folders, processes, fixed: undefined }
  const ended = await endOrphans(processes)
  const removed = folders.filter((folder) => !existsSync(folder.folder) || removeLeftover(folder))
  return { folders, processes, fixed: { folders: removed.length, processes: ended.length } }
}

// --- internal ---

function settingsOf(flags: ReadonlyMap<string, string>): { settings: Settings; facts: SettingsFacts } {
  const { env } = process
  const read = (path: string) => readFileSync(path, 'utf8')
  const resolved = resolveSettings({ flags, env, read })
  // What is wrong with them is told; the rest is looked at as if they were not there.
  const settings = resolved.ok ? resolved.value : defaults()
  const names = optionNames.flatMap((name) => [variable(name), shown(name).also ?? []].flat())
  const variables = [...new Set([...names, 'FOOTLIGHT_TOKEN'])].filter((name) => env[name])
  const config = flags.get('config') ?? env[variable('config')]
  const remote = settings.connect ?? settings.cdpEndpoint
  const problem = resolved.ok ? undefined : resolved.error
  return { settings, facts: { problem, config, variables, remote, headless: settings.headless } }
}

function defaults(): Settings {
  const resolved = resolveSettings({ flags: new Map(), env: {}, read: () => '{}' })
  if (!resolved.ok) throw new Error(resolved.error)
  return resolved.value
}

async function tried(
  browser: BrowserName,
  settings: Settings,
  before: readonly BrowserFacts[],
  tell: (text: string) => void,
): Promise<BrowserFacts> {
  const wanted = browser === settings.browser
  const asked = wanted ? settings.executablePath : undefined
  const [headless, headed] = [
    await findInstalledBrowser(browser, true),
    await findInstalledBrowser(browser, false),
  ]
  const path = asked ?? headless.found
  const known = before.find((one) => one.path === path && path !== undefined)
  const facts = {
    browser,
    wanted,
    path: asked !== undefined && !isExecutable(asked) ? undefined : path,
    why: asked === undefined ? whyUsed(headless.all[0], headed.all[0]) : 'from --executable-path',
    headed: asked ?? headed.found,
    looked: asked === undefined ? headless.looked.length : 1,
    install: installCommandFor(browser),
  }
  if (facts.path === undefined) return { ...facts, trial: undefined }
  if (known?.trial) return { ...facts, trial: known.trial }
  tell(`starting ${facts.path} …`)
  const result = await checkLaunch({
    browser,
    headless: true,
    ...(asked !== undefined && { executablePath: asked }),
    timeout: settings.launchTimeout,
    onNotice: () => {},
  })
  return { ...facts, trial: result.ok ? result.value : { problem: textOf(result.error) } }
}

const textOf = (failure: Failure): string =>
  'text' in failure ? (failure.text ?? failure.code) : failure.code
