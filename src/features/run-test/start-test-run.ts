// Implements the port `TestRunner`.

import { mkdtempSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Failure, Outcome } from '../../core/base/failure.ts'
import { removeFolder } from '../../core/base/files/remove-folder.ts'
import { resolveRealPath } from '../../core/base/files/workspace-roots.ts'
import { err, ok } from '../../core/base/result.ts'
import { abortWith } from '../../core/base/system/race-deadline.ts'
import { findOutputDenial, type ProgramLimits } from '../../core/devserver/process/allowed-programs.ts'
import { isFile } from '../../core/devserver/process/spawn-command.ts'
import type { ServerContext } from '../../core/devserver/process/start-context.ts'
import { readTestVariables, type TestVariables } from '../lib/test-files/test-variables.ts'
import { createCompleteProjects } from './complete-projects.ts'
import { findNodeRuntime, findTestProject } from './find-project.ts'
import { formatFile } from './format-file.ts'
import { limitNames } from './limit-evidence.ts'
import type { TestBrowsers } from './run-playwright.ts'
import type { RunOptions, runTests } from './run-tests.ts'
import type { TestRunner, TestRunRequest } from './test-runner.ts'

interface TestRunnerOptions {
  readonly createContext: () => ServerContext
  readonly findBrowsers: () => TestBrowsers
  /** The folder in which projects are searched for. */
  readonly workspace: string
  /** Set if clients may start only certain commands: tests are one of them. */
  readonly limits?: ProgramLimits | undefined
  /** The output directory, of which nothing runs. */
  readonly outputFolder: string
}

export interface ClosableTestRunner extends TestRunner {
  /** Ends all runs with everything that they started. */
  end(): Promise<void>
}

/** The command that `--server-command` must name where it restricts what clients may start. */
const COMMAND = 'playwright test'

const RUNTIME_MISSING: Failure = {
  code: 'TEST_RUN_FAILED',
  reason: 'runtime_missing',
  text: 'Playwright Test needs Node, but neither node nor bun is on PATH',
}

export function createTestRunner(options: TestRunnerOptions): ClosableTestRunner {
  const { findBrowsers, workspace, limits } = options
  const outputFolder = resolveRealPath(options.outputFolder)
  const closing = new AbortController()
  const completeProjects = createCompleteProjects()
  const activeRuns = new Set<Promise<unknown>>()
  // The pictures and traces of a run are kept until the next one begins.
  const oldFolders = new Set<string>()

  const start = async (
    prepared: Omit<RunOptions, 'folder' | 'workspace' | 'outputFolder' | 'completeProjects'>,
  ) => {
    for (const folder of oldFolders) removeFolder(folder)
    oldFolders.clear()
    const folder = mkdtempSync(join(prepared.context.folder, 'run-'))
    const run = loadRunTests({ ...prepared, completeProjects, folder, workspace, outputFolder })
    activeRuns.add(run)
    try {
      return await run
    } finally {
      activeRuns.delete(run)
      oldFolders.add(folder)
    }
  }

  const prepare = (...paths: RunPaths) => prepareRun(paths, { ...options, outputFolder })

  return {
    findObstacle(path) {
      const prepared = prepare(path)
      return prepared.ok ? undefined : prepared.error
    },
    projectOf: (path) => projectOf(path, workspace, outputFolder),
    async run(request, { signal, progress, observer }) {
      const path = request.path ?? workspace
      const prepared = prepare(path, ...(request.morePaths ?? []))
      if (!prepared.ok) return prepared
      const { env, missing } = readEnvironment(path, request, prepared.value.context)
      // The other tests of a folder need not wait for it.
      if (missing.length > 0 && isFile(path)) return err(missingVariables(missing, workspace))
      const outcome = await start({
        ...prepared.value,
        ...{ request, env, progress, observer },
        browsers: findBrowsers(),
        signals: [signal, closing.signal],
      })
      return missing.length > 0 ? addMissing(outcome, describeMissing(missing, workspace)) : outcome
    },
    async format(path) {
      if (!findDenial([path], { limits, outputFolder })) await formatInProject(path, options)
    },
    async end() {
      abortWith(closing, 'closed')
      await Promise.allSettled(activeRuns)
    },
  }
}

