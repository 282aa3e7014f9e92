// One run of tests: what is left out, the run itself, and what its end means.

import { existsSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Failure, Outcome } from '../../core/base/failure.ts'
import { readRegularFile } from '../../core/base/files/read-regular-file.ts'
import { isFolder } from '../../core/base/files/read-stats.ts'
import { isBelow } from '../../core/base/files/workspace-roots.ts'
import { err, ok } from '../../core/base/result.ts'
import type { FailedTest } from '../../core/base/test-failure.ts'
import { stripTerminalCodes } from '../../core/base/text/terminal-codes.ts'
import { createCodeFrame } from '../sources/code-frame.ts'
import type { CompleteProjects } from './complete-projects.ts'
import { mentionsOtherBrowsers } from './find-project.ts'
import type { ReportedError, RunEvent, TestEndEvent, TestPosition } from './in-playwright/run-event.ts'
import {
  cleanText,
  DETAILED_TEST_LIMIT,
  joinMessages,
  limitFailedTests,
  limitNames,
} from './limit-evidence.ts'
import { observeRun, type TestNotes } from './observe-run.ts'
import { readTraceFile } from './read-trace-file.ts'
import {
  countsOf,
  describeRun,
  describeTimeout,
  judgeRun,
  missingBrowser,
  missingBrowserOf,
  type RunEnd,
} from './run-outcome.ts'
import { type PlaywrightRun, type PlaywrightSetup, runPlaywright, scriptFolderIn } from './run-playwright.ts'
import { createProgress, type RunSummary, serverLinesOf, splitProjects, summarizeRun } from './run-summary.ts'
import { createRunWatch } from './run-watch.ts'
import type { TestRunObserver, TestRunReport, TestRunRequest } from './test-runner.ts'
import { readPageSnapshot } from './trace-evidence.ts'

export interface RunOptions extends PlaywrightSetup {
  readonly request: TestRunRequest
  readonly completeProjects: CompleteProjects
  readonly workspace: string
  /** The real path of the output directory, of which nothing runs. */
  readonly outputFolder: string
  readonly signals: readonly AbortSignal[]
  readonly progress: (text: string) => void
  readonly observer?: TestRunObserver | undefined
}

export async function runTests(options: RunOptions): Promise<Outcome<TestRunReport>> {
  const { request, signals, progress, project } = options
  const startedAt = performance.now()
  const limitsOf = () => ({
    timeout: Math.max(1, request.timeout - (performance.now() - startedAt)),
    signals,
  })
  progress('loading the tests')
  const selection = selectionOf(options)
  const listing =
    mentionsOtherBrowsers(project) && !options.completeProjects.has(options)
      ? await runPlaywright(options, 'list', [...selection, '--list'], limitsOf())
      : undefined
  const listFailure = listing && (await explainEnd(options, listing))
  if (listFailure) return err(await addAvailable(options, listFailure, limitsOf()))
  const listed = listing && summarizeRun(listing.events).begin
  if (listed) options.completeProjects.note(options, listed)
  const { omitted, names } = listed ? splitProjects(listed) : { omitted: [], names: [] }
  if (omitted.length > 0 && names.length === 0)
    return err(missingBrowser(omitted.map(({ browser }) => browser)))
  const projectOptions = omitted.length > 0 ? names.map((name) => `--project=${name}`) : []
  const describeProgress = createProgress()
  const runStartedAt = Date.now()
  const observation = await options.observer?.begin(project.folder)
  const watch = createRunWatch({ folder: project.folder, workspace: options.workspace })
  const run = await runPlaywright(
    { ...options, observation },
    'run',
    [...selection, ...projectOptions, '--trace=retain-on-failure'],
    { ...limitsOf(), signals: [...signals, watch.signal] },
    (event, tree) => {
      watch.look(event, tree)
      const text = describeProgress(event)
      if (text !== undefined) progress(text)
    },
  )
  const obstacle = watch.end()
  const summary = summarizeRun(run.events)
  const testNotes = obstacle ? new Map() : await observeRun(options, observation, run, summary, runStartedAt)
  await observation?.end()
  if (obstacle) return err(obstacle)
  const notes = describeRun(summary, omitted, options.runtime.isBun)
  const result = await explainResult(
    options,
    { run, summary, notes, testNotes },
    performance.now() - startedAt,
  )
  return result.ok ? result : err(await addAvailable(options, result.error, limitsOf()))
}

// --- internal ---

const BUN_ADVICE = 'Install Node: Bun does not run every version of Playwright Test.'

// Playwright takes paths as regular expressions.
function selectionOf({ request, project, outputFolder }: RunOptions): readonly string[] {
  const { path, line, grep, morePaths = [], workers } = request
  const isAll = path === undefined || project.isPathConfiguration || isBelow(project.folder, path)
  // A page may have downloaded a test, which a configuration without limits would run.
  const isOutputInside = isBelow(outputFolder, project.folder) && existsSync(outputFolder)
  const outside = isOutputInside ? `^(?!${escapePattern(outputFolder)}[\\\\/])` : ''
  const patternOf = (one: string) =>
    `${outside && `${outside}.*`}${escapePattern(one)}${isFolder(one) ? '[\\\\/]' : '$'}`
  return [
    ...(isAll ? [outside].filter(Boolean) : [`${patternOf(path)}${line === undefined ? '' : `:${line}`}`]),
    ...morePaths.map(patternOf),
    ...(project.configuration === undefined ? [] : [`--config=${project.configuration}`]),
    ...(grep === undefined ? [] : [`--grep=${grep}`]),
    ...(workers === undefined ? [] : [`--workers=${workers}`]),
  ]
}

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')

