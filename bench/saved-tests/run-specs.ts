// Runs the tests of a copy of an application with its own Playwright Test, on this machine's browser.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import process from 'node:process'
import type { Application } from './flow.ts'

const RUN_LIMIT_MS = 1_200_000
const REPORT = 'results.json'

export interface SpecResult {
  readonly passed: number
  readonly total: number
  /** The message of the first failure. */
  readonly problem?: string
}

export interface RunOptions {
  /** Names of the tests, without `.spec.ts`; by default all of the folder. */
  readonly names?: readonly string[]
  readonly repeats?: number
  /** The limit of one test in milliseconds. */
  readonly timeout?: number
  /** Values of the environment variables that the tests read. */
  readonly env?: Readonly<Record<string, string>>
}

/** Writes the configuration of the runs: the server of the application, and the browser of this machine. */
export function writeRunConfig(folder: string, { port }: Application, executablePath: string): void {
  const config = `import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: './tests',
  use: {
    baseURL: 'http://localhost:${port}',
    launchOptions: { executablePath: ${JSON.stringify(executablePath)} },
  },
  webServer: {
    command: 'npm run dev',
    env: { PORT: '${port}' },
    url: 'http://localhost:${port}',
    reuseExistingServer: false,
    timeout: 120_000,
  },
})
`
  writeFileSync(join(folder, 'playwright.config.ts'), config)
}

/** Answers the results by the name of the test. The server is started for the run and stopped after it. */
export async function runSpecs(
  folder: string,
  { names = [], repeats = 1, timeout = 30_000, env = {} }: RunOptions,
): Promise<ReadonlyMap<string, SpecResult>> {
  const path = join(folder, REPORT)
  rmSync(path, { force: true })
  const child = spawn(
    'npx',
    [
      'playwright',
      'test',
      ...names.map((name) => `${name}.spec.ts`),
      `--repeat-each=${repeats}`,
      `--timeout=${timeout}`,
      '--workers=1',
      '--reporter=json',
    ],
    {
      cwd: folder,
      env: { ...process.env, ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: REPORT },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: RUN_LIMIT_MS,
    },
  )
  let errors = ''
  child.stderr.on('data', (chunk) => (errors += String(chunk)))
  await once(child, 'close')
  return resultsIn(path, errors)
}

// --- internal ---

interface Suite {
  readonly suites?: readonly Suite[]
  readonly specs?: readonly {
    readonly file: string
    readonly tests: readonly {
      readonly results: readonly { status: string; error?: { message: string } }[]
    }[]
  }[]
}

function resultsIn(path: string, errors: string): ReadonlyMap<string, SpecResult> {
  let report: Suite & { errors?: readonly { message: string }[] }
  try {
    report = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new Error(`the tests did not run: ${errors}`)
  }
  const results = new Map<string, SpecResult>()
  const visit = ({ suites = [], specs = [] }: Suite): void => {
    for (const { file, tests } of specs)
      for (const { status, error } of tests.flatMap((test) => test.results)) {
        const name = basename(file, '.spec.ts')
        const { passed, total, problem } = results.get(name) ?? { passed: 0, total: 0 }
        const message = problem ?? error?.message
        results.set(name, {
          passed: passed + Number(status === 'passed'),
          total: total + 1,
          ...(message !== undefined && { problem: plainText(message) }),
        })
      }
    for (const suite of suites) visit(suite)
  }
  visit(report)
  if (results.size === 0) throw new Error(`no test ran: ${report.errors?.[0]?.message ?? errors}`)
  return results
}

const plainText = (message: string): string => message.replace(/\u001b\[[\d;]*m/g, '')
