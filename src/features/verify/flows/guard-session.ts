// After an edit the tests that it touches run beside a session; the next answer says which of them it broke.

import { startTimer, type Timer } from '../../../core/base/system/timer.ts'
import type { FailedTest } from '../../../core/base/test-failure.ts'
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
const RUN_TIMEOUT_MS = 120_000
const TEXT_LIMIT_CHARS = 80

export function guardSession({ endSignal }: NewSession, parts: GuardParts): SessionFeature {
  let session: OwnedSession | undefined
  let pause: Timer | undefined
  let isRunning = false
  let judgedAt = Date.now()
  const broken = new Set<string>()
  let lines: string[] = []

  async function check(): Promise<void> {
    const editedAt = await session?.lastEditAt()
    if (isRunning || editedAt === undefined || editedAt <= judgedAt) return
    isRunning = true
    judgedAt = editedAt
    try {
      const touched = await parts.findTouched()
      const open = touched?.flows.filter(({ verdict }) => verdict === 'UNVERIFIED') ?? []
      for (const flow of open) if (!endSignal.aborted) await runFlow(flow, touched?.top ?? '')
    } finally {
      isRunning = false
    }
  }

  async function runFlow(flow: FlowVerdict, top: string): Promise<void> {
    const seen: ObservedTest[] = []
    const observe: TestRunObserver['observe'] = (run) => {
      seen.push(...run.tests)
      return parts.observer.observe(run)
    }
    const call = { signal: endSignal, progress: () => {}, observer: { ...parts.observer, observe } }
    const outcome = await parts.tests().run({ path: `${top}/${flow.path}`, timeout: RUN_TIMEOUT_MS }, call)
    if (outcome.ok) broken.delete(flow.path)
    else if (outcome.error.code === 'TEST_FAILED' && !broken.has(flow.path)) {
      broken.add(flow.path)
      const [failure] = outcome.error.failures
      const { mismatch } = seen.find((test) => !test.isPassed) ?? {}
      if (failure) lines.push(lineOf(flow, failure, mismatch, parts.formatPlace))
    }
  }

  return {
    open(owner) {
      session = owner
      return {}
    },
    beforeCall() {
      pause?.stop()
      return () => (pause = startTimer(QUIET_MS, () => void check().catch(() => {})))
    },
    async describeAction() {
      const ready = lines
      lines = []
      return ready.map((line) => session?.redact(line) ?? line)
    },
    async beforeClose() {
      pause?.stop()
      return () => ''
    },
  }
}

// --- internal ---

/** Such as `tests/pay.spec.ts:6 fails since your edit of src/pay.ts:2 (expected "paid 0", received "Paid 0")`. */
function lineOf(
  { path, touches }: FlowVerdict,
  { at = path, error }: FailedTest,
  mismatch: ObservedTest['mismatch'],
  formatPlace: GuardParts['formatPlace'],
): string {
  const places = touches.filter(({ file }) => file !== path).map(formatPlace)
  const edit = places.length > 0 ? ` since your edit of ${places.slice(0, 2).join(', ')}` : ''
  const reason = mismatch
    ? `expected ${mismatch.expected}, received ${mismatch.received}`
    : (error.split('\n')[0] ?? '').slice(0, TEXT_LIMIT_CHARS)
  return `${at} fails${edit} (${reason})`
}
