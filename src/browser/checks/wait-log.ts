// What a wait for an element has seen so far.

import type { UnmetAria } from './poll-aria.ts'
import type { PollReport } from '../in-page/checks/poll-checks.ts'
import { expectationOf } from '../../core/checks/element-check.ts'
import {
  addObservation,
  describeLog,
  EMPTY_LOG,
  latestText,
  type ObservationLog,
} from '../../core/checks/observation-log.ts'
import type { ElementCondition } from '../../runtime/ports/page/wait-condition.ts'

export interface WaitLog {
  /** Milliseconds since the start. */
  elapsed(): number
  /** `startedAt`: the milliseconds at which the poll of this report started. */
  addReport(report: PollReport, startedAt: number): void
  /** What could not be read does not replace what was. */
  setAria(aria: UnmetAria): void
  /** One line for each condition that was not met last, or for all. */
  lines(): readonly string[]
}

export function createWaitLog({ checks, not }: ElementCondition): WaitLog {
  const start = performance.now()
  let logs: readonly ObservationLog[] = checks.map(() => EMPTY_LOG)
  let latestAria: UnmetAria | undefined
  return {
    elapsed: () => performance.now() - start,
    addReport({ observations }, startedAt) {
      logs = logs.map((log, index) =>
        (observations[index] ?? []).reduce(
          (sum, { at, text }) => addObservation(sum, { at: startedAt + at, text }),
          log,
        ),
      )
    },
    setAria(aria) {
      if (aria.isRead || !latestAria) latestAria = aria
    },
    lines() {
      const aria = latestAria ? [latestAria.describe()] : []
      const observed = checks.map((check, index) => {
        const log = logs[index] ?? EMPTY_LOG
        const { name, expected } = expectationOf(check)
        const isMet = !not && latestText(log) === expected
        return { isMet, line: describeLog(name, log, not ? `not ${expected}` : expected) }
      })
      const unmet = observed.filter(({ isMet }) => !isMet)
      return [...(unmet.length > 0 ? unmet : observed).map(({ line }) => line), ...aria]
    },
  }
}
