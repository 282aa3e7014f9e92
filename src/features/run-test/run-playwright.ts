// One process of the project's Playwright Test, from its start to the end of everything that it started.

import { closeSync, mkdirSync, openSync, readSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createJsonReader } from '../../core/base/system/json-lines.ts'
import { race, type StopReason } from '../../core/base/system/race-deadline.ts'
import { createDeferred, settleWithin } from '../../core/base/system/settle-within.ts'
import type { ProcessExit } from '../../core/devserver/process/child-process.ts'
import { signalProcess } from '../../core/devserver/process/process-table.ts'
import type { ProcessTree } from '../../core/devserver/process/process-tree.ts'
import { findRepair, readMark } from './in-page/generated.ts'
import { type CoverageWriterSettings, createCoverageWriter } from './in-playwright/coverage-writer.ts'
import { installLaunchFallback, type LaunchSettings } from './in-playwright/launch-fallback.ts'
import { createLocatorWatch, type LocatorWatchSettings } from './in-playwright/locator-watch.ts'
import { createReporterType, type ReporterSettings } from './in-playwright/reporter.ts'
import type { RunEvent } from './in-playwright/run-event.ts'
import { createScriptReader, type ScriptReaderSettings } from './in-playwright/script-reader.ts'
import { compiledModulesIn, type RunnerSetup, startRunner } from './start-runner.ts'

/** The browsers of this machine, for projects whose own are not installed. */
export type TestBrowsers = Pick<LaunchSettings, 'browser' | 'headlessShell' | 'hasSandbox' | 'hasDisplay'>

export interface PlaywrightSetup extends RunnerSetup {
  readonly browsers: TestBrowsers
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

/** The folder of what the pages ran. */
export const coverageFolderIn = (folder: string): string => join(folder, 'coverage')

/** Runs `playwright test` with these arguments. */
export async function runPlaywright(
  setup: PlaywrightSetup,
  name: string,
  programArguments: readonly string[],
  { timeout, signals }: { readonly timeout: number; readonly signals: readonly AbortSignal[] },
  onEvent: (event: RunEvent, tree: ProcessTree) => void = () => {},
): Promise<PlaywrightRun> {
  const folder = join(setup.folder, name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const eventFile = join(folder, 'events.jsonl')
  const scripts = writeScripts(folder, scriptSettingsOf(setup, eventFile))
  const readEvents = createEventReader(eventFile)
  const events: RunEvent[] = []
  const readNewEvents = () => {
    for (const event of readEvents()) {
      onEvent(event, child.tree)
      events.push(event)
    }
  }
  const end = createDeferred()
  const outputs = [`--reporter=${scripts.reporter}`, `--output=${join(setup.folder, 'results')}`]
  const child = startRunner(
    setup,
    { arguments: [...programArguments, ...outputs], script: scripts.launchFallback, logs: folder },
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
  return {
    events,
    exit: child.exit(),
    lines: [...child.lastLines.stdout, ...child.lastLines.stderr],
    ...('stopReason' in raceResult && { stopReason: raceResult.stopReason }),
  }
}

function scriptSettingsOf(
  { project, browsers, folder, context, observation }: PlaywrightSetup,
  events: string,
) {
  const elements = join(folder, 'elements.json')
  if (observation) writeFileSync(elements, JSON.stringify(observation.elements), { mode: 0o600 })
  return {
    ...{ ...browsers, program: project.program, events, scripts: scriptFolderIn(folder) },
    compiledModules: compiledModulesIn(context),
    ...(observation && {
      coverage: coverageFolderIn(folder),
      chromiumFeatures: COUNTED_FEATURES,
      socket: observation.socket,
      elements,
    }),
  }
}

/** With a frame of its own for each document, V8 would lose the counters of the code that ran before a navigation. */
const COUNTED_FEATURES = ['RenderDocument:level/crashed-frame']

const CHUNK_BYTES = 64 * 1024
/** A longer one is left out. */
const EVENT_LIMIT_BYTES = 32_000_000

/** Returns a function that reads the events that the file has in addition to those of its last call. */
function createEventReader(path: string): () => readonly RunEvent[] {
  let position = 0
  const events: RunEvent[] = []
  const read = createJsonReader({ bytes: EVENT_LIMIT_BYTES }, (line) => {
    if ('value' in line) events.push(line.value as RunEvent)
  })
  return () => {
    position += readFrom(path, position, read)
    return events.splice(0)
  }
}

/** Returns how much was read. The file is created with its first event. */
function readFrom(path: string, start: number, read: (chunk: Buffer) => void): number {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return 0
  }
  try {
    for (let position = start; ;) {
      const chunk = Buffer.alloc(CHUNK_BYTES)
      const length = readSync(file, chunk, 0, CHUNK_BYTES, position)
      if (length === 0) return position - start
      read(chunk.subarray(0, length))
      position += length
    }
  } finally {
    closeSync(file)
  }
}

// Writes the two scripts that run within the project's Playwright.
interface RunScripts {
  readonly reporter: string
  /** It must be loaded before every program of the run. */
  readonly launchFallback: string
}

function writeScripts(
  folder: string,
  settings: LaunchSettings &
    ReporterSettings &
    ScriptReaderSettings &
    CoverageWriterSettings &
    LocatorWatchSettings,
): RunScripts {
  const reporter = join(folder, 'reporter.cjs')
  const launchFallback = join(folder, 'launch-fallback.cjs')
  const text = JSON.stringify(settings)
  writeFileSync(reporter, `module.exports = (${String(createReporterType)})(require, ${text})\n`)
  const inPage = `{ readMark: ${String(readMark)}, findRepair: ${String(findRepair)} }`
  const watchers = [createScriptReader, createCoverageWriter, createLocatorWatch].map(
    (create) => `(${String(create)})(require, ${text}, ${inPage})`,
  )
  const watch = `[${watchers.join()}].reduce((first, next) => (context) => (first(context), next(context)))`
  writeFileSync(launchFallback, `;(${String(installLaunchFallback)})(require, ${text}, ${watch})\n`)
  return { reporter, launchFallback }
}
