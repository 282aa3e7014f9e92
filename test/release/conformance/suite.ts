// Runs the conformance suite of the protocol against a server, for one revision.

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { trace } from '../../support/leftovers.ts'
import { type Fetched, install } from '../../support/npm.ts'

const CONFORMANCE_VERSION = '0.2.0-alpha.12'

export type Revision = '2025-11-25' | '2026-07-28'

interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED'
  readonly errorMessage?: string
}

export interface ConformanceRun {
  readonly status: number | null
  /** The checks of each scenario, by its name. */
  readonly scenarios: ReadonlyMap<string, readonly Check[]>
}

// It needs Node 22; the newer Node comes as a package of this platform.
const node = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`

/** Fetches the suite, with other packages if any. */
export const installSuite = (...others: string[]): Fetched =>
  install(`@modelcontextprotocol/conformance@${CONFORMANCE_VERSION}`, `${node}@24.21.0`, ...others)

/** Runs all scenarios that the revision requires, with an empty list of expected failures. Throws if none ran. */
export async function conform(
  { folder }: Fetched,
  url: string,
  revision: Revision,
  timeoutMs = 60_000,
): Promise<ConformanceRun> {
  const modules = join(folder, 'node_modules')
  const left = trace()
  const results = join(left.folder, 'results')
  const failures = join(left.folder, 'failures.yml')
  writeFileSync(failures, 'server: []\n')
  const child = Bun.spawn(
    [
      join(modules, node, 'bin/node'),
      join(modules, '@modelcontextprotocol/conformance/dist/index.js'),
      'server',
      ...['--url', url],
      ...['--requirements', revision],
      ...['--expected-failures', failures],
      ...['--output-dir', results],
    ],
    {
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
      cwd: left.folder,
      env: { ...process.env, ...left.env },
      timeout: timeoutMs,
    },
  )
  const errors = await new Response(child.stderr).text()
  const status = await child.exited
  const names = existsSync(results) ? readdirSync(results) : []
  const scenarios = new Map(
    names.map((name) => [
      /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(name)?.[1] ?? name,
      readChecks(join(results, name, 'checks.json')),
    ]),
  )
  rmSync(results, { recursive: true, force: true })
  rmSync(failures)
  await left.expectNothing()
  if (scenarios.size === 0) throw new Error(`the suite did not run: ${errors}`)
  return { status, scenarios }
}

// --- internal ---

// A scenario that ended with an error of its own has no file.
const readChecks = (path: string): Check[] =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Check[]) : []
