// Which tests ran, and which reports say what their pages ran.

import type { CoverageEvent, RunEvent, TestEndEvent } from './in-playwright/run-event.ts'
import type { RunSummary } from './run-summary.ts'
import type { ObservedTest } from './test-runner.ts'

/** What several tests share, each of them may have run. */
export function observedTestsOf(
  { ends, testsWithoutBrowser }: Pick<RunSummary, 'ends' | 'testsWithoutBrowser'>,
  events: readonly RunEvent[],
): readonly ObservedTest[] {
  const coverage = events.filter((event): event is CoverageEvent => event.type === 'coverage')
  const contexts = [...new Set(coverage.map(({ id }) => id))].map((id) =>
    coverage.filter((event) => event.id === id),
  )
  return ends.flatMap((end) => {
    const isPassed = end.outcome === 'expected' || end.outcome === 'flaky'
    if ((!isPassed && end.outcome !== 'unexpected') || testsWithoutBrowser.includes(end)) return []
    if (end.status === 'interrupted') return []
    const own = contexts.filter((context) => isOf(context, end))
    const reports = own.flatMap((context) => context.flatMap(({ path }) => path ?? []))
    const isWhole = own.every((context) => context.some((event) => event.isWhole))
    const { id, file, line, title, project, duration } = end
    const elements = events.findLast((event) => event.type === 'elements' && event.testId === id)
    const mismatch = events.find((event) => event.type === 'mismatch' && event.testId === id)
    return {
      ...{ id, file, line, title, project, isPassed, duration, reports, isWhole },
      elements: elements?.type === 'elements' ? elements.marks : {},
      ...(mismatch?.type === 'mismatch' && { mismatch }),
    }
  })
}

// --- internal ---

function isOf(context: readonly CoverageEvent[], { id, file }: TestEndEvent): boolean {
  const tests = new Set(context.map(({ testId }) => testId))
  if (tests.size === 1 && !tests.has(undefined)) return tests.has(id)
  const files = context.flatMap((event) => event.file ?? [])
  return files.length === 0 || files.includes(file)
}
