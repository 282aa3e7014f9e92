// `footlight browsers list|install|pack|unpack`. Answers go to stdout, what happens on the way to stderr.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { findClosestName } from '../../core/base/text/closest-name.ts'
import { PLAYWRIGHT_VERSION } from '../../core/browser/playwright/engine.ts'
import {
  buildRoots,
  findPlaywrightBuild,
  isExecutable,
  type PlaywrightBuildName,
} from '../../core/browser/process/find-executable.ts'
import { installCommandFor } from '../../core/browser/process/install-command.ts'
import { findInstalledBrowser } from '../../core/browser/process/launch-browser.ts'
import { readArgs } from '../../core/cli/commands/parse-settings.ts'
import type { Flags } from '../../core/cli/options/flags.ts'
import { fail, printLine, printMessage } from '../../core/cli/terminal/output.ts'
import { formatMegabytes } from '../../core/cli/terminal/progress.ts'
import type { Command } from '../../core/tool/command.ts'
import { formatBrowserListing, listBrowsers } from './browser-listing.ts'
import { findBrowserVersion } from './browser-version.ts'
import type { Machine } from './kit-manifest.ts'

type Run = (flags: Flags) => Promise<number>

const runs: Readonly<Record<string, Run>> = {
  list: listBrowsersCommand,
  install: installCommand,
  pack: packCommand,
  unpack: unpackCommand,
}

/** Runs one of them and answers the exit code: 2 where the words make no sense. */
export async function runBrowsersCommand(
  [name = '', ...raw]: readonly string[],
  commands: Command['subCommands'] = {},
): Promise<number> {
  const run = Object.hasOwn(runs, name) ? runs[name] : undefined
  const command = commands[name]
  if (!run || !command) {
    const closest = findClosestName(name, Object.keys(runs))
    const hint = closest ? `Did you mean ${closest}?` : `Expected one of ${Object.keys(runs).join(', ')}.`
    return fail(`browsers: ${name === '' ? 'missing subcommand' : `unknown "${name}"`}. ${hint}`, 2)
  }
  const flags = readArgs(command, raw)
  return flags.ok ? run(flags.value) : fail(flags.error, 2)
}

// --- internal ---

async function listBrowsersCommand({ values }: Flags): Promise<number> {
  const listing = await listBrowsers()
  printLine(values.get('json') === 'true' ? JSON.stringify(listing) : formatBrowserListing(listing))
  return 0
}

async function installCommand({ values, rest }: Flags): Promise<number> {
  const [browser = 'chromium'] = rest
  if (browser !== 'chromium' && browser !== 'firefox' && browser !== 'webkit')
    return fail(`browsers install: expected chromium, firefox or webkit, received ${browser}`, 2)
  const full = values.get('full') === 'true'
  const name: PlaywrightBuildName = browser === 'chromium' && !full ? 'chromium-headless-shell' : browser
  const build = await findPlaywrightBuild(name)
  if (!build.ok) return fail(`${build.error}. Instead: ${installCommandFor(browser)}`)
  const { installBuild } = await import('./install-build.ts')
  const installResult = await installBuild(build.value)
  if (!installResult.ok) return fail(`${installResult.error}. Instead: ${installCommandFor(browser)}`)
  const { program, wasInstalled, missing } = installResult.value
  printLine(`${build.value.title}${wasInstalled ? ' was already installed' : ''}: ${program}`)
  if (missing.length === 0) return 0
  const root = process.getuid?.() === 0 ? '' : 'sudo '
  return fail(
    `it needs these libraries to start: ${missing.join(', ')}: ${root}npx -y playwright@${PLAYWRIGHT_VERSION} install-deps ${browser}`,
  )
}

async function packCommand({ values }: Flags): Promise<number> {
  const browser = values.get('browser') ?? 'chromium'
  const out = values.get('out')
  if (browser !== 'chromium' && browser !== 'firefox')
    return fail(`--browser: expected chromium or firefox, received ${browser}`, 2)
  if (out === undefined) return fail('browsers pack requires --out, e.g. --out kit.tar.gz', 2)
  const executablePath = values.get('executablePath')
  if (executablePath !== undefined && !isExecutable(executablePath))
    return fail(`--executable-path ${executablePath} is not executable`)
  const candidate =
    executablePath === undefined
      ? await findInstalledBrowser(browser, true)
      : { path: resolve(executablePath), source: 'asked' }
  if (!candidate.path) return fail(`no ${browser} was found. To install one: ${installCommandFor(browser)}`)
  if (browser === 'firefox' && candidate.source === 'playwright')
    return fail(
      `${candidate.path} is Playwright's own build, which works only in Playwright's folder: copy ${buildRoots().playwright} to the other machine, or pass a stock Firefox as --executable-path`,
    )
  if (candidate.source === 'kit')
    return fail(
      `${candidate.path} is an unpacked kit: copy the kit file that it came from, or pass another browser as --executable-path`,
    )
  const version = await findBrowserVersion(candidate.path)
  if (version === undefined)
    return fail(`${candidate.path} reports no version, so it probably does not start: run footlight doctor`)
  const { packKit } = await import('./pack-kit.ts')
  const { manifest, unpackedBytes, archiveBytes, missing } = await packKit({
    browser,
    executable: candidate.path,
    version,
    out: resolve(out),
  })
  const glibc = manifest.glibc === undefined ? '' : ` with glibc ${manifest.glibc} or newer`
  const libraries = manifest.files.filter(({ path }) => path.startsWith('lib/')).length
  printLine(
    `${out}: ${browser} ${version}${manifest.shell ? ' (headless shell)' : ''} for ${manifest.platform} ${manifest.arch}${glibc}`,
  )
  printLine(
    `${manifest.files.length} files, ${libraries} of them libraries, ${formatMegabytes(unpackedBytes)}, packed ${formatMegabytes(archiveBytes)}, from ${candidate.path}`,
  )
  if (missing.length > 0)
    printMessage(`not found on this machine and not included in the kit: ${missing.join(', ')}`)
  printLine(`On the other machine: footlight browsers unpack ${out}`)
  return 0
}

async function unpackCommand({ values, rest }: Flags): Promise<number> {
  const [kit] = rest
  const dir = values.get('dir')
  if (kit === undefined) return fail('browsers unpack requires a file, e.g. browsers unpack kit.tar.gz', 2)
  if (!existsSync(kit)) return fail(`${kit} does not exist`)
  const { unpackKit } = await import('./unpack-kit.ts')
  const unpackResult = await unpackKit(kit, resolve(dir ?? buildRoots().kits), readMachine())
  if (!unpackResult.ok) return fail(`${kit} was not unpacked: ${unpackResult.error}`)
  const { manifest, entry, wasUnpacked } = unpackResult.value
  printLine(`${manifest.browser} ${manifest.version}${wasUnpacked ? ' was already unpacked' : ''}: ${entry}`)
  const use = manifest.browser === 'chromium' ? '' : ` --browser ${manifest.browser}`
  const path = dir === undefined ? '' : ` --executable-path ${entry}`
  printLine(`To use it: footlight --headless${use}${path}`)
  return 0
}

/** This machine, as kits see it. */
function readMachine(): Machine {
  const { platform, arch } = process
  const report = platform === 'linux' ? process.report?.getReport() : undefined
  const { header } = (report ?? {}) as { header?: { glibcVersionRuntime?: string } }
  return { platform, arch, glibc: header?.glibcVersionRuntime }
}