// The tests that exist where nothing matches: those of the path, or else of the whole project.
async function addAvailable(
  options: RunOptions,
  failure: Failure,
  limits: Parameters<typeof runPlaywright>[3],
): Promise<Failure> {
  if (failure.code !== 'TEST_RUN_FAILED' || failure.reason !== 'no_tests') return failure
  const { grep, ...request } = options.request
  const { path: _, line: __, ...wholeRequest } = request
  for (const [index, wider] of [...(grep === undefined ? [] : [request]), wholeRequest].entries()) {
    const selection = [...selectionOf({ ...options, request: wider }), '--list']
    const listing = await runPlaywright(options, `available-${index}`, selection, limits)
    const { tests = [], testDirs = [] } = summarizeRun(listing.events).begin ?? {}
    const path = options.request.path
    const isOutside = path !== undefined && testDirs.length > 0 && !testDirs.some((dir) => isBelow(path, dir))
    if (isOutside) return { ...failure, ...describeOutside(path, testDirs, options) }
    if (tests.length > 0)
      return { ...failure, available: limitNames(tests.map((test) => describeTest(test, options))) }
  }
  return failure
}

const describeOutside = (path: string, testDirs: readonly string[], folders: RunOptions) => ({
  text: `No test matches: ${pathOf(path, folders)} is outside of testDir, ${limitNames(testDirs.map((dir) => pathOf(dir, folders))).join(', ')}`,
  next: 'Move the file below testDir, or change testDir in the configuration.',
})

interface FinishedRun {
  readonly run: PlaywrightRun
  readonly summary: RunSummary
  readonly notes: readonly string[]
  readonly testNotes: TestNotes
}

async function explainResult(
  options: RunOptions,
  { run, summary, notes, testNotes }: FinishedRun,
  duration: number,
): Promise<Outcome<TestRunReport>> {
  const { workspace, folder, project } = options
  const noteFields = notes.length > 0 ? { notes } : {}
  const isStopped = run.stopReason !== undefined
  if (summary.failedTests.length === 0 || isStopped) {
    const failure = await explainEnd(options, run)
    if (failure) return err(failure.code === 'TEST_RUN_FAILED' ? { ...failure, ...noteFields } : failure)
    return ok({ ...countsOf(summary), duration, flakyTitles: limitNames(summary.flakyTitles), notes })
  }
  const failures = await collectFailures(summary.failedTests, run.events, {
    workspace,
    project: project.folder,
    run: folder,
    testNotes,
  })
  const errorNotes = summary.errors.map(
    ({ message }) => `Error outside of tests: ${cleanText(message).slice(0, 300)}`,
  )
  const allNotes = [...notes, ...errorNotes]
  return err({
    code: 'TEST_FAILED',
    ...countsOf(summary),
    duration,
    ...failures,
    ...(allNotes.length > 0 && { notes: allNotes }),
  })
}

// Why a run without failed tests is no success, or why it did not end; undefined if it is one.
async function explainEnd(options: RunOptions, run: PlaywrightRun): Promise<Failure | undefined> {
  const { workspace, request, folder, runtime, project } = options
  if (run.exit?.error)
    return {
      code: 'TEST_RUN_FAILED',
      reason: 'runtime_missing',
      text: `${runtime.path} could not be started: ${run.exit.error.message}`,
    }
  if (run.stopReason === 'cancelled' || run.stopReason === 'closed') return { code: 'CANCELLED' }
  const summary = summarizeRun(run.events)
  const end: RunEnd = {
    summary,
    exitCode: run.exit?.code ?? null,
    lines: run.lines,
    server: serverLinesOf(run.events),
    placeOf: ({ file = '', line = 1 }: ReportedError) => placeOf(file, line, { workspace }),
  }
  if (run.stopReason === 'deadline') {
    const tests = [...summary.failedTests, ...summary.interruptedTests]
    const failures = await collectFailures(tests, run.events, {
      workspace,
      project: project.folder,
      run: folder,
    })
    return { ...describeTimeout(end, request.timeout), ...(failures.failures.length > 0 && failures) }
  }
  const withoutBrowser = summary.testsWithoutBrowser
  const browsers = withoutBrowser.map(missingBrowserOf)
  const hasRun = summary.passed + summary.flaky > 0
  if (browsers.includes('chromium') || (browsers.length > 0 && !hasRun)) return missingBrowser(browsers)
  const isExplained = withoutBrowser.length > 0 && summary.errors.length === 0
  const failure = isExplained ? undefined : judgeRun(end)
  if (!failure) return undefined
  const [{ file, line } = {} as Partial<ReportedError>] = summary.errors
  // Messages of Babel have it already.
  const hasFrame = /^\s*>\s*\d+ \|/m.test(failure.errors?.[0] ?? '')
  const codeFrame =
    hasFrame || file === undefined || line === undefined ? undefined : readCodeFrame(file, line)
  return {
    ...failure,
    ...(runtime.isBun && failure.reason === 'error' && { next: BUN_ADVICE }),
    ...(codeFrame !== undefined && { codeFrame }),
  }
}

