// Finds a browser for the demo and the tests, or installs one with Playwright's download or the system's package manager, and prints which.
// `--tests` also installs Firefox and the programs that tests run, on Linux, and `--apps` the servers of the applications in `test/apps`;
// `--grid` what a Selenium Grid needs, `--windows` and `--linux` what runs the executables for Windows and for other kinds of Linux.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import process from 'node:process'
import type { BrowserName } from '../src/core/base/browser-names.ts'
import { findExecutable } from '../src/core/browser/process/find-executable.ts'

interface Need {
  readonly what: string
  readonly browser?: BrowserName
  readonly find: () => string | undefined
  readonly download?: string
  readonly apt: string
}

const browser = (name: BrowserName) => () => findExecutable({ browser: name, headless: true }).path

const chromium: Need = {
  what: 'Chromium',
  find: browser('chromium'),
  download: 'chromium-headless-shell',
  apt: 'chromium chromium-headless-shell',
}

const LOCK_TIMEOUT_S = 600
const RUN_TIMEOUT_MS = 900_000
const OUTPUT_LIMIT_BYTES = 100_000_000

const shells = ['zsh', 'shellcheck', 'busybox', 'ruby']

const testNeeds: Need[] = [
  {
    what: 'Chromium with windows',
    find: () => findExecutable({ browser: 'chromium', headless: false }).path,
    download: 'chromium',
    apt: 'chromium',
  },
  { what: 'Firefox', find: browser('firefox'), apt: 'firefox-esr' },
  {
    what: 'a load balancer',
    find: () => Bun.which('haproxy') ?? Bun.which('/usr/sbin/haproxy') ?? undefined,
    apt: 'haproxy',
  },
  { what: 'a clock that can be set', find: () => Bun.which('faketime') ?? undefined, apt: 'faketime' },
  { what: 'a maker of certificates', find: () => Bun.which('openssl') ?? undefined, apt: 'openssl' },
  {
    what: 'other shells, and what checks scripts',
    find: () => (shells.every((name) => Bun.which(name)) ? shells.join(', ') : undefined),
    apt: shells.join(' '),
  },
  { what: 'a reader of PDFs', find: () => Bun.which('pdftotext') ?? undefined, apt: 'poppler-utils' },
  { what: 'a virtual display', find: () => Bun.which('Xvfb') ?? undefined, apt: 'xvfb' },
]

const appServers: Readonly<Record<string, string>> = {
  '/usr/bin/puma': 'puma',
  '/usr/bin/hugo': 'hugo',
  '/usr/bin/go': 'golang-go',
  '/usr/bin/php': 'php-cli',
  '/usr/bin/gunicorn': 'gunicorn',
  '/usr/bin/jupyter-notebook': 'jupyter-notebook',
  '/usr/lib/python3/dist-packages/django': 'python3-django',
  '/usr/lib/python3/dist-packages/flask': 'python3-flask',
  '/usr/share/dokuwiki': 'dokuwiki',
  '/usr/share/doc/ruby-sinatra': 'ruby-sinatra',
}
const appNeed: Need = {
  what: 'the servers of the applications',
  find: () =>
    Object.keys(appServers).every((path) => existsSync(path))
      ? Object.values(appServers).join(', ')
      : undefined,
  apt: Object.values(appServers).join(' '),
}

// The jar of the Grid itself is a package of npm.
const gridNeeds: Need[] = [
  { what: 'Java', find: () => Bun.which('java') ?? undefined, apt: 'default-jre-headless' },
  {
    what: 'Chromium and its driver',
    find: () => (Bun.which('chromium') ? (Bun.which('chromedriver') ?? undefined) : undefined),
    apt: 'chromium chromium-driver',
  },
]

const windowsNeeds: Need[] = [
  {
    what: 'Wine, and a compiler for its programs',
    find: () =>
      (Bun.which('/usr/lib/wine/wine64') ?? Bun.which('wine64')) && Bun.which('x86_64-w64-mingw32-gcc')
        ? 'wine64, x86_64-w64-mingw32-gcc'
        : undefined,
    apt: 'wine64 gcc-mingw-w64-x86-64',
  },
]

