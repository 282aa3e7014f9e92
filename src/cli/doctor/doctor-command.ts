// `footlight doctor [--json] [--fix]`: what works on this machine, really tried, and what to do about the rest. Nothing leaves it.

import process from 'node:process'
import { colors } from 'consola/utils'
import { printLine, printMessage, showProgress, watchInterruption, wrapLines } from '../terminal/output.ts'
import { gatherFacts, findLeftovers, startBrowser } from './gather-facts.ts'
import { readFlags } from '../options/flags.ts'
import { switches } from '../commands/commands.ts'
import { optionNames } from '../options/options.ts'
import { VERSION } from '../options/version.ts'
import { createWatchdog } from '../../devserver/process/watchdog.ts'
import { createTemporaryFolder } from '../../runtime/files/temporary-folder.ts'
import type { BrowserFacts, Facts } from './facts.ts'
import { sandboxProblem } from '../../browser/process/sandbox.ts'

/** Answers the exit code: 0 when no check failed, that of the browser that would be used among them. The server's own options are read
 * too. */
export async function runDoctor(raw: readonly string[]): Promise<number> {
  const doctorFlags = ['json', 'fix']
  const flags = readFlags(raw, [...doctorFlags, ...optionNames], [...doctorFlags, ...switches])
  const stray = flags.ok ? flags.value.rest[0] : undefined
  if (!flags.ok || stray !== undefined) {
    printMessage(flags.ok ? `doctor: unexpected argument "${stray}"` : flags.error)
    return 2
  }
  void watchInterruption().exitCode.then((code) => process.exit(code))
  return checkMachine(flags.value.values)
}

// --- internal ---

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
  const ok = failedChecks.length === 0
  if (isOn('json')) printLine(JSON.stringify({ ok, version: VERSION, checks: rows }))
  else printLine(`\nFootlight is ${ok ? 'ready.' : `not ready: ${failedChecks.join(', ')} failed.`}`)
  return ok ? 0 : 1
}

function printRow(row: CheckRow): void {
  const { isTTY, columns } = process.stdout
  const text = wrapLines(formatRow(row), columns || Infinity)
  printLine(isTTY ? `${stateColors[row.state](text.slice(0, 1))}${text.slice(1)}` : text)
}

const stateColors = { ok: colors.green, warn: colors.yellow, fail: colors.red, skip: colors.gray } as const

type CheckState = 'ok' | 'warn' | 'fail' | 'skip'

/** One check: what was found and, where something is to be done, what. */
interface CheckRow {
  readonly check: string
  readonly state: CheckState
  readonly found: string
  readonly next?: string
}

// From facts to rows: what is well, what is not, and what to do next. Nothing here looks at the machine.
/** One row for each check that needs no browser to be started, in the order in which they are shown. */
export const createRows = (facts: Facts): CheckRow[] => [
  settings(facts),
  sandbox(facts),
  display(facts),
  sharedMemory(facts),
  fonts(facts),
  loopback(facts),
  otherUsers(facts),
  output(facts),
  leftovers(facts),
  clients(facts),
  ...facts.browsers.filter(({ isUsed }) => !isUsed).map(otherBrowser),
]

/** The row of the browser that would be used, after it was started where it was found. */
export function createUsedBrowserRow({
  browser,
  path,
  pathProblem,
  launch,
  install,
  reason,
  headed,
  searchedCount,
}: BrowserFacts): CheckRow {
  const check = `${browser} (used)`
  if (pathProblem !== undefined)
    return { check, state: 'fail', found: pathProblem, next: 'correct the path, or omit the option' }
  if (launch === undefined)
    return { check, state: 'fail', found: describeSearch(searchedCount), next: howToGet(install, browser) }
  if ('problem' in launch) {
    const library = /error while loading shared libraries: ([^\s:]+)/.exec(launch.problem)?.[1]
    const next = library === undefined ? howToGet(install, browser) : `missing library ${library}: ${install}`
    return { check, state: 'fail', found: launch.problem.replace(/\s*\n\s*/g, ' | '), next }
  }
  const windows = headed !== undefined && headed !== path ? `; with windows ${headed}` : ''
  return {
    check,
    state: 'ok',
    found: `${launch.version}, a page in ${launch.ms} ms: ${path} (${reason})${windows}`,
  }
}

/** What failed, by name. */
export const findFailedChecks = (rows: readonly CheckRow[]): string[] =>
  rows.flatMap(({ check, state }) => (state === 'fail' ? check : []))

