// Starts a process of Playwright Test.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createLogFolder } from '../../core/devserver/logs/log-folder.ts'
import { type ServerProcess, startServerProcess } from '../../core/devserver/process/child-process.ts'
import { createChildEnvironment, type ServerContext } from '../../core/devserver/process/start-context.ts'
import type { NodeRuntime, TestProject } from './find-project.ts'
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

interface RunnerStart {
  readonly arguments: readonly string[]
  /** Must be loaded before every program of the run. */
  readonly script: string
  /** The folder of its logs. */
  readonly logs: string
}

/** Where Node keeps the code of Playwright, compiled. */
export const compiledModulesIn = (context: ServerContext): string => join(context.folder, 'compiled-modules')

/** `onChange` is called at every line and at the exit. */
export function startRunner(setup: RunnerSetup, start: RunnerStart, onChange: () => void): ServerProcess {
  const { project, runtime, context } = setup
  const command = [runtime.path, project.program, 'test', ...start.arguments]
  const env = environmentOf(setup, start.script)
  const options = { command, program: undefined, cwd: project.folder, env, logs: createLogFolder(start.logs) }
  return startServerProcess(options, context, () => {}, onChange)
}

// --- internal ---

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