const linuxFiles: Readonly<Record<string, string>> = {
  '/usr/bin/qemu-aarch64-static': 'qemu-user-static',
  '/usr/aarch64-linux-gnu/lib/libc.so.6': 'libc6-arm64-cross',
  '/lib/ld-musl-x86_64.so.1': 'musl',
  '/usr/bin/gcc': 'gcc',
}
const linuxNeeds: Need[] = [
  {
    what: 'an arm64 processor in software, and musl',
    find: () =>
      Object.keys(linuxFiles).every((path) => existsSync(path))
        ? Object.values(linuxFiles).join(', ')
        : undefined,
    apt: Object.values(linuxFiles).join(' '),
  },
]

const isAsked = (flag: string) => process.argv.includes(flag) && process.platform === 'linux'
const needs = [
  chromium,
  ...(isAsked('--tests') ? testNeeds : []),
  ...(isAsked('--apps') ? [appNeed] : []),
  ...(isAsked('--grid') ? gridNeeds : []),
  ...(isAsked('--windows') ? windowsNeeds : []),
  ...(isAsked('--linux') ? linuxNeeds : []),
]
const found = new Map<Need, string>()
for (const need of needs) if (!look(need, 'installed')) download(need)
const missing = needs.filter((need) => !found.has(need))
if (missing.length > 0) {
  const reason = installPackages(missing)
  const lacking = missing.filter((need) => !look(need, "the system's package manager"))
  if (lacking.length > 0) {
    console.error(reason)
    console.error(
      `setup: failed to get ${lacking.map(({ what }) => what).join(', ')}. Install it by hand and run this again.`,
    )
    process.exit(1)
  }
}

function look(need: Need, from: string): boolean {
  const path = need.find()
  if (path === undefined) return false
  found.set(need, path)
  console.log(`setup: ${need.what}: ${path} (${from})`)
  return true
}

function download(need: Need): void {
  if (need.download === undefined) return
  console.log(`setup: ${need.what}: none installed; trying Playwright's download …`)
  const { status } = run(process.execPath, ['x', 'playwright', 'install', need.download])
  if (status === 0) look(need, "Playwright's download")
}

/** Installs the packages of Debian and its relatives. Returns what the package manager printed if it failed. */
function installPackages(wanted: readonly Need[]): string {
  if (!Bun.which('apt-get')) return 'setup: there is no apt-get'
  const packages = wanted.map(({ apt }) => apt).join(' ')
  const update = runApt('update')
  const install = runApt('install', '-y', ...packages.split(' '))
  return `${update}\n${install}`.trim()
}

// Another program that installs packages is waited for: apt-get itself waits for the lock of dpkg only.
function runApt(...args: readonly string[]): string {
  const command = [
    'env',
    'DEBIAN_FRONTEND=noninteractive',
    'apt-get',
    '-qq',
    '-o',
    `DPkg::Lock::Timeout=${LOCK_TIMEOUT_S}`,
  ]
  const [program = '', ...rest] = [...(process.getuid?.() === 0 ? [] : ['sudo', '-n']), ...command, ...args]
  console.log(`setup: apt-get ${args.join(' ')} …`)
  const end = Date.now() + LOCK_TIMEOUT_S * 1000
  for (;;) {
    const { status, output } = run(program, rest)
    if (status === 0) return ''
    if (!/Could not get lock/.test(output) || Date.now() > end) return `apt-get ${args[0]}: ${output.trim()}`
    console.log('setup: another program holds the lock of the package manager; waiting …')
    Bun.sleepSync(5000)
  }
}

function run(program: string, args: readonly string[]): { status: number | null; output: string } {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    timeout: RUN_TIMEOUT_MS,
    maxBuffer: OUTPUT_LIMIT_BYTES,
  })
  return { status, output: `${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}` }
}