function settings({ settings: { problem, config, variables, misspelled, remote } }: Facts): CheckRow {
  const check = 'settings'
  if (problem !== undefined)
    return {
      check,
      state: 'fail',
      found: problem,
      next: 'fix the value; footlight --help lists the options',
    }
  if (misspelled.length > 0) return { check, state: 'warn', found: misspelled.join(' ') }
  const parts = [
    ...(config === undefined ? [] : [`config file ${config}`]),
    ...(variables.length === 0 ? [] : [`variables ${variables.join(', ')}`]),
    ...(remote === undefined ? [] : [`browsers are remote, at ${remote} (not checked)`]),
  ]
  return {
    check,
    state: 'ok',
    found: parts.join('; ') || 'defaults; no variable or config file is set',
  }
}

const otherBrowser = ({ browser, path, install }: BrowserFacts): CheckRow =>
  path === undefined
    ? { check: browser, state: 'skip', found: 'not installed', next: howToGet(install, browser) }
    : {
        check: browser,
        state: 'skip',
        found: `not started: ${path}`,
        next: `footlight doctor --browser ${browser} tries it`,
      }

const describeSearch = (count: number): string => `not found; looked in ${formatCount(count, 'place')}`

const howToGet = (install: string, browser: string): string =>
  browser === 'webkit'
    ? 'footlight browsers install webkit'
    : browser === 'chromium' || browser === 'firefox'
      ? `${install}; or footlight browsers install ${browser}; without a network: footlight browsers unpack`
      : install

function leftovers({ leftovers: { folders, processes, fixed } }: Facts): CheckRow {
  const check = 'leftovers'
  if (folders.length + processes.length === 0) return { check, state: 'ok', found: 'none from earlier runs' }
  const what = [
    ...(folders.length === 0 ? [] : [`${formatCount(folders.length, 'folder')} (${folders.join(', ')})`]),
    ...(processes.length === 0
      ? []
      : [
          `${formatCount(processes.length, 'process')} (${processes.map(({ pid, command }) => `${pid} ${command}`).join(', ')})`,
        ]),
  ].join(' and ')
  if (fixed === undefined)
    return { check, state: 'warn', found: `from ended runs: ${what}`, next: 'footlight doctor --fix' }
  if (fixed.folders === folders.length && fixed.processes === processes.length)
    return { check, state: 'ok', found: `removed: ${what}` }
  const found = `removed ${fixed.folders + fixed.processes} of: ${what}`
  return {
    check,
    state: 'warn',
    found,
    next: 'the rest belongs to another user: run footlight doctor --fix as that user',
  }
}

