// Adds proposed checks to steps whose author made none.

import { isActing } from './prepare-steps.ts'
import type { RecordedStep } from './recorded-step.ts'

/** A step as a replay has shown it. */
export interface ObservedStep {
  readonly step: RecordedStep
  /** Checks of what it changed, the best first. */
  readonly proposals: readonly RecordedStep[]
  /** Whether a check held before the action that it follows, so that it says nothing about it. */
  readonly isVacuous: boolean
}

const PROPOSAL_LIMIT = 3

/** The steps with at most three proposed checks: after the last action if none follows it, and if the author made none at all, after the
 * actions before it too. A check that held before its action does not count. */
export function insertChecks(observed: readonly ObservedStep[]): {
  readonly steps: readonly RecordedStep[]
  readonly added: readonly RecordedStep[]
} {
  const isCheck = (entry: ObservedStep | undefined): boolean =>
    entry?.step.action.kind === 'check' && !entry.isVacuous
  const actions = observed.flatMap(({ step }, index) => (isActing(step) ? [index] : [])).toReversed()
  const unchecked = actions.filter((index) => !isCheck(observed[index + 1]))
  const places = observed.some(isCheck) ? unchecked.filter((index) => index === actions[0]) : unchecked
  const proposalsByIndex = new Map<number, readonly RecordedStep[]>()
  let count = 0
  for (const index of places) {
    const limit = Math.min(index === actions[0] ? 2 : 1, PROPOSAL_LIMIT - count)
    const proposals = observed[index]?.proposals.slice(0, limit) ?? []
    count += proposals.length
    proposalsByIndex.set(index, proposals)
  }
  const steps = observed.flatMap(({ step }, index) => [step, ...(proposalsByIndex.get(index) ?? [])])
  return { steps, added: [...proposalsByIndex.values()].flat() }
}
