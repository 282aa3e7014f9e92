// `footlight doctor [--json] [--fix]`: what works on this machine, really tried, and what to do about the rest. Nothing leaves it.

import process from 'node:process'
import { colors } from 'consola/utils'
import { createTemporaryFolder } from '../../core/base/files/temporary-folder.ts'
import { sandboxProblem } from '../../core/browser/process/sandbox.ts'
import { switches } from '../../core/cli/options/command-options.ts'
import { readFlags } from '../../core/cli/options/flags.ts'
import { optionNames } from '../../core/cli/options/option-list.ts'
import { VERSION } from '../../core/cli/options/version.ts'
import {
  exitWithUsageError,
  printLine,
  showProgress,
  watchInterruption,
  wrapLines,
} from '../../core/cli/terminal/output.ts'
import { createWatchdog } from '../../core/devserver/process/watchdog.ts'
import { type BrowserFacts, type Facts, findLeftovers, gatherFacts, startBrowser } from './gather-facts.ts'

/** Answers the exit code: 0 when no check failed, that of the browser that would be used among them. The server's own options are read
 * too. */
export async function runDoctor(raw: readonly string[]): Promise<number> {
  const doctorFlags = ['json', 'fix']
  const flags = readFlags(raw, [...doctorFlags, ...optionNames], [...doctorFlags, ...switches])
  if (!flags.ok) return exitWithUsageError(flags.error)
  const [stray] = flags.value.rest
  if (stray !== undefined) return exitWithUsageError(`doctor: unexpected argument "${stray}"`)
  void watchInterruption().exitCode.then((code) => process.exit(code))
  return checkMachine(flags.value.values)
}

async function checkMachine(flags: ReadonlyMap<string, string>): Promise<number> {
  const isOn = (name: string) => flags.get(name) === 'true'
  const show = isOn('json') ? () => {} : printRow
  // Looked for before anything of ours is there; the scratch folder would sweep it silently.
  const leftovers = await findLeftovers(isOn('fix'))
  const temporary = createTemporaryFolder({ sweep: false })
  process.once('exit', temporary.remove)
  // A browser that is ended with this process may still write to its profile.
  createWatchdog(crypto.randomUUID(), temporary.folder)
  const { settings, facts } = await gatherFacts(flags, leftovers, isOn('fix'))
  const rows = createRows(facts)
  rows.forEach(show)
  const used = facts.browsers.find(({ isUsed }) => isUsed)
  if (used) {
    showProgress(`starting ${used.path ?? used.browser} …`)
    const row = createUsedBrowserRow(await startBrowser(used, settings))
    showProgress('')
    show(row)
    rows.push(row)
  }
  const failedChecks = findFailedChecks(rows)
  const isReady = failedChecks.length === 0
  if (isOn('json')) printLine(JSON.stringify({ ok: isReady, version: VERSION, checks: rows }))
  else printLine(`\nFootlight is ${isReady ? 'ready.' : `not ready: ${failedChecks.join(', ')} failed.`}`)
  return isReady ? 0 : 1
}

function printRow(row: CheckRow): void {
  const { isTTY, columns } = process.stdout
  const text = wrapLines(formatRow(row), columns || Infinity)
  printLine(isTTY ? `${stateColors[row.state](text.slice(0, 1))}${text.slice(1)}` : text)
}

const stateColors = { ok: colors.green, warn: colors.yellow, fail: colors.red, skip: colors.gray } as const

type CheckState = 'ok' | 'warn' | 'fail' | 'skip'

/** What was found and, where something is to be done, what. */
interface Finding {
  readonly state: CheckState
  readonly found: string
  readonly next?: string
}

type CheckRow = { readonly check: string } & Finding

const finding =
  (state: CheckState) =>
  (found: string, next?: string): Finding => ({ state, found, next })
const [ok, warn, fail, skip] = [finding('ok'), finding('warn'), finding('fail'), finding('skip')]

// The checks that need no browser to be started, in the order in which they are shown.
const checks: readonly (readonly [name: string, check: (facts: Facts) => Finding])[] = [
  ['settings', checkSettings],
  ['sandbox', checkSandbox],
  ['display', checkDisplay],
  ['shared memory', checkSharedMemory],
  ['fonts', checkFonts],
  ['loopback', checkLoopback],
  ['other users', checkOtherUsers],
  ['other side', checkHostBrowser],
  ['output folder', checkOutput],
  ['leftovers', checkLeftovers],
  ['clients', checkClients],
]

