// What a wait for an element has seen so far.

import type { PollReport } from '../in-page/observe/poll-checks.ts'
import { expectationOf } from '../../core/checks/element-check.ts'
import {
  addObservation,
  describeLog,
  EMPTY_LOG,
  type ObservationLog,
} from '../../core/checks/observation-log.ts'
import type { ElementCondition } from '../../runtime/ports/page.ts'

export interface WaitLog {
  /** Milliseconds since the start. */
  elapsed(): number
  /** `startedAt`: the milliseconds at which the poll of this report started. */
  addReport(report: PollReport, startedAt: number): void
  /** `describe` says what is missing of the wanted lines of a snapshot. */
  setAria(describe: () => string): void
  /** One line for each condition that was looked at. */
  lines(): readonly string[]
}

export function createWaitLog({ checks, not }: ElementCondition): WaitLog {
  const start = performance.now()
  let logs: readonly ObservationLog[] = checks.map(() => EMPTY_LOG)
  let describeAria: (() => string) | undefined
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
    setAria(describe) {
      describeAria = describe
    },
    lines() {
      const described = checks.map((check, index) => {
        const { name, wanted } = expectationOf(check)
        return describeLog(name, logs[index] ?? EMPTY_LOG, not ? `not ${wanted}` : wanted)
      })
      return describeAria ? [...described, describeAria()] : described
    },
  }
}