// --- internal ---

function projectOf(path: string, workspace: string, outputFolder: string): string | undefined {
  const project = findTestProject(path, workspace, outputFolder)
  return project.ok ? project.value.folder : undefined
}

async function formatInProject(path: string, { createContext, workspace }: TestRunnerOptions): Promise<void> {
  const { parentEnv } = createContext()
  const runtime = findNodeRuntime(parentEnv)
  if (runtime) await formatFile(path, workspace, runtime, parentEnv)
}

type RunPaths = readonly [string, ...string[]]

/** Every run passes here, with all that it is to run. */
function prepareRun(
  paths: RunPaths,
  { createContext, workspace, limits, outputFolder }: Omit<TestRunnerOptions, 'findBrowsers'>,
): Outcome<Pick<RunOptions, 'project' | 'runtime' | 'context'>> {
  const [path] = paths
  const denial = findDenial([path.replace(/:\d+$/, ''), ...paths], { limits, outputFolder })
  const project = denial ? err(denial) : findTestProject(path, workspace, outputFolder)
  if (!project.ok) return project
  const { configuration = path, program } = project.value
  const projectDenial = findDenial([configuration, program], { limits, outputFolder })
  if (projectDenial) return err(projectDenial)
  const context = createContext()
  const runtime = findNodeRuntime(context.parentEnv)
  return runtime ? ok({ project: project.value, runtime, context }) : err(RUNTIME_MISSING)
}

function findDenial(
  paths: readonly string[],
  { limits, outputFolder }: Pick<TestRunnerOptions, 'limits' | 'outputFolder'>,
): Failure | undefined {
  if (limits && !limits.commands.includes(COMMAND))
    return { code: 'COMMAND_NOT_ALLOWED', command: COMMAND, allowed: limits.commands }
  return paths.map((path) => findOutputDenial(path, outputFolder)).find((denial) => denial !== undefined)
}

/** What the tests at a path get besides the environment of this process, and what they need and nobody has. */
function readEnvironment(
  path: string,
  { env: ownEnv, secrets = new Map() }: TestRunRequest,
  { parentEnv }: ServerContext,
) {
  const { named, needed } = readTestVariables(path)
  const env = { ...Object.fromEntries([...secrets].filter(([name]) => named.includes(name))), ...ownEnv }
  const missing = needed.filter(({ name }) => (env[name] ?? parentEnv[name]) === undefined)
  return { env, missing }
}

/** `PASSWORD is not set, and tests/login.spec.ts needs it`. */
function describeMissing(missing: TestVariables['needed'], workspace: string): string {
  const names = [...new Set(missing.map(({ name }) => name))]
  const files = [...new Set(missing.map(({ path }) => relative(workspace, path)))]
  return `${names.join(', ')} ${names.length > 1 ? 'are' : 'is'} not set, and ${limitNames(files).join(', ')} needs it`
}

const missingVariables = (missing: TestVariables['needed'], workspace: string): Failure => ({
  code: 'TEST_RUN_FAILED',
  reason: 'variables',
  text: describeMissing(missing, workspace),
})

const addMissing = <T>(outcome: Outcome<T>, note: string): Outcome<T> =>
  outcome.ok || (outcome.error.code !== 'TEST_FAILED' && outcome.error.code !== 'TEST_RUN_FAILED')
    ? outcome
    : err({ ...outcome.error, notes: [`${note}: pass env.`, ...(outcome.error.notes ?? [])] })

// Loaded with the first run, because it needs modules that nothing else does.
const loadRunTests: typeof runTests = async (options) => (await import('./run-tests.ts')).runTests(options)