// Collects the evidence of failed tests from what Playwright attached to them.
interface FailureFolders {
  /** Paths in it are shown relative to it. */
  readonly workspace: string
  /** The folder of the project, whose sources its pages have. */
  readonly project: string
  /** The folder of the run, for pictures. */
  readonly run: string
  /** What is known of a test besides, by its id. */
  readonly testNotes?: TestNotes
}

/** The first failed tests with evidence, and the names of the others. */
async function collectFailures(
  failedTests: readonly TestEndEvent[],
  events: readonly RunEvent[],
  folders: FailureFolders,
): Promise<{ readonly failures: readonly FailedTest[]; readonly alsoFailed?: readonly string[] }> {
  const failures = await Promise.all(
    failedTests
      .slice(0, DETAILED_TEST_LIMIT)
      .map((test, index) => collectFailure(test, serverLinesOf(events, test.id), folders, index)),
  )
  const others = failedTests.slice(DETAILED_TEST_LIMIT).map((test) => describeTest(test, folders))
  return {
    failures: limitFailedTests(failures),
    ...(others.length > 0 && { alsoFailed: limitNames(others) }),
  }
}

/** `tests/cart.spec.ts:7 cart › adds an item [chromium]`. */
const describeTest = (
  { file, line, title, project }: TestPosition,
  folders: Pick<FailureFolders, 'workspace'>,
): string => `${placeOf(file, line, folders)} ${title}${project === '' ? '' : ` [${project}]`}`

/** A position with its path relative to the workspace, if it is in there. */
const placeOf = (file: string, line: number, folders: Pick<FailureFolders, 'workspace'>): string =>
  `${pathOf(file, folders)}:${line}`

const pathOf = (file: string, { workspace }: Pick<FailureFolders, 'workspace'>): string =>
  (isBelow(file, workspace) ? relative(workspace, file) : file).split(sep).join('/')

/** The line of a source between its neighbours; undefined if it cannot be read. */
function readCodeFrame(file: string, line: number): string | undefined {
  const text = readRegularFile(file)?.toString('utf8')
  return text && (createCodeFrame(text, line, (part) => part).join('\n') || undefined)
}

async function collectFailure(
  test: TestEndEvent,
  server: readonly string[],
  folders: FailureFolders,
  index: number,
): Promise<FailedTest> {
  const findFile = (name: string) => test.attachments.findLast((attachment) => attachment.name === name)?.path
  const tracePath = findFile('trace')
  const trace =
    tracePath === undefined
      ? undefined
      : await readTraceFile({
          path: tracePath,
          picturePath: join(folders.run, `failure-${index + 1}.jpeg`),
          sources: { scripts: scriptFolderIn(folders.run), project: folders.project },
        })
  const error = joinMessages(test.errors.map(({ message }) => message)) || missingMessageOf(test)
  const position = test.errors.find(({ file }) => file !== undefined)
  const { file = test.file, line = test.line } = position ?? {}
  const codeFrame = readCodeFrame(file, line)
  const screenshot = findFile('screenshot') ?? trace?.picture
  const page = pageOf(trace, readErrorContext(test))
  const output = test.output.split('\n').map((text) => stripTerminalCodes(text).trimEnd())
  const needsAction = trace?.action !== undefined && !error.includes('Call log:')
  return {
    test: describeTest(test, folders),
    at: position && placeOf(file, line, folders),
    error,
    codeFrame,
    page,
    ...(needsAction && { action: trace.action }),
    notes: folders.testNotes?.get(test.id),
    console: trace?.console,
    requests: trace?.requests,
    server,
    output: output.filter(Boolean),
    screenshot,
    trace: tracePath,
  }
}

type Trace = Awaited<ReturnType<typeof readTraceFile>>

function pageOf(trace: Trace, pageSnapshot: string | undefined): FailedTest['page'] {
  const { url, title, text = '' } = trace ?? {}
  const snapshot = pageSnapshot ?? text
  if (url === undefined && snapshot === '') return undefined
  return { url, title, ...(snapshot !== '' && { snapshot }) }
}

// Versions before 1.53 write none; some attach a text, others a file.
function readErrorContext({ attachments }: TestEndEvent): string | undefined {
  const attachment = attachments.findLast(({ name }) => /^_?error-context/.test(name))
  const text = attachment?.body ?? readRegularFile(attachment?.path ?? '')?.toString('utf8')
  return text === undefined ? undefined : readPageSnapshot(text)
}

const missingMessageOf = ({ status }: TestEndEvent): string =>
  status === 'passed'
    ? 'The test is expected to fail, but passed.'
    : status === 'interrupted'
      ? 'The test was still running.'
      : `The test ended as ${status}.`
