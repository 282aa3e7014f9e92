// What the events of a run say: counts, failed tests, notes and progress.

import type { TestCounts } from '../../core/base/test-failure.ts'
import { stripTerminalCodes } from '../../core/base/text/terminal-codes.ts'
import type {
  BeginEvent,
  ErrorEvent,
  FinishEvent,
  OutputEvent,
  ProjectSummary,
  RunEvent,
  TestEndEvent,
} from './in-playwright/run-event.ts'

export interface RunSummary extends TestCounts {
  /** Undefined until the tests are loaded. */
  readonly begin: BeginEvent | undefined
  readonly finish: FinishEvent | undefined
  /** The last attempt of each test. */
  readonly ends: readonly TestEndEvent[]
  readonly failedTests: readonly TestEndEvent[]
  readonly flakyTitles: readonly string[]
  /** Tests that had begun when the run was interrupted: those that could report their state, and the titles of the others. */
  readonly interruptedTests: readonly TestEndEvent[]
  readonly runningTitles: readonly string[]
  /** Tests whose browser is not installed. They count as not run. */
  readonly testsWithoutBrowser: readonly TestEndEvent[]
  readonly errors: readonly ErrorEvent[]
  /** The programs that ran in place of missing browsers, by what was missing. */
  readonly substitutes: ReadonlyMap<string, string>
}

/** Summarizes the events so far. Of several attempts of a test the last one counts. */
export function summarizeRun(events: readonly RunEvent[]): RunSummary {
  const lastEnds = new Map(
    eventsOf<TestEndEvent>(events, 'testEnd').map((event) => [event.id, event] as const),
  )
  const isInterrupted = ({ status }: TestEndEvent) => status === 'interrupted'
  const ends = [...lastEnds.values()].filter((event) => !isInterrupted(event))
  const begin = eventsOf<BeginEvent>(events, 'begin').at(-1)
  const unexpected = ends.filter(({ outcome }) => outcome === 'unexpected')
  const failedTests = unexpected.filter((event) => !lacksBrowser(event))
  const countOf = (outcome: TestEndEvent['outcome']) =>
    ends.filter((event) => event.outcome === outcome).length
  const counts = {
    passed: countOf('expected'),
    failed: failedTests.length,
    flaky: countOf('flaky'),
    skipped: countOf('skipped'),
  }
  const resultCount = counts.passed + counts.failed + counts.flaky + counts.skipped
  return {
    ...counts,
    notRun: Math.max(0, (begin?.total ?? 0) - resultCount),
    begin,
    finish: eventsOf<FinishEvent>(events, 'finish').at(-1),
    ends: [...lastEnds.values()],
    failedTests,
    flakyTitles: ends.filter(({ outcome }) => outcome === 'flaky').map(({ title }) => title),
    interruptedTests: [...lastEnds.values()].filter(isInterrupted),
    runningTitles: events.flatMap((event) =>
      event.type === 'testBegin' && !lastEnds.has(event.id) ? [event.title] : [],
    ),
    testsWithoutBrowser: unexpected.filter(lacksBrowser),
    errors: eventsOf<ErrorEvent>(events, 'error'),
    substitutes: new Map(
      events.flatMap((event) => (event.type === 'browser' ? [[event.missing, event.path] as const] : [])),
    ),
  }
}

/** Describes the events of one run, in their order: a line about each that a person would wait for, undefined for others. */
export function createProgress(): (event: RunEvent) => string | undefined {
  const endedIds = new Set<string>()
  let total = 0
  return (event) => {
    if (event.type === 'begin') return `0/${(total = event.total)}`
    if (event.type !== 'testEnd') return undefined
    const word = event.outcome === 'unexpected' ? 'failed' : OUTCOME_WORDS[event.outcome]
    return `${endedIds.add(event.id).size}/${total} ${word}: ${event.title}`
  }
}

/** The lines of the web server among these events, from the beginning of a test on; without an id all of them. */
export function serverLinesOf(events: readonly RunEvent[], testId?: string): readonly string[] {
  const first = events.findLastIndex((event) => event.type === 'testBegin' && event.id === testId)
  const end = events.findLastIndex((event) => event.type === 'testEnd' && event.id === testId)
  return eventsOf<OutputEvent>(events.slice(Math.max(0, first), end < 0 ? undefined : end), 'output')
    .flatMap(({ text }) => text.split('\n'))
    .map((line) => stripTerminalCodes(line).replace(SERVER_PREFIX, '').trimEnd())
    .filter((line) => line !== '' && !isOwnLine(line))
}

/** The projects whose tests have no browser here, and the names of the others. */
export function splitProjects({ projects }: BeginEvent): {
  readonly omitted: readonly ProjectSummary[]
  readonly names: readonly string[]
} {
  const isOmitted = ({ isRunnable, testCount }: ProjectSummary) => !isRunnable && testCount > 0
  return {
    omitted: projects.filter(isOmitted),
    names: projects.filter((project) => project.testCount > 0 && !isOmitted(project)).map(({ name }) => name),
  }
}

// --- internal ---

const OUTCOME_WORDS = { expected: 'passed', flaky: 'passed', skipped: 'skipped' } as const
const SERVER_PREFIX = /^\[[^\]]{1,60}\] /

// What the log of Playwright itself adds.
const isOwnLine = (line: string): boolean => / pw:webserver /.test(line)

const lacksBrowser = ({ errors }: TestEndEvent): boolean =>
  errors.some(({ message }) =>
    /Executable doesn't exist at|(?:Chromium|Firefox|WebKit) distribution .* is not found/.test(message),
  )

function eventsOf<E extends RunEvent>(events: readonly RunEvent[], type: E['type']): readonly E[] {
  return events.filter((event): event is E => event.type === type)
}
