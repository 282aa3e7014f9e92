// After an edit the tests that it touches run beside a session; the next answer says which of them it broke.

import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { groupBy } from '../../../core/base/group-by.ts'
import { startTimer, type Timer } from '../../../core/base/system/timer.ts'
import type { FailedTest } from '../../../core/base/test-failure.ts'
import { clip } from '../../../core/base/text/clip.ts'
import type { OwnedSession } from '../../../core/sessions/types/owned-session.ts'
import type { NewSession, SessionFeature } from '../../../core/sessions/types/session-feature.ts'
import type { ObservedTest, TestRunner, TestRunObserver } from '../../run-test/test-runner.ts'
import type { FlowVerdict, Place } from './judge-flows.ts'

declare module '../../../core/sessions/types/open-session.ts' {
  interface SessionRequest {
    /** Whether the tests that an edit touches run beside the session. */
    readonly guard?: boolean | undefined
  }
}

interface GuardParts {
  readonly tests: () => TestRunner
  readonly observer: TestRunObserver
  /** The tests that the change touches, with the top of its work tree. */
  readonly findTouched: () => Promise<
    { readonly top: string; readonly flows: readonly FlowVerdict[] } | undefined
  >
  readonly formatPlace: (place: Place) => string
}

/** How long a page is left alone before tests take the processor. */
const QUIET_MS = 300
const RUN_TIMEOUT_MS = 300_000
const TEXT_LIMIT_CHARS = 80

export function guardSession({ endSignal }: NewSession, parts: GuardParts): SessionFeature {
  let session: OwnedSession | undefined
  let pause: Timer | undefined
  let isRunning = false
  /** What failed before the session is not broken by an edit in it. */
  let known: Promise<void> | undefined
  let judgedAt = Date.now()
  const broken = createBrokenTests(parts.formatPlace)

  async function check(): Promise<void> {
    const editedAt = await session?.lastEditAt()
    dropOld(editedAt)
    if (isRunning || editedAt === undefined || editedAt <= judgedAt) return
    isRunning = true
    judgedAt = editedAt
    try {
      await known
      const { top = '', flows = [] } = (await parts.findTouched()) ?? {}
      broken.keep(flows.flatMap(({ path, verdict }) => (verdict === 'PASS' ? [] : path)))
      const open = flows.filter(({ verdict }) => verdict === 'UNVERIFIED')
      const byProject = groupBy(open, ({ path }) => parts.tests().projectOf(join(top, path)))
      for (const own of byProject.values()) {
        const results = endSignal.aborted ? [] : await runTests(own, top, parts, endSignal)
        for (const result of results) broken.note(result)
      }
    } finally {
      isRunning = false
    }
  }

  /** What was seen before an edit may not hold any more. */
  function dropOld(editedAt: number | undefined): void {
    if (editedAt !== undefined && editedAt > judgedAt) broken.dropLines()
  }

  return {
    open(owner) {
      session = owner
      const noteFailing = async () => broken.addFailing((await parts.findTouched())?.flows ?? [])
      known = noteFailing().catch(() => {})
      return {}
    },
    beforeCall() {
      pause?.stop()
      return () => (pause = startTimer(QUIET_MS, () => void check().catch(() => {})))
    },
    async describeAction() {
      if (!broken.hasLines()) return []
      dropOld(await session?.lastEditAt())
      return broken.takeLines().map((line) => session?.redact(line) ?? line)
    },
    async beforeClose() {
      pause?.stop()
      return () => ''
    },
  }
}

// --- internal ---

interface TestResult {
  readonly flow: FlowVerdict
  readonly tests: readonly ObservedTest[]
  readonly failure: FailedTest | undefined
}

/** One run of Playwright Test for all of them: most of the time of a short test is its start. */
async function runTests(
  flows: readonly FlowVerdict[],
  top: string,
  { tests, observer }: GuardParts,
  signal: AbortSignal,
): Promise<readonly TestResult[]> {
  const [path, ...morePaths] = flows.map((flow) => join(top, flow.path))
  if (path === undefined) return []
  const seen: ObservedTest[] = []
  const begin: TestRunObserver['begin'] = async (folder) => {
    const observation = await observer.begin(folder)
    if (!observation) return undefined
    const observe: typeof observation.observe = (observed) => {
      seen.push(...observed.tests)
      return observation.observe(observed)
    }
    return { ...observation, observe }
  }
  const call = { signal, progress: () => {}, observer: { ...observer, begin } }
  const request = { path, morePaths, workers: 1, timeout: RUN_TIMEOUT_MS }
  const outcome = await tests().run(request, call)
  const failures = !outcome.ok && outcome.error.code === 'TEST_FAILED' ? outcome.error.failures : []
  return flows.map((flow) => {
    const file = realpathSync(join(top, flow.path))
    const failure = failures.find(({ test }) => test.startsWith(`${flow.path}:`))
    return { flow, tests: seen.filter((one) => one.file === file), failure }
  })
}

/** The tests that an edit broke, each with a line until that is given to the client. */
function createBrokenTests(formatPlace: GuardParts['formatPlace']) {
  /** Those that are said to fail, or are about to be. */
  const paths = new Set<string>()
  const lines = new Map<string, string>()
  return {
    addFailing(flows: readonly FlowVerdict[]): void {
      for (const { path, verdict } of flows) if (verdict === 'FAIL') paths.add(path)
    },
    /** Forgets the others. */
    keep(failing: readonly string[]): void {
      for (const path of paths) if (!failing.includes(path)) paths.delete(path)
    },
    note({ flow, tests, failure }: TestResult): void {
      const failed = tests.find(({ isPassed }) => !isPassed)
      if (!failed && tests.length > 0) paths.delete(flow.path)
      // Of one that is not known to have passed before nobody knows what broke it.
      if (!failed || paths.has(flow.path) || !flow.hasPassed) return
      paths.add(flow.path)
      lines.set(flow.path, lineOf(flow, failure, failed, formatPlace))
    },
    hasLines: () => lines.size > 0,
    dropLines(): void {
      for (const path of lines.keys()) paths.delete(path)
      lines.clear()
    },
    takeLines(): readonly string[] {
      const taken = [...lines.values()]
      lines.clear()
      return taken
    },
  }
}

/** Such as `tests/pay.spec.ts:6 fails since your edit of src/pay.ts:2 (expected "paid 0", received "Paid 0")`. */
function lineOf(
  { path, touches }: FlowVerdict,
  failure: FailedTest | undefined,
  { line, title, mismatch }: ObservedTest,
  formatPlace: GuardParts['formatPlace'],
): string {
  const places = touches.filter(({ file }) => file !== path).map(formatPlace)
  const edit = places.length > 0 ? ` since your edit of ${places.slice(0, 2).join(', ')}` : ''
  const reason = mismatch
    ? `expected ${mismatch.expected}, received ${mismatch.received}`
    : clip(failure?.error.split('\n')[0] ?? title, TEXT_LIMIT_CHARS)
  return `${failure?.at ?? `${path}:${line}`} fails${edit} (${reason})`
}
