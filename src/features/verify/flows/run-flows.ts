// Runs the tests that a change touches, and only these.

import { join } from 'node:path'
import type { Failure } from '../../../core/base/failure.ts'
import { groupBy } from '../../../core/base/group-by.ts'
import { clip } from '../../../core/base/text/clip.ts'
import type { ToolContext } from '../../../core/tool/tool.ts'
import type {} from '../../run-test/test-runner.ts'
import type { FlowVerdict } from './judge-flows.ts'

const RUN_TIMEOUT_MS = 300_000

/** Runs those that did not pass since the last edit, in one run a project. Returns why some
 * failed or could not be run, a sentence each. */
export async function runFlows(
  flows: readonly FlowVerdict[],
  top: string,
  { tests, testObserver, caller, secrets }: ToolContext,
): Promise<readonly string[]> {
  const paths = flows.filter(({ verdict }) => verdict !== 'PASS').map(({ path }) => join(top, path))
  const problems: string[] = []
  for (const own of groupBy(paths, (path) => tests.projectOf(path)).values()) {
    const [path, ...morePaths] = own
    if (path === undefined) continue
    const request = { path, morePaths, timeout: RUN_TIMEOUT_MS, secrets }
    const outcome = await tests.run(request, { ...caller, observer: testObserver })
    if (!outcome.ok) problems.push(...describe(outcome.error))
  }
  return problems
}

// --- internal ---

const ERROR_LIMIT_CHARS = 200

// All that is known of a failed test is what run_test is for.
function describe(failure: Failure): readonly string[] {
  if (failure.code !== 'TEST_FAILED') return ['text' in failure ? String(failure.text) : failure.code]
  return failure.failures.map(
    ({ test, error }) => `${test}: ${clip(error.trim().split('\n')[0] ?? '', ERROR_LIMIT_CHARS)}`,
  )
}
