import type { RecordedStep } from '../../recording/recorded-step.ts'
import { divideSteps, isUserAction } from './divide-steps.ts'
import { titlesOf } from './step-titles.ts'

/** A named part of a test. */
export interface StepGroup {
  readonly title: string
  readonly steps: readonly RecordedStep[]
}

/** The number of actions up to which a test has no named parts. */
const PLAIN_LIMIT_ACTIONS = 6

/** The named parts of a test; undefined if it is short. */
export function groupSteps(steps: readonly RecordedStep[]): readonly StepGroup[] | undefined {
  if (steps.filter(({ action }) => isUserAction(action)).length <= PLAIN_LIMIT_ACTIONS) return undefined
  const parts = divideSteps(steps)
  const titles = titlesOf(parts)
  return parts.length > 1
    ? parts.map((part, index) => ({ title: titles[index] ?? '', steps: part }))
    : undefined
}
