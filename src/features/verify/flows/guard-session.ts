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
  const guard = createGuard(endSignal, parts)
  return {
    open(owner) {
      session = owner
      guard.begin()
      return {}
    },
    beforeCall() {
      pause?.stop()
      const check = async () => guard.check(await session?.lastEditAt())
      return () => (pause = startTimer(QUIET_MS, () => void check().catch(() => {})))
    },
    async describeAction() {
      if (!guard.hasLines()) return []
      const lines = guard.takeLines(await session?.lastEditAt())
      return lines.map((line) => session?.redact(line) ?? line)
    },
    async beforeClose() {
      pause?.stop()
      return () => ''
    },
  }
}

// --- internal ---

/** Runs what edits touch, one run at a time. */
function createGuard(endSignal: AbortSignal, parts: GuardParts) {
  let isRunning = false
  /** What failed before the session is not broken by an edit in it. */
  let known: Promise<void> | undefined
  let judgedAt = Date.now()
  const failures = noteFailures(parts.formatPlace)
  const isEdited = (editedAt: number | undefined) => editedAt !== undefined && editedAt > judgedAt

  async function runTouched(): Promise<void> {
    await known
    const { top = '', flows = [] } = (await parts.findTouched()) ?? {}
    failures.keepOnly(flows.filter(({ verdict }) => verdict !== 'PASS'))
    const open = flows.filter(({ verdict }) => verdict === 'UNVERIFIED')
    const byProject = groupBy(open, ({ path }) => parts.tests().projectOf(join(top, path)))
    for (const own of byProject.values()) {
      if (endSignal.aborted) return
      const run = await runFlows(own, top, endSignal, parts)
      for (const flow of own) failures.add(flow, top, run)
    }
  }

  return {
    begin() {
      const read = async () => failures.begin((await parts.findTouched())?.flows ?? [])
      known = read().catch(() => {})
    },
    async check(editedAt: number | undefined): Promise<void> {
      if (isEdited(editedAt)) failures.dropLines()
      if (isRunning || editedAt === undefined || !isEdited(editedAt)) return
      isRunning = true
      judgedAt = editedAt
      await runTouched().finally(() => (isRunning = false))
    },
    hasLines: failures.hasLines,
    takeLines(editedAt: number | undefined): readonly string[] {
      if (isEdited(editedAt)) failures.dropLines()
      return failures.takeLines()
    },
  }
}

/** What is said of tests that fail: a line for each, once. */
function noteFailures(formatPlace: GuardParts['formatPlace']) {
  /** Those that are said to fail, or are about to be. */
  const broken = new Set<string>()
  const lines = new Map<string, string>()
  return {
    begin(flows: readonly FlowVerdict[]) {
      for (const { path, verdict } of flows) if (verdict === 'FAIL') broken.add(path)
    },
    keepOnly(flows: readonly FlowVerdict[]) {
      for (const path of broken) if (!flows.some((flow) => flow.path === path)) broken.delete(path)
    },
    add(flow: FlowVerdict, top: string, { seen, failures }: GuardRun) {
      const own = seen.filter(({ file }) => file === realpathSync(join(top, flow.path)))
      const failed = own.find(({ isPassed }) => !isPassed)
      if (!failed && own.length > 0) broken.delete(flow.path)
      // Of one that is not known to have passed before nobody knows what broke it.
      if (!failed || broken.has(flow.path) || !flow.hasPassed) return
      broken.add(flow.path)
      const failure = failures.find(({ test }) => test.startsWith(`${flow.path}:`))
      lines.set(flow.path, lineOf(flow, failure, failed, formatPlace))
    },
    /** What was seen before an edit may not hold any more. */
    dropLines() {
      for (const path of lines.keys()) broken.delete(path)
      lines.clear()
    },
    hasLines: () => lines.size > 0,
    takeLines(): readonly string[] {
      const ready = [...lines.values()]
      lines.clear()
      return ready
    },
  }
}

interface GuardRun {
  readonly seen: readonly ObservedTest[]
  readonly failures: readonly FailedTest[]
}

/** One run of Playwright Test for all of them: most of the time of a short test is its start. */
async function runFlows(
  flows: readonly FlowVerdict[],
  top: string,
  signal: AbortSignal,
  { tests, observer }: GuardParts,
): Promise<GuardRun> {
  const seen: ObservedTest[] = []
  const [path = top, ...morePaths] = flows.map((flow) => join(top, flow.path))
  const begin: TestRunObserver['begin'] = async (folder) => {
    const observation = await observer.begin(folder)
    if (!observation) return undefined
    const observe: typeof observation.observe = (observed) => {
      seen.push(...observed.tests)
      return observation.observe(observed)
    }
    return { ...observation, observe }
  }
  const request = { path, morePaths, workers: 1, timeout: RUN_TIMEOUT_MS }
  const outcome = await tests().run(request, {
    ...{ signal, progress: () => {} },
    observer: { ...observer, begin },
  })
  const failures = !outcome.ok && outcome.error.code === 'TEST_FAILED' ? outcome.error.failures : []
  return { seen, failures }
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
