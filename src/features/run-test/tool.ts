import { dirname } from 'node:path'
import * as v from 'valibot'
import { type Failure, invalidParameter, type Outcome } from '../../core/base/failure.ts'
import type { Files } from '../../core/base/files/files.ts'
import { isBelow } from '../../core/base/files/workspace-roots.ts'
import type { Redactor } from '../../core/base/redaction/redactor.ts'
import { err, map, ok } from '../../core/base/result.ts'
import { describeCounts, type FailedTest } from '../../core/base/test-failure.ts'
import { isFile } from '../../core/devserver/process/spawn-command.ts'
import { defineTool } from '../../core/tool/define-tool.ts'
import { omit } from '../../core/tool/field-texts.ts'
import { described, environment, filePath, text, timeout } from '../../core/tool/fields.ts'
import { describeTestDirs } from '../lib/test-files/find-config.ts'
import type { TestRunner, TestRunObserver, TestRunReport } from './test-runner.ts'

const DEFAULT_TIMEOUT_MS = 300_000
const GREP_LIMIT_CHARS = 1000
const REVISION_LIMIT_CHARS = 300

/** The output of a run without a failed test. */
const testRunOutput = {
  message: v.string(),
  passed: v.number(),
  flaky: v.number(),
  skipped: v.number(),
  notRun: v.number(),
  duration: v.number(),
  flakyTests: v.optional(v.array(v.string())),
  notes: v.optional(v.array(v.string())),
}

/** The same as data: `12 passed, 1 flaky, 2 skipped in 8.4 s` and the counts. */
function describeTestRun({ flakyTitles, notes, failed: _, ...report }: TestRunReport) {
  const { duration, ...counts } = report
  const countText = describeCounts({ ...counts, failed: 0 })
  return {
    message: `${countText} in ${(duration / 1000).toFixed(1)} s`,
    ...counts,
    duration: Math.round(duration),
    ...(flakyTitles.length > 0 && { flakyTests: [...flakyTitles] }),
    ...(notes.length > 0 && { notes: [...notes] }),
  }
}

// What a test enters into password fields, and its other secrets, may be anywhere in its failure.
async function learnSecrets(paths: readonly string[], files: Files, redactor: Redactor): Promise<void> {
  for (const path of new Set(paths)) {
    const source = await files.read(path)
    if (!source.ok) continue
    redactor.learn('typed', redactor.findValues(new TextDecoder().decode(source.value)))
  }
}

const pathsOf = (failures: readonly FailedTest[]): readonly string[] =>
  failures
    .flatMap(({ test, at = '' }) => [test, at])
    .flatMap((place) => /^(.+?\.[cm]?[jt]sx?):\d+/.exec(place)?.[1] ?? [])

const NO_TESTS: TestRunReport = {
  ...{ passed: 0, flaky: 0, skipped: 0, failed: 0, notRun: 0, duration: 0, flakyTitles: [] },
  notes: ['Your change touches no test that has not passed since.'],
}

/** Those below a path, of one project. */
async function findTouched(
  path: string,
  base: string | undefined,
  tests: TestRunner,
  observer: TestRunObserver | undefined,
): Promise<Outcome<{ readonly paths: readonly string[]; readonly otherCount: number }>> {
  const all = observer
    ? await observer.findTouched(isFile(path) ? dirname(path) : path, base)
    : err(invalidParameter('touched', 'a git repository whose tests are known', 'true'))
  return map(all, (paths) => {
    const own = paths.filter((one) => isBelow(one, path))
    const first = own.filter((one) => tests.projectOf(one) === tests.projectOf(own[0] ?? ''))
    return { paths: first, otherCount: own.length - first.length }
  })
}

function describeOthers(count: number): readonly string[] {
  if (count === 0) return []
  const others = count === 1 ? '1 test file' : `${count} test files`
  return [`Your change also touches ${others} of other projects, not run here: name the folder of each.`]
}

async function addTestDirs(failure: Failure, path: string, files: Files): Promise<Failure> {
  const hint = failure.code === 'INVALID_PARAMETERS' && (await describeTestDirs(path, files))
  return hint ? { ...failure, hint } : failure
}

export const runTest = defineTool({
  name: 'run_test',
  title: 'Run tests',
  description:
    "Run the project's Playwright tests (file, file:line, folder); failures have page, console, requests, server log.",
  effect: 'acts',
  input: {
    path: v.optional(filePath),
    grep: v.optional(v.pipe(text(GREP_LIMIT_CHARS), v.minLength(1))),
    touched: v.optional(described(v.boolean(), 'Only those that your change touches')),
    base: v.optional(
      described(v.pipe(text(REVISION_LIMIT_CHARS), v.minLength(1)), 'Git revision of touched'),
    ),
    env: environment,
    timeout,
  },
  output: testRunOutput,
  texts: {
    passed: omit,
    flaky: omit,
    skipped: omit,
    notRun: omit,
    duration: omit,
  },
  async run(
    { path = '.', grep, touched, base, env = {}, timeout: limit = DEFAULT_TIMEOUT_MS },
    { files, tests, testObserver, caller, sessions, secrets },
  ) {
    const [, namedPath = path, line] = /^(.+?):(\d+)$/s.exec(path) ?? []
    const realPath = await files.find(namedPath)
    if (!realPath.ok) return err(await addTestDirs(realPath.error, namedPath, files))
    const selected = touched
      ? await findTouched(realPath.value, base, tests, testObserver)
      : ok({ paths: [realPath.value], otherCount: 0 })
    if (!selected.ok) return selected
    const [firstPath, ...morePaths] = selected.value.paths
    if (firstPath === undefined) return ok({ data: describeTestRun(NO_TESTS) })
    const request = {
      ...{ path: firstPath, morePaths },
      ...(line !== undefined && { line: Number(line) }),
      grep,
      timeout: limit,
      env,
      secrets,
    }
    const outcome = await tests.run(request, { ...caller, observer: testObserver })
    const redactor = sessions.redactor(caller.owner, undefined)
    redactor.learn('typed', Object.values(env))
    const failures = !outcome.ok && 'failures' in outcome.error ? (outcome.error.failures ?? []) : []
    await learnSecrets(pathsOf(failures), files, redactor)
    const notes = describeOthers(selected.value.otherCount)
    return map(outcome, (report) => ({
      data: describeTestRun({ ...report, notes: [...report.notes, ...notes] }),
    }))
  },
})
