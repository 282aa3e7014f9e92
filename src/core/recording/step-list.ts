// The steps of a person in order, bounded, and lines about them. A line about text waits until the text is complete.

import { amendStep, isTextField, standAlone } from './amend-step.ts'
import { describeStep } from './describe-step.ts'
import type { RecordedAction, RecordedStep } from './recorded-step.ts'

export interface TimedStep {
  readonly step: RecordedStep
  readonly at: number
}

export interface StepList {
  /** Adds a step, or amends the last one, and returns the lines that are due. */
  push(step: RecordedStep, at: number): readonly string[]
  /** The last step in one of these tabs. */
  lastIn(tabs: readonly (string | undefined)[]): TimedStep | undefined
  /** Changes the last step in a tab. */
  changeLast(tab: string, change: (last: TimedStep) => RecordedStep): void
  /** The line that has waited. */
  takeLine(): readonly string[]
  count(): number
  read(): readonly RecordedStep[]
}

const STEP_LIMIT = 500

/** An empty list. */
export function createStepList(): StepList {
  const entries: TimedStep[] = []
  let isLineDue = false
  let isFull = false

  const takeLine = (): string[] => {
    const last = entries.at(-1)
    if (!isLineDue || !last) return []
    isLineDue = false
    return [describeStep(last.step.action)]
  }
  const put = (index: number, step: RecordedStep, at: number): string[] => {
    entries[index] = { step, at }
    isLineDue = true
    return isTyping(step.action) ? [] : takeLine()
  }
  const lastIndexIn = (tabs: readonly (string | undefined)[]) =>
    entries.findLastIndex(({ step }) => tabs.includes(step.tab))

  return {
    push(step, at) {
      const amendedStep = amendStep(entries.at(-1)?.step, step)
      if (amendedStep) return put(entries.length - 1, amendedStep, at)
      const lines = takeLine()
      if (entries.length < STEP_LIMIT)
        return [...lines, ...put(entries.length, { ...step, action: standAlone(step.action) }, at)]
      if (isFull) return lines
      isFull = true
      return [...lines, `there are ${STEP_LIMIT} steps: what follows is not recorded`]
    },
    lastIn: (tabs) => entries[lastIndexIn(tabs)],
    changeLast(tab, change) {
      const index = lastIndexIn([tab])
      const last = entries[index]
      if (last) entries[index] = { step: change(last), at: last.at }
    },
    takeLine,
    count: () => entries.length,
    read: () => entries.map(({ step }) => step),
  }
}

// --- internal ---

// A click into a field is usually the way to its text.
const isTyping = (action: RecordedAction): boolean =>
  (action.kind === 'fill' && typeof action.value === 'string') ||
  (action.kind === 'click' && isTextField(action.element))
