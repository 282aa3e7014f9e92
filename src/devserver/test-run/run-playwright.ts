// One process of the project's Playwright Test, from its start to the end of everything that it started.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createEventReader } from './read-events.ts'
import type { NodeRuntime, TestProject } from './find-project.ts'
import { writeScripts } from './write-scripts.ts'
import type { LaunchSettings } from './in-playwright/launch-fallback.ts'
import { createLogFolder } from '../logs/log-folder.ts'
import { startServerProcess, type ProcessExit } from '../process/child-process.ts'
import { createChildEnvironment } from '../process/environment.ts'
import { signalProcess } from '../process/process-table.ts'
import type { ServerContext } from '../start/server-context.ts'
import type { RunEvent } from '../../core/test-run/run-event.ts'
import { race, type StopReason } from '../../runtime/calls/deadline.ts'
import { createDeferred } from '../../runtime/calls/deferred.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'

/** The browsers of this machine, for projects whose own are not installed. */
export type TestBrowsers = Pick<LaunchSettings, 'browser' | 'headlessShell' | 'hasSandbox' | 'hasDisplay'>

export interface PlaywrightSetup {
  readonly project: TestProject
  readonly runtime: NodeRuntime
  readonly browsers: TestBrowsers
  /** The folder of all files of the run. */
  readonly folder: string
  readonly context: ServerContext
  /** Environment variables that the tests read. */
  readonly env?: Readonly<Record<string, string>>
}

export interface PlaywrightRun {
  readonly events: readonly RunEvent[]
  readonly exit: ProcessExit | undefined
  /** The last lines of both streams, which have no events. */
  readonly lines: readonly string[]
  /** Why it was stopped, if it was. */
  readonly stopReason?: StopReason
}

const STOP_GRACE_MS = 2000
const INTERRUPT_GRACE_MS = 5000

/** The folder of the scripts in which pages reported errors. */
export const scriptFolderIn = (folder: string): string => join(folder, 'scripts')

/** Runs `playwright test` with these arguments. */
export async function runPlaywright(
  setup: PlaywrightSetup,
  name: string,
  programArguments: readonly string[],
  { timeout, signals }: { readonly timeout: number; readonly signals: readonly AbortSignal[] },
  onEvent: (event: RunEvent) => void = () => {},
): Promise<PlaywrightRun> {
  const { project, runtime, context } = setup
  const folder = join(setup.folder, name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const eventFile = join(folder, 'events.jsonl')
  const scripts = writeScripts(folder, scriptSettingsOf(setup, eventFile))
  const readEvents = createEventReader(eventFile)
  const events: RunEvent[] = []
  const readNewEvents = () => {
    for (const event of readEvents()) {
      onEvent(event)
      events.push(event)
    }
  }
  const end = createDeferred()
  const child = startServerProcess(
    {
      command: [
        runtime.path,
        project.program,
        'test',
        ...programArguments,
        `--reporter=${scripts.reporter}`,
        `--output=${join(setup.folder, 'results')}`,
      ],
      program: undefined,
      cwd: project.folder,
      env: environmentOf(setup, scripts.launchFallback),
      logs: createLogFolder(folder),
    },
    context,
    () => {},
    () => {
      readNewEvents()
      if (child.exit()) end.resolve()
    },
  )
  const raceResult = await race(timeout, signals, () => end.promise)
  // Playwright then reports the state of the tests that are running.
  if ('stopReason' in raceResult && raceResult.stopReason === 'deadline') {
    const runner = child.tree.members().find(({ pid }) => pid === child.pid)
    if (runner) signalProcess(runner, 'SIGINT')
    await settleWithin(INTERRUPT_GRACE_MS, end.promise)
  }
  await child.stop(STOP_GRACE_MS)
  readNewEvents()
  const lines = [...child.lastLines.stdout, ...child.lastLines.stderr].filter((line) => line !== '.')
  return {
    events,
    exit: child.exit(),
    lines,
    ...('stopReason' in raceResult && { stopReason: raceResult.stopReason }),
  }
}

// --- internal ---

const scriptSettingsOf = ({ project, browsers, folder }: PlaywrightSetup, events: string) => ({
  ...browsers,
  program: project.program,
  events,
  scripts: scriptFolderIn(folder),
})

// What a run leaves in the folder for temporary files is removed with it. Compiled tests are kept for the next run.
function environmentOf(
  { runtime, folder, context, env }: PlaywrightSetup,
  script: string,
): Record<string, string> {
  const { parentEnv, run, tag } = context
  const path = script.replaceAll('\\', '/')
  const options = runtime.isBun
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
      PWTEST_CACHE_DIR: parentEnv['PWTEST_CACHE_DIR'] ?? join(context.folder, 'compiled-tests'),
      TMPDIR: temporary,
      TMP: temporary,
      TEMP: temporary,
    },
    parentEnv,
  )
  return environment
}