/** The rows of these checks and of the browsers that are not used. Nothing here looks at the machine. */
export const createRows = (facts: Facts): CheckRow[] => [
  ...checks.map(([check, run]) => ({ check, ...run(facts) })),
  ...facts.browsers
    .filter(({ isUsed }) => !isUsed)
    .map((browser) => ({ check: browser.browser, ...checkOtherBrowser(browser) })),
]

/** The row of the browser that would be used, after it was started where it was found. */
export const createUsedBrowserRow = (facts: BrowserFacts): CheckRow => ({
  check: `${facts.browser} (used)`,
  ...checkUsedBrowser(facts),
})

function checkUsedBrowser(facts: BrowserFacts): Finding {
  const { browser, path, pathProblem, launch, install, reason, headed, searchedCount } = facts
  if (pathProblem !== undefined) return fail(pathProblem, 'correct the path, or omit the option')
  if (launch === undefined)
    return fail(`not found; looked in ${formatCount(searchedCount, 'place')}`, howToGet(install, browser))
  if ('problem' in launch) {
    const library = /error while loading shared libraries: ([^\s:]+)/.exec(launch.problem)?.[1]
    const next = library === undefined ? howToGet(install, browser) : `missing library ${library}: ${install}`
    return fail(launch.problem.replace(/\s*\n\s*/g, ' | '), next)
  }
  const windows = headed !== undefined && headed !== path ? `; with windows ${headed}` : ''
  return ok(`${launch.version}, a page in ${launch.ms} ms: ${path} (${reason})${windows}`)
}

const checkOtherBrowser = ({ browser, path, install }: BrowserFacts): Finding =>
  path === undefined
    ? skip('not installed', howToGet(install, browser))
    : skip(`not started: ${path}`, `footlight doctor --browser ${browser} tries it`)

/** What failed, by name. */
export const findFailedChecks = (rows: readonly CheckRow[]): string[] =>
  rows.flatMap(({ check, state }) => (state === 'fail' ? check : []))

/** A row for people: what to do stands below what was found. */
export const formatRow = ({ check, state, found, next }: CheckRow): string =>
  [
    `${stateMarks[state]} ${state.padEnd(5)} ${check.padEnd(CHECK_WIDTH_CHARS)}  ${found}`,
    ...(next === undefined ? [] : [`${' '.repeat(CHECK_WIDTH_CHARS + 10)}→ ${next}`]),
  ].join('\n')

// That of the longest row.
const CHECK_WIDTH_CHARS = 'chromium (used)'.length

const stateMarks: Record<CheckState, string> = { ok: '✓', warn: '!', fail: '✗', skip: '-' }

function howToGet(install: string, browser: string): string {
  if (browser === 'webkit') return 'footlight browsers install webkit'
  if (browser !== 'chromium' && browser !== 'firefox') return install
  return `${install}; or footlight browsers install ${browser}; without a network: footlight browsers unpack`
}