const formatCount = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : noun.endsWith('s') ? 'es' : 's'}`

function clients({ clients: found }: Facts): CheckRow {
  const check = 'clients'
  if (found.length === 0)
    return {
      check,
      state: 'skip',
      found: 'no client configuration contains footlight',
      next: 'footlight setup CLIENT --write',
    }
  return { check, state: 'ok', found: found.map(({ client, file }) => `${client} (${file})`).join(', ') }
}

/** A row for people: what to do stands below what was found. */
export const formatRow = ({ check, state, found, next }: CheckRow): string =>
  [
    `${stateMarks[state]} ${state.padEnd(5)} ${check.padEnd(CHECK_WIDTH_CHARS)}  ${found}`,
    ...(next === undefined ? [] : [`${' '.repeat(CHECK_WIDTH_CHARS + 10)}→ ${next}`]),
  ].join('\n')

// That of the longest row.
const CHECK_WIDTH_CHARS = 'chromium (used)'.length

const stateMarks: Record<CheckState, string> = { ok: '✓', warn: '!', fail: '✗', skip: '-' }

// The rows about the machine around the browsers.
const MB = 1024 * 1024

function sandbox({ sandbox: facts }: Facts): CheckRow {
  const check = 'sandbox'
  if (facts === undefined) return { check, state: 'skip', found: 'no Chromium was found' }
  const problem = sandboxProblem(facts)
  if (problem === undefined) return { check, state: 'ok', found: "Chromium's sandbox is on" }
  const next = facts.isRoot
    ? 'run footlight as another user where pages are not trusted'
    : facts.apparmorRestrictUserns === 1
      ? 'sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0'
      : 'sudo sysctl -w kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000'
  return { check, state: 'warn', found: `Chromium runs without its sandbox: ${problem}`, next }
}

function display({ display: { name, socket }, settings: { headless }, platform }: Facts): CheckRow {
  const check = 'display'
  if (platform !== 'linux') return { check, state: 'ok', found: 'windows can be shown' }
  if (name === undefined)
    return {
      check,
      state: 'ok',
      found: headless ? 'none; not needed for headless' : 'none; browsers run headless',
    }
  if (socket) return { check, state: 'ok', found: name }
  return {
    check,
    state: headless ? 'warn' : 'fail',
    found: `${name} is set, but no display responds`,
    next: 'start the display, unset DISPLAY, or pass --headless',
  }
}

function sharedMemory({ sharedMemory: bytes, platform }: Facts): CheckRow {
  const check = 'shared memory'
  if (platform !== 'linux') return { check, state: 'skip', found: 'only Linux uses /dev/shm' }
  if (bytes === undefined)
    return { check, state: 'warn', found: '/dev/shm is missing', next: 'mount a tmpfs there' }
  const found = `/dev/shm has ${Math.round(bytes / MB)} MB`
  if (bytes > 64 * MB) return { check, state: 'ok', found }
  return {
    check,
    state: 'warn',
    found: `${found}; Chromium runs without it, Firefox may crash on large pages`,
    next: 'start the container with --shm-size=1g or --ipc=host',
  }
}

function fonts({ fonts: facts }: Facts): CheckRow {
  const check = 'fonts'
  const next =
    'apt-get install -y fonts-dejavu-core fonts-noto-color-emoji fonts-noto-cjk, or the equivalent packages of your system'
  if (facts === undefined) return { check, state: 'skip', found: 'provided by the system' }
  if (facts.files === 0 && facts.kit)
    return {
      check,
      state: 'warn',
      found: 'no fonts installed; the unpacked browser has one for Latin text',
      next,
    }
  if (facts.files === 0)
    return { check, state: 'fail', found: 'no fonts installed: pages show no text', next }
  if (!facts.config)
    return {
      check,
      state: 'warn',
      found: `${facts.files} font files, but no /etc/fonts/fonts.conf`,
      next: 'apt-get install -y fontconfig',
    }
  const lacking = [...(facts.emoji ? [] : ['emoji']), ...(facts.cjk ? [] : ['Chinese, Japanese and Korean'])]
  const found = `${facts.files} font files`
  if (lacking.length === 0) return { check, state: 'ok', found }
  return {
    check,
    state: 'warn',
    found: `${found}, but none for ${lacking.join(' or ')}: such text is rendered as boxes`,
    next,
  }
}

function loopback({ loopback: { v4, v6 } }: Facts): CheckRow {
  const check = 'loopback'
  if (v4 !== undefined)
    return {
      check,
      state: 'fail',
      found: `cannot listen on 127.0.0.1: ${v4}`,
      next: 'ip link set lo up, or allow it in the sandbox around footlight',
    }
  return {
    check,
    state: 'ok',
    found: v6 === undefined ? '127.0.0.1 and ::1 work' : '127.0.0.1 works; ::1 does not',
  }
}

function otherUsers({ userCount, platform, browsers }: Facts): CheckRow {
  const check = 'other users'
  if (userCount === undefined) return { check, state: 'skip', found: 'not known on this system' }
  if (userCount <= 1) return { check, state: 'ok', found: 'none' }
  const hasFirefox = browsers.some(({ browser, path }) => browser === 'firefox' && path !== undefined)
  const found = `${userCount} people have an account`
  if (platform === 'linux' || !hasFirefox) return { check, state: 'ok', found }
  return {
    check,
    state: 'warn',
    found: `${found}: while a Firefox starts, each of them can connect to its debugging port`,
    next: 'use Chromium, whose commands go through a pipe',
  }
}

function output({ output: { path, problem, pictures, removedCount } }: Facts): CheckRow {
  const check = 'output folder'
  if (problem !== undefined)
    return { check, state: 'fail', found: `${path}: ${problem}`, next: 'pass another folder as --output-dir' }
  const found = `${path} is writable`
  if (pictures.length === 0) return { check, state: 'ok', found }
  const what = `${pictures.length} ${pictures.length === 1 ? 'picture' : 'pictures'} of failures in earlier sessions`
  return removedCount > 0
    ? { check, state: 'ok', found: `${found}; removed: ${what}` }
    : { check, state: 'ok', found: `${found}; it has ${what}`, next: 'footlight doctor --fix removes them' }
}
