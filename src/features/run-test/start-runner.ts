// Starts the processes of Playwright Test. Most of the time of a short run is the loading of its modules, so the process of the next run is
// started in advance where another is likely: it waits for what it is to run, and without it a run is started as ever.

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeFolder } from '../../core/base/files/remove-folder.ts'
import { startTimer, type Timer } from '../../core/base/system/timer.ts'
import { createLogFolder } from '../../core/devserver/logs/log-folder.ts'
import { type ServerProcess, startServerProcess } from '../../core/devserver/process/child-process.ts'
import { createChildEnvironment, type ServerContext } from '../../core/devserver/process/start-context.ts'
import type { NodeRuntime, TestProject } from './find-project.ts'
import { type AwaitedRun, waitForRun, type WaitSettings } from './in-playwright/wait-for-run.ts'
import type { RunObservation } from './test-runner.ts'

export interface RunnerSetup {
  readonly project: TestProject
  readonly runtime: NodeRuntime
  /** The folder of all files of the run. */
  readonly folder: string
  readonly context: ServerContext
  /** Gets what the pages and the servers run. */
  readonly observation?: RunObservation | undefined
  /** Environment variables that the tests read. */
  readonly env?: Readonly<Record<string, string>>
}

type NextSetup = Omit<RunnerSetup, 'folder' | 'observation'>

interface RunnerStart {
  readonly arguments: readonly string[]
  /** Must be loaded before every program of the run. */
  readonly script: string
  /** The folder of its logs. */
  readonly logs: string
}

interface Runner {
  readonly child: ServerProcess
  /** Whether it, which has ended, never began to run. */
  isLost(): boolean
}

export interface Runners {
  /** `onChange` is called at every line and at the exit. */
  start(setup: RunnerSetup, start: RunnerStart, onChange: () => void): Runner
  /** Starts the process of the next run like this one in advance, in place of another that waits. */
  prepare(setup: NextSetup): void
  /** Ends the process that waits. */
  end(): Promise<void>
}

/** Where Node keeps the code of Playwright, compiled. */
export const compiledModulesIn = (context: ServerContext): string => join(context.folder, 'compiled-modules')

export function createRunners(): Runners {
  let waiting: WaitingRunner | undefined
  const take = () => {
    const runner = waiting
    waiting = undefined
    runner?.limit.stop()
    return runner
  }
  const isReadyFor = (setup: NextSetup) => waiting?.key === keyOf(setup) && !waiting.child.exit()
  const end = async () => void (await take()?.child.stop(STOP_GRACE_MS))
  return {
    start(setup, start, onChange) {
      const runner = isReadyFor(setup) ? take() : undefined
      if (!runner) return { child: startCold(setup, start, onChange), isLost: () => false }
      const { child } = runner
      runner.begin(setup, start, onChange)
      return { child, isLost: () => child.lastLines.stdout.length === 0 }
    },
    prepare(setup) {
      const { context, runtime } = setup
      // Without process groups the input is that of the supervisor. Options of the user's own may load modules, or listen at a port.
      const hasOptions = /--(?!max-)/.test(context.parentEnv['NODE_OPTIONS'] ?? '')
      if (context.supervisor || runtime.isBun || hasOptions || isReadyFor(setup)) return
      void end()
      waiting = startWaiting(
        setup,
        startTimer(WAIT_LIMIT_MS, () => void end()),
      )
    },
    end,
  }
}

// --- internal ---

const STOP_GRACE_MS = 1000
/** Longer than most edits take: the process has about 140 MB. */
const WAIT_LIMIT_MS = 5 * 60_000

interface WaitingRunner {
  readonly key: string
  /** Ends it where no run comes. */
  readonly limit: Timer
  readonly child: ServerProcess
  begin(setup: RunnerSetup, start: RunnerStart, onChange: () => void): void
}

/** What must be the same from the start of the process: Playwright Test and its packages read many variables as they are loaded. */
const keyOf = ({ runtime, project, env = {} }: NextSetup): string =>
  JSON.stringify([runtime.path, project.program, project.folder, env])

function startWaiting(setup: NextSetup, limit: Timer): WaitingRunner {
  const { context, project } = setup
  const folder = mkdtempSync(join(context.folder, 'runner-'))
  const script = join(folder, 'wait-for-run.cjs')
  const settings: WaitSettings = { program: project.program, compiledModules: compiledModulesIn(context) }
  writeFileSync(script, `;(${String(waitForRun)})(require, ${JSON.stringify(settings)})\n`)
  let report = () => {}
  const env = environmentOf({ ...setup, folder }, script)
  const { NODE_OPTIONS: own } = context.parentEnv
  const child = startNode(
    setup,
    [script, 'test'],
    { ...env, NODE_OPTIONS: own ?? '' },
    { logs: folder, onChange: () => report() },
  )
  return {
    key: keyOf(setup),
    limit,
    child: {
      ...child,
      async stop(graceMs) {
        const result = await child.stop(graceMs)
        removeFolder(folder)
        return result
      },
    },
    begin(runSetup, start, onChange) {
      report = onChange
      // Its processes have its tag.
      const env = environmentOf({ ...runSetup, context }, start.script)
      const run: AwaitedRun = { arguments: start.arguments, env }
      child.write(`${JSON.stringify(run)}\n`)
    },
  }
}

function startCold(setup: RunnerSetup, start: RunnerStart, onChange: () => void): ServerProcess {
  const words = [setup.project.program, 'test', ...start.arguments]
  return startNode(setup, words, environmentOf(setup, start.script), { logs: start.logs, onChange })
}

function startNode(
  { project, runtime, context }: NextSetup,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  { logs, onChange }: { readonly logs: string; readonly onChange: () => void },
): ServerProcess {
  const command = [runtime.path, ...words]
  const options = { command, program: undefined, cwd: project.folder, env, logs: createLogFolder(logs) }
  return startServerProcess(options, context, () => {}, onChange)
}

// What a run leaves in the folder for temporary files is removed with it. Compiled tests are kept for the next run.
function environmentOf(
  { runtime, folder, context, env, observation }: RunnerSetup,
  script: string,
): Record<string, string> {
  const { parentEnv, run, tag } = context
  const path = script.replaceAll('\\', '/')
  const options: Record<string, string> = runtime.isBun
    ? // Bun reads no quotes in it.
      { BUN_OPTIONS: `--preload=${path}` }
    : { NODE_OPTIONS: [parentEnv['NODE_OPTIONS'], `--require "${path}"`].filter(Boolean).join(' ') }
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary, { recursive: true, mode: 0o700 })
  // Below another test runner the first is set, and Playwright Test refuses to run. With `CI` a configuration does not reuse the server of a
  // session, whose port is taken then.
  const {
    JEST_WORKER_ID: _,
    CI: __,
    ...environment
  } = createChildEnvironment(
    { run, tag },
    {
      ...env,
      ...options,
      ...observation?.environmentFor(options),
      PWTEST_CACHE_DIR: parentEnv['PWTEST_CACHE_DIR'] ?? join(context.folder, 'compiled-tests'),
      TMPDIR: temporary,
      TMP: temporary,
      TEMP: temporary,
    },
    parentEnv,
  )
  return environment
}
