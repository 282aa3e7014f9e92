// From facts to rows: what is well, what is not, and what to do next. Nothing here looks at the machine.

import type { BrowserFacts, Facts } from './facts.ts'
import { display, fonts, loopback, otherUsers, output, sandbox, sharedMemory } from './machine-rows.ts'
import type { CheckRow } from './check-row.ts'

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

// --- internal ---

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
