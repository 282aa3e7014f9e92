// Runs the tests that a change touches, and only these.

import { join } from 'node:path'
import { groupBy } from '../../../core/base/group-by.ts'
import type { ToolContext } from '../../../core/tool/tool.ts'
import type {} from '../../run-test/test-runner.ts'
import type { FlowVerdict } from './judge-flows.ts'

const RUN_TIMEOUT_MS = 300_000

/** Runs those that did not pass since the last edit, in one run a project. Returns why some could not be run, a sentence each. */
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
    // What a test that failed says is what run_test is for.
    if (!outcome.ok && outcome.error.code !== 'TEST_FAILED')
      problems.push('text' in outcome.error ? String(outcome.error.text) : outcome.error.code)
  }
  return problems
}