const formatCount = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : noun.endsWith('s') ? 'es' : 's'}`

function checkSettings({ settings }: Facts): Finding {
  const { problem, config, variables, misspelled, remote } = settings
  if (problem !== undefined) return fail(problem, 'fix the value; footlight --help lists the options')
  if (misspelled.length > 0) return warn(misspelled.join(' '))
  const parts = [
    ...(config === undefined ? [] : [`config file ${config}`]),
    ...(variables.length === 0 ? [] : [`variables ${variables.join(', ')}`]),
    ...(remote === undefined ? [] : [`browsers are remote, at ${remote} (not checked)`]),
  ]
  return ok(parts.join('; ') || 'defaults; no variable or config file is set')
}

function checkSandbox({ sandbox }: Facts): Finding {
  if (sandbox === undefined) return skip('no Chromium was found')
  const problem = sandboxProblem(sandbox)
  if (problem === undefined) return ok("Chromium's sandbox is on")
  const next = sandbox.isRoot
    ? 'run footlight as another user where pages are not trusted'
    : sandbox.apparmorRestrictUserns === 1
      ? 'sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0'
      : 'sudo sysctl -w kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000'
  return warn(`Chromium runs without its sandbox: ${problem}`, next)
}

function checkDisplay({ display: { name, socket }, settings: { headless }, platform }: Facts): Finding {
  if (platform !== 'linux') return ok('windows can be shown')
  if (name === undefined)
    return ok(headless ? 'none; not needed for headless' : 'none; browsers run headless')
  if (socket) return ok(name)
  const found = `${name} is set, but no display responds`
  return (headless ? warn : fail)(found, 'start the display, unset DISPLAY, or pass --headless')
}

function checkSharedMemory({ sharedMemory: bytes, platform }: Facts): Finding {
  if (platform !== 'linux') return skip('only Linux uses /dev/shm')
  if (bytes === undefined) return warn('/dev/shm is missing', 'mount a tmpfs there')
  const found = `/dev/shm has ${Math.round(bytes / MB)} MB`
  if (bytes > 64 * MB) return ok(found)
  return warn(
    `${found}; Chromium runs without it, Firefox may crash on large pages`,
    'start the container with --shm-size=1g or --ipc=host',
  )
}

const MB = 1024 * 1024

function checkFonts({ fonts }: Facts): Finding {
  if (fonts === undefined) return skip('provided by the system')
  const { files, kit, config, emoji, cjk } = fonts
  if (files === 0 && kit)
    return warn('no fonts installed; the unpacked browser has one for Latin text', INSTALL_FONTS)
  if (files === 0) return fail('no fonts installed: pages show no text', INSTALL_FONTS)
  const found = `${files} font files`
  if (!config) return warn(`${found}, but no /etc/fonts/fonts.conf`, 'apt-get install -y fontconfig')
  const lacking = [...(emoji ? [] : ['emoji']), ...(cjk ? [] : ['Chinese, Japanese and Korean'])]
  if (lacking.length === 0) return ok(found)
  return warn(`${found}, but none for ${lacking.join(' or ')}: such text is rendered as boxes`, INSTALL_FONTS)
}

const INSTALL_FONTS =
  'apt-get install -y fonts-dejavu-core fonts-noto-color-emoji fonts-noto-cjk, or the equivalent packages of your system'

function checkLoopback({ loopback: { v4, v6 } }: Facts): Finding {
  if (v4 === undefined)
    return ok(v6 === undefined ? '127.0.0.1 and ::1 work' : '127.0.0.1 works; ::1 does not')
  return fail(
    `cannot listen on 127.0.0.1: ${v4}`,
    'ip link set lo up, or allow it in the sandbox around footlight',
  )
}

function checkOtherUsers({ userCount, platform, browsers }: Facts): Finding {
  if (userCount === undefined) return skip('not known on this system')
  if (userCount <= 1) return ok('none')
  const hasFirefox = browsers.some(({ browser, path }) => browser === 'firefox' && path !== undefined)
  const found = `${userCount} people have an account`
  if (platform === 'linux' || !hasFirefox) return ok(found)
  return warn(
    `${found}: while a Firefox starts, each of them can connect to its debugging port`,
    'use Chromium, whose commands go through a pipe',
  )
}

function checkHostBrowser({ hostBrowser }: Facts): Finding {
  if (!hostBrowser) return skip('this machine is no container and no subsystem of Windows')
  const { side, answer, addresses } = hostBrowser
  const subject = side === 'wsl' ? 'Chrome of Windows' : 'Chrome of the host'
  if (answer)
    return ok(`${subject}: ${answer.version} answers`, `footlight --cdp-endpoint ${answer.url} uses it`)
  return skip(
    `${subject} does not answer at ${addresses.join(', ')}`,
    'to use it: docs/browsers.md, "The browser of the other side"',
  )
}

function checkOutput({ output: { path, problem, pictures, removedCount } }: Facts): Finding {
  if (problem !== undefined) return fail(`${path}: ${problem}`, 'pass another folder as --output-dir')
  const found = `${path} is writable`
  if (pictures.length === 0) return ok(found)
  const what = `${formatCount(pictures.length, 'picture')} of failures in earlier sessions`
  return removedCount > 0
    ? ok(`${found}; removed: ${what}`)
    : ok(`${found}; it has ${what}`, 'footlight doctor --fix removes them')
}

function checkLeftovers({ leftovers: { folders, processes, fixed } }: Facts): Finding {
  if (folders.length + processes.length === 0) return ok('none from earlier runs')
  const commands = processes.map(({ pid, command }) => `${pid} ${command}`)
  const what = [
    ...(folders.length === 0 ? [] : [`${formatCount(folders.length, 'folder')} (${folders.join(', ')})`]),
    ...(commands.length === 0 ? [] : [`${formatCount(commands.length, 'process')} (${commands.join(', ')})`]),
  ].join(' and ')
  if (fixed === undefined) return warn(`from ended runs: ${what}`, 'footlight doctor --fix')
  if (fixed.folders === folders.length && fixed.processes === processes.length) return ok(`removed: ${what}`)
  return warn(
    `removed ${fixed.folders + fixed.processes} of: ${what}`,
    'the rest belongs to another user: run footlight doctor --fix as that user',
  )
}

function checkClients({ clients }: Facts): Finding {
  if (clients.length === 0)
    return skip('no client configuration contains footlight', 'footlight setup CLIENT --write')
  return ok(clients.map(({ client, file }) => `${client} (${file})`).join(', '))
}
