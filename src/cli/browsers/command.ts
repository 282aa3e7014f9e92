// `footlight browsers list|install|pack|unpack`. Answers go to stdout, what happens on the way to stderr.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { here } from './here.ts'
import { listing, listingText } from './list.ts'
import { megabytes } from './progress.ts'
import { versionOf } from './version.ts'
import { readFlags, type Flags } from '../options/flags.ts'
import { findPlaywrightBuild, type PlaywrightBuildName } from '../../browser/find/playwright-builds.ts'
import { buildRoots, isExecutable } from '../../browser/find/find-executable.ts'
import { installCommandFor } from '../../browser/find/install-command.ts'
import { findInstalledBrowser } from '../../browser/process/launch.ts'
import { PLAYWRIGHT_VERSION } from '../../browser/playwright/version.ts'
import { findClosestName } from '../../core/text/closest-name.ts'

type Run = (flags: Flags) => Promise<number>

interface Action {
  readonly options: readonly string[]
  readonly switches: readonly string[]
  /** How many words stand beside the options, at the least and at the most. */
  readonly words: readonly [number, number]
  readonly usage: string
  readonly run: Run
}

const actions: Readonly<Record<string, Action>> = {
  list: { options: [], switches: ['json'], words: [0, 0], usage: 'list [--json]', run: list },
  install: {
    options: [],
    switches: ['full'],
    words: [0, 1],
    usage: 'install [chromium|firefox|webkit] [--full]',
    run: installOne,
  },
  pack: {
    options: ['browser', 'out', 'executablePath'],
    switches: [],
    words: [0, 0],
    usage: 'pack --out kit.tar.gz [--browser chromium|firefox] [--executable-path PATH]',
    run: packOne,
  },
  unpack: {
    options: ['dir'],
    switches: [],
    words: [1, 1],
    usage: 'unpack kit.tar.gz [--dir DIR]',
    run: unpackOne,
  },
}

/** Runs one of them and answers the exit code: 2 where the words make no sense. */
export async function browsers([name = '', ...raw]: readonly string[]): Promise<number> {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (!action) {
    const close = findClosestName(name, Object.keys(actions))
    const usages = Object.values(actions).map(({ usage }) => `  footlight browsers ${usage}`)
    const about =
      name === '' ? 'missing subcommand' : `unknown "${name}". ${close ? `Did you mean ${close}?` : ''}`
    return fail([`browsers: ${about}`.trimEnd(), ...usages].join('\n'), 2)
  }
  const flags = readFlags(raw, [...action.options, ...action.switches], action.switches)
  if (!flags.ok) return fail(`browsers ${name}: ${flags.error}`, 2)
  const [least, most] = action.words
  const count = flags.value.rest.length
  if (count < least || count > most) return fail(`expected: footlight browsers ${action.usage}`, 2)
  return action.run(flags.value)
}

// --- internal ---

async function list({ values }: Flags): Promise<number> {
  const all = await listing()
  say(values.get('json') === 'true' ? JSON.stringify(all) : listingText(all))
  return 0
}

async function installOne({ values, rest }: Flags): Promise<number> {
  const [browser = 'chromium'] = rest
  if (browser !== 'chromium' && browser !== 'firefox' && browser !== 'webkit')
    return fail(`browsers install: expected chromium, firefox or webkit, received ${browser}`, 2)
  const full = values.get('full') === 'true'
  const name: PlaywrightBuildName = browser === 'chromium' && !full ? 'chromium-headless-shell' : browser
  const build = await findPlaywrightBuild(name)
  if (!build.ok) return fail(`${build.error}. Instead: ${installCommandFor(browser)}`)
  const { install } = await import('./install.ts')
  const installed = await install(build.value)
  if (!installed.ok) return fail(`${installed.error}. Instead: ${installCommandFor(browser)}`)
  const { program, already, missing } = installed.value
  say(`${build.value.title}${already ? ' was already installed' : ''}: ${program}`)
  if (missing.length === 0) return 0
  const root = process.getuid?.() === 0 ? '' : 'sudo '
  return fail(
    `it needs these libraries to start: ${missing.join(', ')}: ${root}npx -y playwright@${PLAYWRIGHT_VERSION} install-deps ${browser}`,
  )
}

async function packOne({ values }: Flags): Promise<number> {
  const browser = values.get('browser') ?? 'chromium'
  const out = values.get('out')
  if (browser !== 'chromium' && browser !== 'firefox')
    return fail(`--browser: expected chromium or firefox, received ${browser}`, 2)
  if (out === undefined) return fail('browsers pack requires --out, e.g. --out kit.tar.gz', 2)
  const asked = values.get('executablePath')
  if (asked !== undefined && !isExecutable(asked)) return fail(`--executable-path ${asked} is not executable`)
  const chosen =
    asked === undefined
      ? await findInstalledBrowser(browser, true)
      : { found: resolve(asked), source: 'asked' }
  if (!chosen.found) return fail(`no ${browser} was found. To install one: ${installCommandFor(browser)}`)
  if (browser === 'firefox' && chosen.source === 'playwright')
    return fail(
      `${chosen.found} is Playwright's own build, which works only in Playwright's folder: copy ${buildRoots().playwright} to the other machine, or pass a stock Firefox as --executable-path`,
    )
  if (chosen.source === 'kit')
    return fail(
      `${chosen.found} is an unpacked kit: copy the kit file that it came from, or pass another browser as --executable-path`,
    )
  const version = await versionOf(chosen.found)
  if (version === undefined)
    return fail(`${chosen.found} reports no version, so it probably does not start: run footlight doctor`)
  const { pack } = await import('./pack.ts')
  const { manifest, bytes, size, missing } = await pack({
    browser,
    executable: chosen.found,
    version,
    out: resolve(out),
  })
  const glibc = manifest.glibc === undefined ? '' : ` with glibc ${manifest.glibc} or newer`
  const libraries = manifest.files.filter(({ path }) => path.startsWith('lib/')).length
  say(
    `${out}: ${browser} ${version}${manifest.shell ? ' (headless shell)' : ''} for ${manifest.platform} ${manifest.arch}${glibc}`,
  )
  say(
    `${manifest.files.length} files, ${libraries} of them libraries, ${megabytes(bytes)}, packed ${megabytes(size)}, from ${chosen.found}`,
  )
  if (missing.length > 0) tell(`not found on this machine and not included in the kit: ${missing.join(', ')}`)
  say(`On the other machine: footlight browsers unpack ${out}`)
  return 0
}

async function unpackOne({ values, rest }: Flags): Promise<number> {
  const [kit = ''] = rest
  const dir = values.get('dir')
  if (!existsSync(kit)) return fail(`${kit} does not exist`)
  const { unpack } = await import('./unpack.ts')
  const unpacked = await unpack(kit, resolve(dir ?? buildRoots().kits), here())
  if (!unpacked.ok) return fail(`${kit} was not unpacked: ${unpacked.error}`)
  const { manifest, entry, already } = unpacked.value
  say(`${manifest.browser} ${manifest.version}${already ? ' was already unpacked' : ''}: ${entry}`)
  const use = manifest.browser === 'chromium' ? '' : ` --browser ${manifest.browser}`
  const path = dir === undefined ? '' : ` --executable-path ${entry}`
  say(`To use it: footlight --headless${use}${path}`)
  return 0
}

const say = (text: string): void => void process.stdout.write(`${text}\n`)

const tell = (text: string): void => void process.stderr.write(`footlight: ${text}\n`)

function fail(text: string, code: 1 | 2 = 1): number {
  tell(text)
  return code
}
