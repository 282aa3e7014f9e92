// What a run tells beside its outcome: the observer has it for the next time, and the notes of failed tests say it.

import type { NoRepair, Repair } from './in-page/choose-mark.ts'
import type { RepairEvent, RunEvent } from './in-playwright/run-event.ts'
import { observedTestsOf } from './observed-tests.ts'
import { coverageFolderIn, type PlaywrightRun, type PlaywrightSetup } from './run-playwright.ts'
import type { RunSummary } from './run-summary.ts'
import type { RunObservation, TestRunRequest } from './test-runner.ts'

/** Sentences by the ids of tests. */
export type TestNotes = ReadonlyMap<string, readonly string[]>

export async function observeRun(
  { folder, project, request }: PlaywrightSetup & { readonly request: TestRunRequest },
  observation: RunObservation | undefined,
  { events }: PlaywrightRun,
  summary: RunSummary,
  startedAt: number,
): Promise<TestNotes> {
  const notes = await observation?.observe({
    ...{ folder: project.folder, coverage: coverageFolderIn(folder), startedAt },
    isAll: request.line === undefined && request.grep === undefined && isFinished(events),
    tests: observedTestsOf(summary, events),
  })
  const notesOf = (id: string) => [...describeRepair(events, id), ...(notes?.get(id) ?? [])]
  const ids = summary.failedTests.map(({ id }) => id).filter((id) => notesOf(id).length > 0)
  return new Map(ids.map((id) => [id, notesOf(id)]))
}

// --- internal ---

/** Whether no test was left because the run was stopped or out of time. */
const isFinished = (events: readonly RunEvent[]): boolean =>
  events.some((event) => event.type === 'finish' && /^(passed|failed)$/.test(event.status))

/** What is said of the locator that found nothing. */
function describeRepair(events: readonly RunEvent[], id: string): readonly string[] {
  const event = events.findLast((one): one is RepairEvent => one.type === 'repair' && one.testId === id)
  return event ? [`${event.locator} finds nothing. ${wordsOf(event.repair)}`] : []
}

const wordsOf = (repair: Repair): string =>
  repair.state === 'offered'
    ? `The element that it found when the test passed has the same role and text now, and is found by ${repair.locator}.`
    : NO_REPAIR_TEXTS[repair.state]

const NO_REPAIR_TEXTS: Readonly<Record<NoRepair, string>> = {
  changed:
    'No element of the page has the role and the text of the one that it found when the test passed: the application has changed, not only the locator.',
  fewer:
    'Fewer elements of the page have the role and the text of the one that it found than when the test passed: the application has changed, not only the locator.',
  elsewhere: 'When the test passed, it found an element on a page of another address.',
  several:
    'Which element of the page is the one that it found when the test passed cannot be told by role and text.',
}
