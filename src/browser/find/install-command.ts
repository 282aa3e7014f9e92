import type { BrowserName } from '../../runtime/ports/browsers.ts'

/** What is known of the machine: `tools` are the names of the package managers that it has. */
export interface Machine {
  readonly platform: NodeJS.Platform
  readonly root: boolean
  readonly tools: readonly string[]
}

/** The exact next command that puts this browser on this machine. `playwright` is the version whose builds we can drive. */
export function installCommand(browser: BrowserName, machine: Machine, playwright: string): string {
  const download = `npx -y playwright@${playwright} install ${browser === 'chromium' ? 'chromium --only-shell' : browser}`
  if (browser === 'webkit') return download
  if (machine.platform === 'darwin') return `brew install --cask ${casks[browser]}`
  if (machine.platform === 'win32') return `winget install --exact --id ${wingets[browser]}`
  const manager = managers.find(({ tool }) => machine.tools.includes(tool))
  const name = manager?.packages[browser]
  if (!manager || !name) return download
  return `${machine.root ? '' : 'sudo '}${manager.install} ${name}`
}

type Packages = Partial<Record<BrowserName, string>>

const managers: readonly { tool: string; install: string; packages: Packages }[] = [
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

const casks: Record<Exclude<BrowserName, 'webkit'>, string> = {
  chromium: 'google-chrome',
  chrome: 'google-chrome',
  msedge: 'microsoft-edge',
  firefox: 'firefox',
}

const wingets: typeof casks = {
  chromium: 'Google.Chrome',
  chrome: 'Google.Chrome',
  msedge: 'Microsoft.Edge',
  firefox: 'Mozilla.Firefox',
}
