import { delimiter, join } from 'node:path'
import process from 'node:process'
import { isExecutable } from './find-executable.ts'
import { PLAYWRIGHT_VERSION } from '../playwright/engine.ts'
import type { BrowserName } from '../../base/browser-names.ts'

/** The facts of a machine that decide how a browser is installed on it. */
export interface Machine {
  readonly platform: NodeJS.Platform
  readonly isRoot: boolean
  readonly packageManagers: readonly string[]
}

/** The exact command that installs this browser on this machine. */
export function installCommandFor(browser: BrowserName): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const packageManagers = PACKAGE_MANAGERS.map(({ tool }) => tool).filter((tool) =>
    folders.some((folder) => isExecutable(join(folder, tool))),
  )
  const machine = { platform: process.platform, isRoot: process.getuid?.() === 0, packageManagers }
  return installCommand(browser, machine, PLAYWRIGHT_VERSION)
}

/** The same as a pure function. `playwrightVersion` is the version whose builds can be driven. */
export function installCommand(browser: BrowserName, machine: Machine, playwrightVersion: string): string {
  const download = `npx -y playwright@${playwrightVersion} install ${browser === 'chromium' ? 'chromium --only-shell' : browser}`
  if (browser === 'webkit') return download
  if (machine.platform === 'darwin') return `brew install --cask ${HOMEBREW_CASKS[browser]}`
  if (machine.platform === 'win32') return `winget install --exact --id ${WINGET_IDS[browser]}`
  const manager = PACKAGE_MANAGERS.find(({ tool }) => machine.packageManagers.includes(tool))
  const packageName = manager?.packages[browser]
  if (!manager || !packageName) return download
  return `${machine.isRoot ? '' : 'sudo '}${manager.install} ${packageName}`
}

type Packages = Partial<Record<BrowserName, string>>

const PACKAGE_MANAGERS: readonly { tool: string; install: string; packages: Packages }[] = [
  {
    tool: 'apt-get',
    install: 'apt-get install -y',
    packages: { chromium: 'chromium', firefox: 'firefox-esr' },
  },
  { tool: 'dnf', install: 'dnf install -y', packages: { chromium: 'chromium', firefox: 'firefox' } },
  {
    tool: 'pacman',
    install: 'pacman -S --noconfirm',
    packages: { chromium: 'chromium', firefox: 'firefox' },
  },
  { tool: 'apk', install: 'apk add', packages: { chromium: 'chromium', firefox: 'firefox-esr' } },
  {
    tool: 'zypper',
    install: 'zypper install -y',
    packages: { chromium: 'chromium', firefox: 'MozillaFirefox' },
  },
]

const HOMEBREW_CASKS: Record<Exclude<BrowserName, 'webkit'>, string> = {
  chromium: 'google-chrome',
  chrome: 'google-chrome',
  msedge: 'microsoft-edge',
  firefox: 'firefox',
}

const WINGET_IDS: typeof HOMEBREW_CASKS = {
  chromium: 'Google.Chrome',
  chrome: 'Google.Chrome',
  msedge: 'Microsoft.Edge',
  firefox: 'Mozilla.Firefox',
}
