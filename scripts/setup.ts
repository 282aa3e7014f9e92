// Finds a browser for the demo and the tests, or installs one with Playwright's download or the system's package manager, and prints which.
// `--tests` also installs Firefox and the programs that tests run, on Linux.

import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { findExecutable } from '../src/browser/find/find-executable.ts'
import type { BrowserName } from '../src/core/browser-names.ts'

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

const shells = ['zsh', 'fish', 'shellcheck', 'busybox', 'ruby']

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

const needs =
  process.argv.includes('--tests') && process.platform === 'linux' ? [chromium, ...testNeeds] : [chromium]
const missing = needs.filter((need) => !ensureInstalled(need))
if (missing.length > 0) {
  console.error(
    `setup: could not get ${missing.map(({ what }) => what).join(', ')}. Install it by hand and run this again.`,
  )
  process.exit(1)
}

function ensureInstalled({ what, find, download, apt }: Need): boolean {
  const installedPath = find()
  if (installedPath) return report(what, installedPath, 'installed')
  if (
    download &&
    run(
      process.execPath,
      ['x', 'playwright', 'install', download],
      `${what}: none installed; trying Playwright's download`,
    )
  ) {
    const path = find()
    if (path) return report(what, path, "Playwright's download")
  }
  if (!Bun.which('apt-get')) return false
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const env = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get']
  const command = (...args: string[]) => [...sudo, ...env, ...args] as [string, ...string[]]
  const [program, ...update] = command('update', '-qq')
  run(program, update, `${what}: asking the system's package manager`)
  const [, ...install] = command('install', '-y', '-qq', ...apt.split(' '))
  run(program, install, `apt-get install ${apt}`)
  const path = find()
  return path !== undefined && report(what, path, "the system's package manager")
}

function run(program: string, args: string[], message: string): boolean {
  console.log(`setup: ${message} …`)
  return spawnSync(program, args, { stdio: ['ignore', 'ignore', 'ignore'], timeout: 600_000 }).status === 0
}

function report(what: string, path: string, from: string): true {
  console.log(`setup: ${what}: ${path} (${from})`)
  return true
}
