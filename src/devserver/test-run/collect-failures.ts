// Collects the evidence of failed tests from what Playwright attached to them.

import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { readTraceFile } from './read-trace-file.ts'
import { scriptFolderIn } from './run-playwright.ts'
import { createCodeFrame } from '../../core/source/code-frame.ts'
import {
  DETAILED_TEST_LIMIT,
  joinMessages,
  limitFailedTests,
  limitNames,
} from '../../core/test-run/limit-evidence.ts'
import type { RunEvent, TestEndEvent, TestPosition } from '../../core/test-run/run-event.ts'
import { serverLinesOf } from '../../core/test-run/run-summary.ts'
import type { FailedTest } from '../../core/test-run/test-failure.ts'
import { readPageSnapshot } from '../../core/test-run/trace-evidence.ts'
import { stripTerminalCodes } from '../../core/text/terminal-codes.ts'
import { isBelow } from '../../runtime/files/workspace-roots.ts'

export interface FailureFolders {
  /** Paths in it are shown relative to it. */
  readonly workspace: string
  /** The folder of the project, whose sources its pages have. */
  readonly project: string
  /** The folder of the run, for pictures. */
  readonly run: string
}

/** The first failed tests with evidence, and the names of the others. */
export async function collectFailures(
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
export const describeTest = (
  { file, line, title, project }: TestPosition,
  folders: Pick<FailureFolders, 'workspace'>,
): string => `${placeOf(file, line, folders)} ${title}${project === '' ? '' : ` [${project}]`}`

/** A position with its path relative to the workspace, if it is in there. */
export function placeOf(
  file: string,
  line: number,
  { workspace }: Pick<FailureFolders, 'workspace'>,
): string {
  const path = isBelow(file, workspace) ? relative(workspace, file) : file
  return `${path.split(sep).join('/')}:${line}`
}

/** The line of a source between its neighbours; undefined if it cannot be read. */
export function readCodeFrame(file: string, line: number): string | undefined {
  try {
    return createCodeFrame(readFileSync(file, 'utf8'), line, (text) => text).join('\n') || undefined
  } catch {
    return undefined
  }
}

// --- internal ---

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
    ...(position && { at: placeOf(file, line, folders) }),
    error,
    ...(codeFrame !== undefined && { codeFrame }),
    ...(page && { page }),
    ...(needsAction && { action: trace.action }),
    ...(trace && { console: trace.console, requests: trace.requests }),
    server,
    output: output.filter(Boolean),
    ...(screenshot !== undefined && { screenshot }),
    ...(tracePath !== undefined && { trace: tracePath }),
  }
}

type Trace = Awaited<ReturnType<typeof readTraceFile>>

function pageOf(trace: Trace, pageSnapshot: string | undefined): FailedTest['page'] {
  const { url, title, text = '' } = trace ?? {}
  const snapshot = pageSnapshot ?? text
  if (url === undefined && snapshot === '') return undefined
  return {
    ...(url !== undefined && { url }),
    ...(title !== undefined && { title }),
    ...(snapshot !== '' && { snapshot }),
  }
}

// Versions before 1.53 write none; some attach a text, others a file.
function readErrorContext({ attachments }: TestEndEvent): string | undefined {
  const attachment = attachments.findLast(({ name }) => /^_?error-context/.test(name))
  if (!attachment) return undefined
  try {
    return readPageSnapshot(attachment.body ?? readFileSync(attachment.path ?? '', 'utf8'))
  } catch {
    return undefined
  }
}

const missingMessageOf = ({ status }: TestEndEvent): string =>
  status === 'passed'
    ? 'The test is expected to fail, but passed.'
    : status === 'interrupted'
      ? 'The test was still running.'
      : `The test ended as ${status}.`
