import * as v from 'valibot'
import { defineTool } from './define/define-tool.ts'
import { omit } from './define/field-texts.ts'
import { text, timeout, filePath } from './define/fields.ts'
import type { Redactor } from '../core/redaction/redactor.ts'
import { describeCounts } from '../core/playwright-test/run-summary.ts'
import type { FailedTest } from '../core/test-failure.ts'
import { map } from '../core/result.ts'
import type { Files } from '../runtime/ports/files.ts'
import type { TestRunReport } from '../runtime/ports/test-runner.ts'

const DEFAULT_TIMEOUT_MS = 300_000
const GREP_LIMIT_CHARS = 1000

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
async function learnSecrets(
  failures: readonly FailedTest[],
  files: Files,
  redactor: Redactor,
): Promise<void> {
  const places = failures.flatMap(({ test, at = '' }) => [test, at])
  const paths = places.flatMap((place) => /^(.+?\.[cm]?[jt]sx?):\d+/.exec(place)?.[1] ?? [])
  for (const path of new Set(paths)) {
    const source = await files.read(path)
    if (!source.ok) continue
    redactor.learn('typed', redactor.findValues(new TextDecoder().decode(source.value)))
  }
}

export const runTest = defineTool({
  name: 'run_test',
  title: 'Run tests',
  description:
    "Run the project's Playwright tests (path: file, file:line or folder); failures come with page, console, requests and server lines.",
  effect: 'acts',
  input: {
    path: v.optional(filePath),
    grep: v.optional(v.pipe(text(GREP_LIMIT_CHARS), v.minLength(1))),
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
  async run({ path = '.', grep, timeout: limit = DEFAULT_TIMEOUT_MS }, { files, tests, caller, sessions }) {
    const [, namedPath = path, line] = /^(.+?):(\d+)$/s.exec(path) ?? []
    const realPath = await files.find(namedPath)
    if (!realPath.ok) return realPath
    const request = {
      path: realPath.value,
      ...(line !== undefined && { line: Number(line) }),
      ...(grep !== undefined && { grep }),
      timeout: limit,
    }
    const outcome = await tests.run(request, caller)
    if (!outcome.ok && 'failures' in outcome.error)
      await learnSecrets(outcome.error.failures ?? [], files, sessions.redactor(caller.owner, undefined))
    return map(outcome, (report) => ({ data: describeTestRun(report) }))
  },
})
